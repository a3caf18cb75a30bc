// A scripted model: `aileron simulate` with a conversation script, and the settings that use it.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, until } from './server.ts';

export class Simulator {
  private readonly child: ChildProcess;
  private readonly folder: string;
  readonly url: string;

  constructor(child: ChildProcess, folder: string, url: string) {
    this.child = child;
    this.folder = folder;
    this.url = url;
  }

  /** Settings of a server whose text model is this one. */
  get textSettings(): string {
    return `[text]\nprovider = "anthropic"\nmodel = "simulated"\nbase_url = "${this.url}"\nkey = "SIMULATOR_KEY"\n`;
  }

  /** Settings of a server whose voice model is this one. */
  get voiceSettings(): string {
    return `[voice]\nprovider = "openai"\n\n[voice.openai]\nbase_url = "${this.url}"\nkey = "SIMULATOR_KEY"\n`;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.kill('SIGKILL')) await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The key that a simulator expects; any value will do. */
export const SIMULATOR_ENV = { SIMULATOR_KEY: 'any' };

/** A model that follows these steps of a script. */
export async function simulate(
  provider: 'anthropic' | 'openai-realtime' | 'gemini-live',
  steps: string,
  args: string[] = [],
): Promise<Simulator> {
  const folder = mkdtempSync(join(tmpdir(), 'aileron-script-'));
  const mode = provider === 'anthropic' ? 'text' : 'voice';
  const script = join(folder, 'script.md');
  writeFileSync(script, `---\nmode: ${mode}\n---\n\n\`\`\`script\n${steps.trim()}\n\`\`\`\n`);
  const child = run(folder, ['simulate', provider, '--script', script, '--port', '0', ...args]);
  const said = await until(child, 'Ctrl-C ends');
  const url = /plain\s+(\S+)/.exec(said)?.[1];
  if (!url) throw new Error(`no address in ${said}`);
  return new Simulator(child, folder, url);
}
