// The example `clients/typescript/example-next`: built as its README says, and served by Next.js.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { REPOSITORY } from './places.ts';
import { until } from './server.ts';

const CLIENTS = join(REPOSITORY, 'clients/typescript');
export const EXAMPLE = join(CLIENTS, 'example-next');
const NEXT = join(EXAMPLE, 'node_modules/next/dist/bin/next');

/** A port that was free a moment ago: the server has to know the origin of the example, and the example the address of the server. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Builds the packages and the example, types included. */
export function buildExample(server: string): void {
  if (!existsSync(NEXT)) throw new Error(`${NEXT} is missing; run \`cargo xtask install\``);
  execFileSync('npm', ['run', 'build'], { cwd: CLIENTS, stdio: 'pipe' });
  // The packages were copied when the example was installed; their builds may be newer.
  for (const name of ['client', 'react']) {
    cpSync(join(CLIENTS, name, 'dist'), join(EXAMPLE, 'node_modules/@aileron', name, 'dist'), { recursive: true });
  }
  execFileSync(process.execPath, [NEXT, 'build'], { cwd: EXAMPLE, stdio: 'pipe', env: environment(server) });
}

/** Serves the example that was built. */
export async function serveExample(server: string, port: number): Promise<ChildProcess> {
  const args = [NEXT, 'start', '--hostname', 'localhost', '--port', String(port)];
  const child = spawn(process.execPath, args, { cwd: EXAMPLE, env: environment(server), stdio: ['ignore', 'pipe', 'pipe'] });
  await until(child, 'Ready');
  return child;
}

function environment(server: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'production', NEXT_PUBLIC_AILERON_URL: server, NEXT_TELEMETRY_DISABLED: '1' };
}
