// @ai-sdk/openai against the simulator's GPT-Live.
import { createOpenAI } from '@ai-sdk/openai';
import WebSocket from 'ws';

const openai = createOpenAI({ apiKey: 'any', baseURL: `http://${process.env.SIMULATOR}/v1` });
const model = openai.experimental_realtime('gpt-live-1', { api: 'live' });
const { url, headers } = await model.getServerWebSocketConfig();
const socket = new WebSocket(url, { headers });
const parse = model.createServerEventParser();
const seen = new Set();
const fail = (why) => { console.error(why, [...seen]); process.exit(1); };

setTimeout(() => fail('no end within 60 s'), 60_000).unref();
socket.on('error', (error) => fail(error.message));
socket.on('open', () => {
  const event = model.serializeClientEvent({ type: 'session-start', config: { instructions: 'Be brief.' } });
  socket.send(JSON.stringify(event));
});
socket.on('message', (data) => {
  const raw = JSON.parse(data);
  seen.add(raw.type);
  const events = [parse(raw)].flat().filter(Boolean);
  const failed = events.find((event) => event.type === 'error');
  if (failed) fail(JSON.stringify(failed));
  if (raw.type === 'session.started') speak();
  if (raw.type === 'session.delegation.created') {
    socket.send(JSON.stringify({
      type: 'session.commentary.append', content: 'Atlas is a film.', delegation_id: raw.delegation.id,
    }));
  }
  if (raw.type === 'session.commentary.appended') socket.send(JSON.stringify({ type: 'session.close' }));
  if (raw.type === 'session.closed') {
    console.log(JSON.stringify({ seen: [...seen].sort() }));
    process.exit(0);
  }
});

// Half a second of noise and silence without end, in pieces of 100 ms, faster than real time.
function speak() {
  let piece = 0;
  setInterval(() => {
    const pcm = Buffer.alloc(4800);
    if (piece < 5) for (let at = 0; at < 2400; at += 1) pcm.writeInt16LE(at % 40 * 400 - 8000, at * 2);
    piece += 1;
    socket.send(JSON.stringify({ type: 'session.input_audio.append', audio: pcm.toString('base64') }));
  }, 10);
}
