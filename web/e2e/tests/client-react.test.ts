// The hooks of `@aileron/react` in Chromium, on a page of another site: chat, approvals and voice.
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { ClientPage } from '../support/client-page.ts';
import { UNREACHABLE } from '../support/faults.ts';
import { heard, says, script } from '../support/script.ts';
import { startIn } from '../support/server.ts';
import { SIMULATOR_ENV } from '../support/simulator.ts';
import { lastClick, listen, LISTENING, silentAfter, stretches } from '../support/sound.ts';
import { COMMAND } from '../support/speech.ts';
import { useStage } from '../support/stage.ts';
import type { VisitOptions } from '../support/visit.ts';

const LONG = 'She looks at the frames of the week, one after the other, until it is decided which of them are final. '.repeat(6);

const site = await ClientPage.begin('react');
afterAll(() => site.end());

const stage = useStage({
  settings: `[server]\norigins = ["${site.origin}"]\n`,
  voice: script(heard(COMMAND.words), says(`Mira Holt runs it. ${LONG}`)),
  microphone: [0.5, COMMAND, 60],
});

function open(options: VisitOptions = {}): Promise<Page> {
  return stage.open(`/?server=${encodeURIComponent(stage.server.url)}`, { baseURL: site.origin, ...options });
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

const approvals = (page: Page): Locator => page.getByRole('list', { name: 'Approvals' }).getByRole('listitem');

/** Another program asks for an action. */
async function ask(title: string): Promise<void> {
  const api = stage.server.api();
  await api.call(await api.begin(), 'write_note', { title });
}

test('an answer is shown with its calls', async () => {
  const page = await open();
  await say(page, 'Who runs the lighting review?');
  const messages = page.getByRole('list', { name: 'Chat messages' });
  await messages.getByText('kb_search output-available').waitFor();
  await messages.getByText('Mira Holt').waitFor();
  await page.getByRole('region', { name: 'Chat' }).getByRole('status').filter({ hasText: 'ready' }).waitFor();
});

test('questions of other programs appear, and are approved and declined', async () => {
  const page = await open();
  await ask('first');
  await approvals(page).filter({ hasText: 'first' }).waitFor();
  await ask('second');
  await approvals(page).filter({ hasText: 'first' }).getByRole('button', { name: 'Approve' }).click();
  await approvals(page).filter({ hasText: 'second' }).getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => approvals(page).count()).toBe(0);
  const { confirmations } = await stage.server.api().get<{ confirmations: { state: string }[] }>('/v1/confirmations?state=decided');
  expect(confirmations.map(({ state }) => state)).toEqual(['declined', 'approved']);
});

test('approvals are up to date again after a restart of the server', async () => {
  const page = await open({ expectedFaults: UNREACHABLE });
  await ask('before');
  await approvals(page).filter({ hasText: 'before' }).waitFor();
  const { server } = stage;
  await server.stop();
  stage.replaceServer(await startIn(server.folder, { port: server.port, env: SIMULATOR_ENV }));
  await ask('after');
  await approvals(page).filter({ hasText: 'after' }).waitFor();
});

test('a person talks, interrupts with a click, and the session ends with the component', async () => {
  const page = await open(LISTENING);
  await listen(page);
  const voice = page.getByRole('region', { name: 'Voice' });
  await voice.getByRole('button', { name: 'Talk' }).click();
  await voice.getByText(`user: ${COMMAND.words}`).waitFor();
  await voice.getByRole('status').filter({ hasText: 'live, model' }).waitFor();
  expect(await voiceOfNewest()).toBe('active');
  await expect.poll(async () => (await stretches(page, 'output')).length).toBeGreaterThan(0);
  await voice.getByRole('button', { name: 'Interrupt' }).click();
  await voice.getByRole('status').filter({ hasText: 'live, nobody' }).waitFor();
  await page.waitForTimeout(300);
  expect(await silentAfter(page, await lastClick(page))).toBeLessThan(100);
  await page.getByRole('button', { name: 'Leave voice' }).click();
  await voice.waitFor({ state: 'detached' });
  await expect.poll(voiceOfNewest).not.toBe('active');
});

/** The voice session of the conversation that was used last. */
async function voiceOfNewest(): Promise<string | undefined> {
  const { conversations } = await stage.server.api().get<{ conversations: { voice: string }[] }>('/v1/conversations?limit=1');
  return conversations[0]?.voice;
}
