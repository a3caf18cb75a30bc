// Size and speed of the page: bytes of the first view, time until it can be used, time from an event to the screen, and the
// processor time that open pages cost the server.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, test } from 'vitest';
import { useStage } from '../support/stage.ts';
import { row } from './samples.ts';

const OPENINGS = 15;
const EVENTS = 40;
const BURSTS = 10;
const BURST = 12;
const PAGES = 100;
const IDLE_MS = 20_000;

const stage = useStage();
const rows: string[] = [];

afterAll(() => {
  console.log(`\n| measure | median | p95 | goal |\n|---|---|---|---|\n${rows.join('\n')}\n`);
});

/** The bytes of all responses, compressed as they were sent. */
async function countBytes(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return () => bytes;
}

/** The time from the first byte of the document until a message can be written, in milliseconds. */
function timeToUse(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const field = (): Element | null => document.querySelector('textarea[aria-label="Message"]');
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const shown = performance.getEntriesByName('field-shown')[0]?.startTime ?? (field() ? performance.now() : NaN);
    return shown - (navigation?.responseStart ?? 0);
  });
}

/** Notes the moment at which the field is there and the browser has drawn it. */
function noteField(): void {
  const look = (): void => {
    if (document.querySelector('textarea[aria-label="Message"]')) requestAnimationFrame(() => performance.mark('field-shown'));
    else requestAnimationFrame(look);
  };
  look();
}

test('opening the page', async () => {
  const [sizes, times]: [number[], number[]] = [[], []];
  for (let at = 0; at < OPENINGS; at += 1) {
    const visit = await stage.visit();
    await visit.context.addInitScript(noteField);
    const page = await visit.context.newPage();
    const bytes = await countBytes(await visit.context.newCDPSession(page));
    await page.goto('/');
    await page.waitForFunction(() => performance.getEntriesByName('field-shown').length > 0);
    times.push(await timeToUse(page));
    sizes.push(bytes() / 1024);
    await visit.context.close();
  }
  rows.push(row('first view, everything that is loaded, compressed', 'KB', sizes, '150 KB'));
  rows.push(row('from the first byte until a message can be written, empty cache', 'ms', times, '300 ms'));
});

type Seen = Record<string, number>;

/** Opens the view Approvals, which notes when the card of each note is drawn. */
async function approvals(): Promise<Page> {
  const page = await stage.open('/approvals');
  await page.locator('main').waitFor();
  await page.evaluate(() => {
    const seen: Seen = {};
    Object.assign(window, { seen });
    new MutationObserver(() => {
      for (const article of document.querySelectorAll('article')) {
        const title = /note (\w+)\./.exec(article.textContent ?? '')?.[1];
        if (title && !(title in seen)) {
          seen[title] = NaN;
          requestAnimationFrame(() => (seen[title] = Date.now()));
        }
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  return page;
}

interface Asked {
  /** The time from the question to the drawn card, in milliseconds. */
  time: number;
  decline: () => Promise<unknown>;
}

async function ask(page: Page, name: string): Promise<Asked> {
  const api = stage.server.api();
  const id = await api.begin();
  await api.call(id, 'write_note', { title: `note ${name}.` });
  const seen = await page.waitForFunction((title) => (window as unknown as { seen: Seen }).seen[title] || undefined, name);
  const { confirmations } = await api.get<{ confirmations: { askedAt: number; token: string }[] }>(`/v1/confirmations?conversation=${id}`);
  const [{ askedAt, token } = { askedAt: NaN, token: '' }] = confirmations;
  const decline = () => api.post(`/v1/conversations/${id}/confirmations/${token}`, { approve: false });
  return { time: ((await seen.jsonValue()) ?? NaN) - askedAt, decline };
}

/** Bursts of questions, which are declined after each burst. Returns the time to each card. */
async function bursts(count: number, size: number): Promise<number[]> {
  const page = await approvals();
  const samples: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const names = Array.from({ length: size }, (_, question) => `n${size}x${at}x${question}`);
    const asked = await Promise.all(names.map((name) => ask(page, name)));
    samples.push(...asked.map(({ time }) => time));
    for (const { decline } of asked) await decline();
    await pause(250);
  }
  return samples;
}

test('from an event to the screen', async () => {
  rows.push(row('from a question at the server to the drawn card', 'ms', await bursts(EVENTS, 1), '50 ms'));
});

test('from an event of a burst to the screen', async () => {
  rows.push(row(`the same within bursts of ${BURST} questions`, 'ms', await bursts(BURSTS, BURST), '50 ms'));
});

/** Processor time that a process has used, in milliseconds. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

test('open pages that wait', async () => {
  // Each page is in a window with storage of its own, as in a browser of its own: tabs of one browser share an event stream.
  for (let at = 0; at < PAGES; at += 1) await (await stage.open('/')).getByRole('textbox', { name: 'Message' }).waitFor();
  await pause(5000);
  const before = processorTime(stage.server.pid);
  await pause(IDLE_MS);
  const share = ((processorTime(stage.server.pid) - before) / IDLE_MS) * 100;
  rows.push(row(`processor of the server with ${PAGES} open pages while nothing happens`, '% of a core', [share], '2 %'));
});
