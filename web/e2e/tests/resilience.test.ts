// When something is gone: the server, the sign-in, the conversation, the address, or the version of the page.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { UNREACHABLE } from '../support/faults.ts';
import { REPOSITORY } from '../support/places.ts';
import { start, startIn } from '../support/server.ts';
import { useStage } from '../support/stage.ts';
import { Visit } from '../support/visit.ts';

const ADA = 'ada-0123456789abcdef';
const BOB = 'bob-0123456789abcdef';

const stage = useStage();

test('after a restart of the server the page goes on where it was', async () => {
  const server = await start();
  const visit = await Visit.begin(stage.browser, server.url, { expectedFaults: UNREACHABLE });
  const page = await visit.open('/');
  await say(page, 'Hello');
  await thread(page).getByText('I am the offline agent').waitFor();
  await server.stop();
  await page.getByText('The server cannot be reached. Trying again').waitFor();
  const restarted = await startIn(server.folder, { port: server.port });
  await page.getByText('The server cannot be reached. Trying again').waitFor({ state: 'hidden' });
  await say(page, 'Who runs the lighting review?');
  await thread(page).getByText('kb_search').first().waitFor();
  expect(await thread(page).getByText('I am the offline agent').count()).toBeGreaterThan(0);
  await visit.end();
  await restarted.remove();
});

test('an unknown address says so and leads on', async () => {
  const page = await stage.open('/no/such/view', { expectedFaults: [/404/] });
  await page.getByText('There is nothing at this address').waitFor();
  await page.getByRole('link', { name: 'a new conversation' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
});

test('an unknown conversation and an unknown tool say so', async () => {
  const page = await stage.open('/c/no-such-conversation', { expectedFaults: [/404/] });
  await page.getByText('There is no such conversation').waitFor();
  await page.goto('/tools/no_such_tool');
  await page.getByText('There is no such tool').waitFor();
});

test('many tabs of one browser work at the same time', async () => {
  const visit = await stage.visit();
  const pages = [];
  for (let tab = 0; tab < 9; tab += 1) pages.push(await visit.open('/approvals'));
  const last = pages.at(-1);
  await last?.getByText('Nothing waits for an answer').waitFor();
  const api = stage.server.api();
  await api.call(await api.begin(), 'write_note', { title: 'for all tabs' });
  for (const page of pages) await page.getByRole('article').filter({ hasText: 'for all tabs' }).waitFor();
  // One tab reads the events for all; when it is closed, another one continues.
  await pages.shift()?.close();
  await api.call(await api.begin(), 'write_note', { title: 'for the others' });
  for (const page of pages) await page.getByRole('article').filter({ hasText: 'for the others' }).waitFor();
});

test('a page that is older than the server offers to load the new one', async () => {
  const folder = join(stage.server.folder, 'page');
  cpSync(join(REPOSITORY, 'crates/page/dist'), folder, { recursive: true });
  const server = await start({ args: ['--page', folder] });
  const visit = await Visit.begin(stage.browser, server.url, { expectedFaults: UNREACHABLE });
  const page = await visit.open('/');
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await server.stop();
  const index = join(folder, 'index.html');
  writeFileSync(index, readFileSync(index, 'utf8').replace('<title>', '<meta name="generator" content="newer"><title>'));
  const newer = await startIn(server.folder, { port: server.port, args: ['--page', folder] });
  await page.getByText('This page is older than the server').waitFor();
  await page.getByRole('button', { name: 'Load the new page' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await page.getByText('This page is older than the server').count()).toBe(0);
  expect(await page.locator('meta[name=generator]').getAttribute('content')).toBe('newer');
  await visit.end();
  await newer.remove();
});

test('a person signs in, sees only what is theirs, and is asked again after the token is refused', async () => {
  const settings = '[auth]\ntokens_file = "tokens.txt"\n';
  const files = { 'tokens.txt': `ada ${ADA}\nbob ${BOB}\n` };
  const server = await start({ settings, files });
  const conversation = await server.api(BOB).say('Hello from Bob');
  const visit = await Visit.begin(stage.browser, server.url, { expectedFaults: [/401/, /404/, ...UNREACHABLE] });
  const page = await visit.open('/');
  await page.getByLabel('Token').fill('wrong-0123456789abcdef');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/not accepted|refused|not known/i).first().waitFor();
  await page.getByLabel('Token').fill(ADA);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await page.getByText('Hello from Bob').count()).toBe(0);
  await page.goto(`/c/${conversation}`);
  await page.getByText('There is no such conversation').waitFor();
  await page.goto('/');
  await say(page, 'Hello from Ada');
  await thread(page).getByText('I am the offline agent').waitFor();
  writeFileSync(join(server.folder, 'tokens.txt'), `bob ${BOB}\n`);
  await server.stop();
  const restarted = await startIn(server.folder, { port: server.port });
  await page.getByLabel('Token').waitFor();
  await visit.end();
  await restarted.remove();
});
