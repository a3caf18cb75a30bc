// A page of another site, which tries things.
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Elsewhere {
  private readonly server: HttpServer;

  private constructor(server: HttpServer) {
    this.server = server;
  }

  /** Serves this page at every path. */
  static async begin(html: string): Promise<Elsewhere> {
    const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new Elsewhere(server);
  }

  /** `localhost` is another site than `127.0.0.1`, where the server is opened. */
  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
