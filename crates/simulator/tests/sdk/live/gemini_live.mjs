// @google/genai against the simulator's Gemini Live.
import { GoogleGenAI, Modality } from '@google/genai';

const report = { calls: [], said: '', heard: [], interrupted: false, last: '', audioBytes: 0 };
const inbox = [];
let wake = () => {};

const ai = new GoogleGenAI({
  apiKey: 'any',
  httpOptions: { baseUrl: `http://${process.env.SIMULATOR}` },
});
const connecting = ai.live.connect({
  model: 'gemini-live-test',
  config: {
    responseModalities: [Modality.AUDIO],
    systemInstruction: 'Be brief.',
    inputAudioTranscription: {},
    outputAudioTranscription: {},
    sessionResumption: {},
    tools: [{ functionDeclarations: [{
      name: 'find',
      description: 'Finds things.',
      parameters: { type: 'OBJECT', properties: { query: { type: 'STRING' } }, required: ['query'] },
    }] }],
  },
  callbacks: {
    onmessage: (message) => { inbox.push(message); wake(); },
    onerror: (error) => fail(`error: ${error.message}`),
    onclose: (event) => { if (!done) fail(`closed: ${event.code} ${event.reason}`); },
  },
});
let done = false;
setTimeout(() => fail('no end within 60 s'), 60_000).unref();
const session = await connecting;

session.sendClientContent({ turns: 'Find Atlas', turnComplete: true });
await until((message) => message.toolCall);
session.sendToolResponse({ functionResponses: [
  { id: 'call-000001', name: 'find', response: { output: { title: 'Atlas' } } },
] });
report.said = await turn();

speak();
await until((message) => message.serverContent?.modelTurn);
speak();
await until((message) => message.serverContent?.interrupted);
await until((message) => message.serverContent?.turnComplete);
report.last = await turn();

done = true;
session.close();
console.log(JSON.stringify(report));
process.exit(0);

// Waits for a message, and keeps what is worth reporting of those before it.
async function until(wanted) {
  for (;;) {
    while (inbox.length === 0) await new Promise((resolve) => { wake = resolve; });
    const message = inbox.shift();
    note(message);
    if (wanted(message)) return message;
  }
}

// The words of the model up to the end of its turn.
async function turn() {
  let words = '';
  await until((message) => {
    words += message.serverContent?.outputTranscription?.text ?? '';
    return message.serverContent?.turnComplete;
  });
  return words;
}

function note(message) {
  for (const call of message.toolCall?.functionCalls ?? []) {
    report.calls.push({ id: call.id, name: call.name, args: call.args });
  }
  const content = message.serverContent;
  for (const part of content?.modelTurn?.parts ?? []) {
    if (part.inlineData?.mimeType === 'audio/pcm;rate=24000') {
      report.audioBytes += Buffer.from(part.inlineData.data, 'base64').length;
    }
  }
  if (content?.inputTranscription) report.heard.push(content.inputTranscription.text);
  if (content?.interrupted) report.interrupted = true;
}

// Half a second of noise, and silence after it, in pieces of 100 ms.
function speak() {
  for (let piece = 0; piece < 12; piece += 1) {
    const pcm = Buffer.alloc(3200);
    if (piece < 5) for (let at = 0; at < 1600; at += 1) pcm.writeInt16LE(at % 40 * 400 - 8000, at * 2);
    session.sendRealtimeInput({ audio: { data: pcm.toString('base64'), mimeType: 'audio/pcm;rate=16000' } });
  }
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
