// openai against the simulator's GPT-Live.
import OpenAI from 'openai';
import { LiveWS } from 'openai/resources/live/ws';

const client = new OpenAI({ apiKey: 'any', baseURL: `http://${process.env.SIMULATOR}/v1` });
const socket = new LiveWS(client);
const report = { started: '', heard: '', delegated: 0, acked: '', said: '', closed: '', audioBytes: 0 };
const send = (event) => socket.send(event);
const fail = (why) => { console.error(why); process.exit(1); };

setTimeout(() => fail(`no end within 60 s: ${JSON.stringify(report)}`), 60_000).unref();
socket.on('error', (error) => fail(`error: ${error.message}`));
socket.on('event', (event) => {
  switch (event.type) {
    case 'session.started':
      report.started = event.client_event_id;
      speak();
      break;
    case 'session.input_transcript.delta':
      report.heard += event.delta;
      break;
    case 'session.delegation.created':
      report.delegated += 1;
      send({
        type: 'session.commentary.append', event_id: 'a1',
        content: 'Atlas is a film.', delegation_id: event.delegation.id,
      });
      break;
    case 'session.commentary.appended':
      report.acked = event.client_event_id;
      break;
    case 'session.output_transcript.delta':
      report.said += event.delta;
      if (report.said.endsWith('film.')) setTimeout(() => send({ type: 'session.close' }), 300);
      break;
    case 'session.output_audio.delta':
      report.audioBytes += Buffer.from(event.delta, 'base64').length;
      break;
    case 'session.closed':
      report.closed = event.reason;
      console.log(JSON.stringify(report));
      process.exit(0);
  }
});
send({
  type: 'session.start', event_id: 'start_1',
  session: { model: 'gpt-live-1', delegation: { type: 'client', acknowledgement_delay_ms: 2000 } },
});

// Half a second of noise and silence without end, in pieces of 100 ms, faster than real time.
function speak() {
  let piece = 0;
  setInterval(() => {
    const pcm = Buffer.alloc(4800);
    if (piece < 5) for (let at = 0; at < 2400; at += 1) pcm.writeInt16LE(at % 40 * 400 - 8000, at * 2);
    piece += 1;
    send({ type: 'session.input_audio.append', audio: pcm.toString('base64') });
  }, 10);
}
