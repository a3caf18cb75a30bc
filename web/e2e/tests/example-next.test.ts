// The Next.js example of the client library: it is built and served, and a person writes, approves and talks.
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildExample, EXAMPLE, freePort, serveExample } from '../support/example.ts';
import { heard, input, says, script } from '../support/script.ts';
import { listen, LISTENING, stretches } from '../support/sound.ts';
import { COMMAND } from '../support/speech.ts';
import { useStage } from '../support/stage.ts';

const MOST_LINES = 150;
const BUILD_MS = 240_000;

const port = await freePort();
const origin = `http://localhost:${port}`;

const stage = useStage({
  settings: `[server]\norigins = ["${origin}"]\n`,
  // The voice model is given the history, whose first exchange was in text.
  voice: script(input, says('Hello.'), heard(COMMAND.words), says('Mira Holt runs it every Friday in the small theatre.')),
  microphone: [0.5, COMMAND, 60],
});

let example: ChildProcess;

beforeAll(async () => {
  buildExample(stage.server.url);
  example = await serveExample(stage.server.url, port);
}, BUILD_MS);
afterAll(() => example?.kill());

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

test('it is short', () => {
  const files = readdirSync(join(EXAMPLE, 'app')).map((name) => readFileSync(join(EXAMPLE, 'app', name), 'utf8'));
  expect(files.join('').split('\n').length).toBeLessThan(MOST_LINES);
});

test('a person writes and approves', async () => {
  const page = await stage.open('/', { baseURL: origin });
  await say(page, 'Book a meeting with Mira Holt on Friday at 10 for the lighting review');
  await page.getByText('kb_search output-available').waitFor();
  await say(page, 'the first one');
  const approval = page.getByRole('region', { name: 'Approval' });
  await approval.getByText('Create this event').waitFor();
  await approval.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('calendar_create_event output-available').waitFor();
  await expect.poll(() => approval.count()).toBe(0);
});

test('a person talks in the same thread', async () => {
  const page = await stage.open('/', { baseURL: origin, ...LISTENING });
  await listen(page);
  await say(page, 'Hello');
  await page.getByText('I am the offline agent').waitFor();
  await page.getByRole('button', { name: 'Start voice' }).click();
  await page.getByText(COMMAND.words).waitFor();
  await page.getByText('Mira Holt runs it every Friday').waitFor();
  await expect.poll(async () => (await stretches(page, 'output')).length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Stop voice' }).click();
  await page.getByRole('button', { name: 'Start voice' }).waitFor();
  await page.getByText('Mira Holt runs it every Friday').waitFor();
  await say(page, 'Hello again');
  await expect.poll(() => page.getByText('I can answer questions').count()).toBe(2);
});
