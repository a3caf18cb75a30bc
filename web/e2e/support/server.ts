// The real program on a free port, with a project of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Api } from './api.ts';
import { PAGE, PROGRAM, TEMPLATE } from './places.ts';

/** Keys that this machine may have are not for tests. */
const KEYS = ['GEMINI_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'];

/** The last line of the start screen. */
const END_OF_SCREEN = '/openapi.json describes the API';

export interface ServerOptions {
  /** Settings, as `aileron.toml`. */
  settings?: string;
  /** Further files of the project by path. */
  files?: Record<string, string>;
  /** Further arguments of `aileron serve`. */
  args?: string[];
  /** The port; 0: a free one. */
  port?: number;
  /** Further variables of the process. */
  env?: Record<string, string>;
}

export class Server {
  private readonly child: ChildProcess;
  readonly folder: string;
  readonly address: string;

  constructor(child: ChildProcess, folder: string, address: string) {
    this.child = child;
    this.folder = folder;
    this.address = address;
  }

  get url(): string {
    return `http://${this.address}`;
  }

  get port(): number {
    return Number(this.address.split(':').at(-1));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Requests beside the page, as another program would send them. */
  api(token?: string): Api {
    return new Api(this.url, token);
  }

  /** Ends the process; its files stay. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await ended;
  }

  /** Ends the process and removes the project. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A server with a copy of the prepared project. */
export async function start(options: ServerOptions = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'aileron-e2e-'));
  cpSync(TEMPLATE, folder, { recursive: true });
  for (const [path, text] of Object.entries(options.files ?? {})) write(folder, path, text);
  if (options.settings) write(folder, 'aileron.toml', options.settings);
  return startIn(folder, options);
}

/** A server in a project that exists. */
export async function startIn(folder: string, { args = [], port = 0, env = {} }: ServerOptions = {}): Promise<Server> {
  const page = PAGE && !args.includes('--page') ? ['--page', PAGE] : [];
  const child = run(folder, ['serve', '--address', `127.0.0.1:${port}`, ...page, ...args], env);
  const screen = await until(child, END_OF_SCREEN);
  const address = /at http:\/\/(\S+)/.exec(screen)?.[1];
  if (!address) throw new Error(`no address on the start screen:\n${screen}`);
  return new Server(child, folder, address);
}

/** Processes of this test file that have not ended. */
const running = new Set<ChildProcess>();

/** Ends the processes that a failed test left. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs the program, with its output piped. */
export function run(folder: string, args: string[], variables: Record<string, string> = {}): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...process.env, ...variables };
  for (const key of KEYS) if (!(key in variables)) delete env[key];
  const child = spawn(PROGRAM, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Everything that a process says up to these words. */
export function until(child: ChildProcess, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: Buffer): void => {
      said += text.toString();
      if (said.includes(words)) resolve(said);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it said ${words}:\n${said}`)));
  });
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
