// Pages of other sites: they cannot act for the person, read anything, or frame the page.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Elsewhere } from '../support/elsewhere.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();
let elsewhere: Elsewhere;

beforeAll(async () => {
  elsewhere = await Elsewhere.begin('<title>elsewhere</title><iframe name="target"></iframe>');
});
afterAll(() => elsewhere.end());

async function conversations(): Promise<number> {
  const { conversations: all } = await stage.server.api().get<{ conversations: unknown[] }>('/v1/conversations');
  return all.length;
}

/** A tab at the other site. Its refused requests are faults of its own console, so it is not watched. */
async function visitElsewhere(): Promise<Page> {
  const page = await stage.browser.newPage();
  await page.goto(elsewhere.url);
  return page;
}

test('a request of another site changes nothing', async () => {
  const page = await visitElsewhere();
  const before = await conversations();
  const results = await page.evaluate(async (url) => {
    const attempt = (init: RequestInit) => fetch(`${url}/v1/conversations`, { method: 'POST', body: '{"mode":"text"}', ...init });
    const outcome = (sent: Promise<Response>) => sent.then((response) => response.type, () => 'failed');
    return Promise.all([
      outcome(attempt({ mode: 'no-cors', headers: { 'content-type': 'text/plain' } })),
      outcome(attempt({ mode: 'cors', headers: { 'content-type': 'application/json' } })),
      outcome(attempt({ mode: 'no-cors', referrerPolicy: 'no-referrer' })),
    ]);
  }, stage.server.url);
  expect(results).toEqual(['opaque', 'failed', 'opaque']);
  expect(await conversations()).toBe(before);
  await page.close();
});

test('a form of another site changes nothing', async () => {
  const page = await visitElsewhere();
  const before = await conversations();
  const answered = page.waitForResponse(`${stage.server.url}/v1/conversations`);
  await page.evaluate((url) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: `${url}/v1/conversations`, enctype: 'text/plain', target: 'target' });
    const field = Object.assign(document.createElement('input'), { name: '{"mode":"text","x":"', value: '"}' });
    form.append(field);
    document.body.append(form);
    form.submit();
  }, stage.server.url);
  expect((await answered).status()).toBe(403);
  expect(await conversations()).toBe(before);
  await page.close();
});

test('another site reads nothing', async () => {
  const page = await visitElsewhere();
  const read = await page.evaluate(async (url) => {
    const text = await fetch(`${url}/v1/tools`).then((response) => response.text(), () => 'refused');
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/voice`);
    const opened = await new Promise((resolve) => {
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('refused');
    });
    const script = document.createElement('script');
    const loaded = new Promise((resolve) => {
      script.onload = () => resolve('loaded');
      script.onerror = () => resolve('refused');
    });
    script.src = `${url}/theme.js`;
    document.head.append(script);
    return [text, opened, await loaded];
  }, stage.server.url);
  expect(read).toEqual(['refused', 'refused', 'refused']);
  await page.close();
});

test('another site cannot frame the page', async () => {
  const page = await visitElsewhere();
  await page.evaluate((url) => document.querySelector('iframe')?.setAttribute('src', url), stage.server.url);
  await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  await page.close();
});

test('the page opens from a link of another site, which keeps no hold on it', async () => {
  const page = await visitElsewhere();
  const opened = page.context().waitForEvent('page');
  await page.evaluate((url) => void Object.assign(window, { held: window.open(url) }), stage.server.url);
  const tab = await opened;
  await tab.waitForLoadState();
  expect(await tab.title()).toContain('Aileron');
  expect(await page.evaluate(() => (window as unknown as { held: Window }).held.closed)).toBe(true);
  await tab.close();
  await page.close();
});
