// A plain relay as one would write it for speed with `ws`, whose native `bufferutil` is installed: a socket
// to the provider for each client, audio as binary on one side and as base64 in JSON on the other, which is
// put together without a pass over it. It knows no tools, no turns and no limits.
import { WebSocket, WebSocketServer } from 'ws';

const provider = process.argv[2];
// Base64 needs no escaping.
const HEAD = '{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"';
const TAIL = '"}}}';
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('listening', () => console.log(`127.0.0.1:${server.address().port}`));

server.on('connection', (client) => {
  client._socket.setNoDelay(true);
  client.once('message', () => begin(client));
});

function begin(client) {
  const upstream = new WebSocket(provider, { perMessageDeflate: false });
  upstream.on('open', () => {
    upstream._socket.setNoDelay(true);
    upstream.send(JSON.stringify({ setup: { model: 'models/m' } }));
  });
  upstream.on('message', (data) => received(client, JSON.parse(data)));
  client.on('message', (data, isBinary) => {
    if (!isBinary || upstream.readyState !== WebSocket.OPEN) return;
    upstream.send(`${HEAD}${data.toString('base64')}${TAIL}`);
  });
  client.on('close', () => upstream.close());
  upstream.on('close', () => client.close());
  upstream.on('error', () => client.close());
  client.on('error', () => upstream.close());
}

function received(client, message) {
  if (message.setupComplete) {
    client.send(JSON.stringify({ type: 'ready' }));
  }
  for (const part of message.serverContent?.modelTurn?.parts ?? []) {
    if (part.inlineData) client.send(Buffer.from(part.inlineData.data, 'base64'));
  }
}
