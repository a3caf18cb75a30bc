// A web service that is busy at its first request (503) and answers the others.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Service {
  /** Host and port. */
  address: string;
  close(): void;
}

export async function busyOnce(): Promise<Service> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.statusCode = requests === 1 ? 503 : 200;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
