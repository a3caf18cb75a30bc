// A page that is watched: faults in its console and requests to other hosts fail the test that opened it.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface VisitOptions extends BrowserContextOptions {
  /** Console lines and failed requests that this test provokes. */
  expectedFaults?: RegExp[];
  /** The page of another site, which uses the server. */
  baseURL?: string;
}

/** How long a person would wait for anything. */
const TIMEOUT = 15_000;

/** One person's browser window, with everything that went wrong in it. */
export class Visit {
  readonly context: BrowserContext;
  private readonly hosts: ReadonlySet<string>;
  private readonly faults: string[] = [];
  private readonly expected: RegExp[];

  private constructor(context: BrowserContext, origins: readonly string[], expected: RegExp[]) {
    this.context = context;
    this.hosts = new Set(origins.map((origin) => new URL(origin).host));
    this.expected = expected;
  }

  static async begin(browser: Browser, origin: string, options: VisitOptions = {}): Promise<Visit> {
    const { expectedFaults = [], ...rest } = options;
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 }, ...rest });
    context.setDefaultTimeout(TIMEOUT);
    return new Visit(context, [origin, options.baseURL ?? origin], expectedFaults);
  }

  /** Opens an address in a new tab. */
  async open(path: string): Promise<Page> {
    const page = await this.context.newPage();
    this.watch(page);
    await page.goto(path);
    return page;
  }

  /** Fails if anything went wrong, and closes all tabs. */
  async end(): Promise<void> {
    await this.context.close();
    expect(this.faults.filter((fault) => !this.expected.some((pattern) => pattern.test(fault)))).toEqual([]);
  }

  private watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        this.faults.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on('pageerror', (error) => this.faults.push(`error: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (!this.hosts.has(url.host) && !['blob:', 'data:'].includes(url.protocol)) {
        this.faults.push(`request to another host: ${request.url()}`);
      }
    });
    page.on('websocket', (socket) => {
      if (!this.hosts.has(new URL(socket.url()).host)) this.faults.push(`socket to another host: ${socket.url()}`);
    });
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }
}
