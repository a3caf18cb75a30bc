// A page of another site that uses the client library: built from `clients/typescript/test-page` and served with a strict policy.
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build, type Rolldown } from 'vite';
import type * as Client from '../../../clients/typescript/client/src/index.ts';
import { REPOSITORY } from './places.ts';

declare global {
  interface Window {
    /** Set by `client.html`. */
    client: typeof Client;
  }
}

const CLIENTS = join(REPOSITORY, 'clients/typescript');

/** The client needs no more than this: no script made at run time, no style. */
const POLICY = "default-src 'none'; script-src 'self'; img-src data:; connect-src http://127.0.0.1:* ws://127.0.0.1:*";

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

export class ClientPage {
  private readonly server: HttpServer;

  private constructor(server: HttpServer) {
    this.server = server;
  }

  /** Builds and serves `client.html` or `react.html`. */
  static async begin(page: 'client' | 'react'): Promise<ClientPage> {
    const files = await bundle(page);
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || `${page}.html`;
      const file = files.get(path);
      response.setHeader('content-security-policy', POLICY);
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
      response.writeHead(file === undefined ? 404 : 200).end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new ClientPage(server);
  }

  /** Another site than the server's, which is `127.0.0.1`. */
  get origin(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The files of a page by path, with the sources of the packages in place of their builds. */
async function bundle(page: string): Promise<Map<string, string | Uint8Array>> {
  const root = join(CLIENTS, 'test-page');
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: {
      alias: { '@aileron/client': join(CLIENTS, 'client/src/index.ts'), '@aileron/react': join(CLIENTS, 'react/src/index.ts') },
    },
    build: {
      write: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: { input: join(root, `${page}.html`) },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  return new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
}
