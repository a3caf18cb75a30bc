// A micro-service with the handler of `aileron-bench workers`: plain node:http, connections kept alive in both directions.
// Its argument is the port of the host, which has the capability.

import http from 'node:http';

const [, , hostPort] = process.argv;
const agent = new http.Agent({ keepAlive: true, noDelay: true });

/** The capability: a request to the host. */
function search(request) {
  const body = JSON.stringify(request);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = http.request({ host: '127.0.0.1', port: hostPort, method: 'POST', path: '/kb/search', agent, headers }, (answer) => {
      read(answer).then(resolve, reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

function read(stream) {
  return new Promise((resolve, reject) => {
    const pieces = [];
    stream.on('data', (piece) => pieces.push(piece));
    stream.on('error', reject);
    stream.on('end', () => resolve(JSON.parse(Buffer.concat(pieces).toString('utf8'))));
  });
}

async function execute({ args }) {
  const hits = await search({ query: args.query, namespace: args.namespace, topK: args.top_k });
  return { ok: true, data: { hits, total: args.top_k } };
}

const server = http.createServer(async (request, response) => {
  const body = JSON.stringify(await execute(await read(request)));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
