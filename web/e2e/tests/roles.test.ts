// Several people at one server: a viewer looks and does not act, an operator sees all, a person what is theirs.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { useStage } from '../support/stage.ts';

const ADA = 'ada-0123456789abcdef';
const VERA = 'vera-0123456789abcdef';
const OTTO = 'otto-0123456789abcdef';

const stage = useStage({
  settings: '[auth]\ntokens_file = "tokens.txt"\n',
  files: { 'tokens.txt': `ada ${ADA}\nvera ${VERA} viewer\notto ${OTTO} operator\n` },
});

async function signedIn(token: string, path: string): Promise<Page> {
  const page = await stage.open(path, { expectedFaults: [/401/] });
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

test('only the person may answer; a viewer and an operator see the question', async () => {
  const ada = stage.server.api(ADA);
  await ada.call(await ada.begin(), 'write_note', { title: 'a note of Ada' });
  for (const token of [VERA, OTTO]) {
    const page = await signedIn(token, '/approvals');
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
    await page.keyboard.press('a');
  }
  const page = await signedIn(ADA, '/approvals');
  await page.getByRole('article').getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText(/Approved/).first().waitFor();
});

test('figures are for operators and viewers', async () => {
  const page = await signedIn(ADA, '/operate');
  await page.getByText('The figures are for operators and viewers').waitFor();
  const operator = await signedIn(OTTO, '/operate');
  await operator.getByRole('region', { name: 'Blocked people' }).waitFor();
});

test('a viewer finds the conversations of everybody and is offered no action', async () => {
  const conversation = await stage.server.api(ADA).say('Hello from Ada');
  const page = await signedIn(VERA, '/');
  await page.getByRole('link', { name: 'Hello from Ada' }).click();
  await page.getByText('You can look at everything and change nothing').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/c/${conversation}`);
  expect(await page.getByRole('button', { name: 'New conversation' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Talk');
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option', { name: /^Talk/ }).count()).toBe(0);
});

test('a person who is no operator gets a case as a file, with the arguments of the call', async () => {
  const ada = stage.server.api(ADA);
  const conversation = await ada.begin();
  await ada.call(conversation, 'write_note', { title: 'a note for a case' });
  const page = await signedIn(ADA, `/c/${conversation}/t/1`);
  await page.getByRole('button', { name: 'Save as case' }).click();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const [saved] = JSON.parse(readFileSync(await (await file).path(), 'utf8'));
  expect(saved.args).toMatchObject({ title: 'a note for a case' });
});
