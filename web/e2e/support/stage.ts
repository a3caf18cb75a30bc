// The stage of a test file: a browser, a server with its project, and scripted models, started before its tests and ended after them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type BrowserOptions, launch } from './chromium.ts';
import { endAll, start, type Server, type ServerOptions } from './server.ts';
import { simulate, type Simulator, SIMULATOR_ENV } from './simulator.ts';
import { type Part, record } from './speech.ts';
import { Visit, type VisitOptions } from './visit.ts';

export interface StageOptions extends ServerOptions {
  /** Steps of the text model. Without them rules answer. */
  text?: string;
  /** Steps of the voice model. */
  voice?: string;
  /** The recording of the microphone: utterances, and silences in seconds. Without it there is no microphone. */
  microphone?: readonly Part[];
  /** Whether the person allows the page to use the microphone; if not stated, they do. */
  allowsMicrophone?: boolean;
}

export class Stage {
  private readonly visits: Visit[] = [];
  private readonly simulators: Simulator[] = [];
  private running: { browser: Browser; server: Server } | undefined;

  get browser(): Browser {
    return this.ready.browser;
  }

  get server(): Server {
    return this.ready.server;
  }

  /** The server was ended and another one runs in its place. */
  replaceServer(server: Server): void {
    this.running = { ...this.ready, server };
  }

  /** Opens an address in a browser window of its own. It is checked and closed after the test. */
  async open(path: string, options: VisitOptions = {}): Promise<Page> {
    return (await this.visit(options)).open(path);
  }

  async visit(options: VisitOptions = {}): Promise<Visit> {
    const visit = await Visit.begin(this.browser, this.server.url, options);
    this.visits.push(visit);
    return visit;
  }

  async begin(options: StageOptions): Promise<void> {
    const settings = [options.settings ?? ''];
    if (options.text) settings.push((await this.simulator(simulate('anthropic', options.text))).textSettings);
    if (options.voice) settings.push((await this.simulator(simulate('openai-realtime', options.voice, ['--real-time']))).voiceSettings);
    const env = { ...SIMULATOR_ENV, ...options.env };
    const [browser, server] = await Promise.all([
      launch(browserOptions(options)),
      start({ ...options, env, settings: settings.join('\n') }),
    ]);
    this.running = { browser, server };
  }

  /** Fails if something went wrong in a window that the test opened. */
  async endVisits(): Promise<void> {
    for (const visit of this.visits.splice(0)) await visit.end();
  }

  async end(): Promise<void> {
    await this.running?.browser.close();
    await this.running?.server.remove();
    for (const simulator of this.simulators) await simulator.stop();
    endAll();
    rmSync(RECORDINGS, { recursive: true, force: true });
  }

  private get ready(): { browser: Browser; server: Server } {
    if (!this.running) throw new Error('the stage has not begun');
    return this.running;
  }

  private async simulator(starting: Promise<Simulator>): Promise<Simulator> {
    const simulator = await starting;
    this.simulators.push(simulator);
    return simulator;
  }
}

const RECORDINGS = mkdtempSync(join(tmpdir(), 'aileron-speech-'));

function browserOptions({ microphone, allowsMicrophone = true }: StageOptions): BrowserOptions {
  return microphone ? { microphone: recording(microphone), allowsMicrophone } : {};
}

function recording(parts: readonly Part[]): string {
  const path = join(RECORDINGS, 'speech.wav');
  record(path, parts);
  return path;
}

/** A stage for all tests of the file that calls this. */
export function useStage(options: StageOptions = {}): Stage {
  const stage = new Stage();
  beforeAll(() => stage.begin(options));
  afterEach(() => stage.endVisits());
  afterAll(() => stage.end());
  return stage;
}
