// A web service that answers when it is released.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeldService {
  /** Host and port. */
  address: string;
  /** Requests that arrived. */
  readonly requests: number;
  /** Answers the requests that wait, and all later ones. */
  release(): void;
  close(): void;
}

export async function heldService(): Promise<HeldService> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    void released.then(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    release: () => release(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
