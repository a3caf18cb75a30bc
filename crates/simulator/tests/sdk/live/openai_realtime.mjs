// @openai/agents-realtime against the simulator's OpenAI Realtime.
import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime';
import { z } from 'zod';

const report = { calls: [], said: '', heard: [], interrupted: false, last: '', audioBytes: 0 };
const inbox = [];
let wake = () => {};

const find = tool({
  name: 'find',
  description: 'Finds things.',
  parameters: z.object({ query: z.string() }),
  execute: async ({ query }) => JSON.stringify({ title: query }),
});
const agent = new RealtimeAgent({ name: 'Finder', instructions: 'Be brief.', tools: [find] });
const transport = new OpenAIRealtimeWebSocket({
  url: `ws://${process.env.SIMULATOR}/v1/realtime?model=gpt-realtime`,
});
const session = new RealtimeSession(agent, { transport, model: 'gpt-realtime' });
// The session cancels what the server has cut short already; the real one complains of it as well.
session.on('error', ({ error }) => {
  if (error?.error?.code !== 'response_cancel_not_active') fail(JSON.stringify(error));
});
session.on('audio', (event) => { report.audioBytes += event.data.byteLength; });
session.on('audio_interrupted', () => { report.interrupted = true; });
transport.on('*', (event) => { inbox.push(event); wake(); });
setTimeout(() => fail('no end within 60 s'), 60_000).unref();
await session.connect({ apiKey: 'any' });

session.sendMessage('Find Atlas');
await until('response.done');
report.said = await turn();
speak();
pause();
await until('response.output_audio.delta');
// The session cancels whatever is active when speech starts, so the reply must not be there yet.
speak();
await until('response.done');
pause();
report.last = await turn();

session.close();
console.log(JSON.stringify(report));
process.exit(0);

async function until(kind) {
  for (;;) {
    while (inbox.length === 0) await new Promise((resolve) => { wake = resolve; });
    const event = inbox.shift();
    note(event);
    if (event.type === kind) return event;
  }
}

// The words of the model up to the end of its response.
async function turn() {
  const done = await until('response.done');
  const parts = done.response.output.flatMap((item) => item.content ?? []);
  return parts.map((part) => part.transcript).join('');
}

function note(event) {
  if (event.type === 'response.function_call_arguments.done') {
    report.calls.push({ id: event.call_id, name: event.name, args: JSON.parse(event.arguments) });
  }
  if (event.type === 'conversation.item.input_audio_transcription.completed') {
    report.heard.push(event.transcript);
  }
}

// Half a second of noise, in pieces of 100 ms.
function speak() {
  for (let piece = 0; piece < 5; piece += 1) {
    const pcm = Buffer.alloc(4800);
    for (let at = 0; at < 2400; at += 1) pcm.writeInt16LE(at % 40 * 400 - 8000, at * 2);
    send(pcm);
  }
}

// Silence that is long enough to be the end of speech.
function pause() {
  for (let piece = 0; piece < 7; piece += 1) send(Buffer.alloc(4800));
}

function send(pcm) {
  session.sendAudio(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength));
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
