// A person chats: an answer with sources, an action that waits for approval, and how it ends.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { calls, input, says, script } from '../support/script.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage({
  text: script(
    input,
    calls('call-000001', 'kb_search', { query: 'lighting review' }),
    says('Mira Holt runs it every Friday [person:mira_holt].'),
    input,
    calls('call-000002', 'write_note', { title: 'Ask Mira', text: 'About the lighting review' }),
    says('Please look at the question.'),
    says('Done, the note is saved.'),
    input,
    says('Anything else?'),
  ),
});

/** A conversation with an open question. */
async function asked(page: Page): Promise<void> {
  await say(page, 'Who runs the lighting review?');
  await thread(page).getByText('runs it every Friday').waitFor();
  await say(page, 'Write down that I should ask her');
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
}

test('an answer shows its tool call and opens its source', async () => {
  const page = await stage.open('/');
  await say(page, 'Who runs the lighting review?');
  await thread(page).getByText('Mira Holt runs it every Friday').waitFor();
  await thread(page).getByText('kb_search').first().waitFor();
  // Screen readers are given the words, without marks and citations.
  await expect.poll(() => page.locator('[aria-live=polite]').first().innerText()).toBe('Mira Holt runs it every Friday.');
  expect(page.url()).toMatch(/\/c\/.+/);
  await page.getByRole('button', { name: /Source 1: Mira Holt/ }).first().click();
  const record = page.getByRole('complementary', { name: 'Cited record' });
  await record.getByText('person:mira_holt').first().waitFor();
  expect(page.url()).toContain('record=person');
  await page.reload();
  await thread(page).getByText('Mira Holt runs it every Friday').waitFor();
  await record.getByText('person:mira_holt').first().waitFor();
});

test('an approved action is carried out once, and the model is told', async () => {
  const page = await stage.open('/');
  await asked(page);
  const question = page.getByRole('region', { name: /Save this note/ });
  await question.getByText('write_note').waitFor();
  await question.getByRole('button', { name: 'show the exact arguments' }).click();
  await question.getByText('About the lighting review').waitFor();
  await expect.poll(() => page.title()).toContain('(1)');
  await question.getByRole('button', { name: 'Approve', exact: true }).click();
  await thread(page).getByText('Approved', { exact: true }).waitFor();
  await thread(page).getByText('the note is saved').waitFor();
  await expect.poll(() => page.title()).not.toContain('(1)');
  const { records } = await stage.server.api().get<{ records: { outcome: string }[] }>('/v1/audit?tool=write_note&outcome=completed');
  expect(records).toHaveLength(1);
});

test('a declined action is not carried out', async () => {
  const page = await stage.open('/');
  await asked(page);
  await page.getByRole('button', { name: 'Decline' }).click();
  await thread(page).getByText('Declined', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  const { records } = await stage.server.api().get<{ records: unknown[] }>('/v1/audit?tool=write_note&outcome=completed');
  expect(records).toHaveLength(1);
});

test('an approval that was answered in another tab says so', async () => {
  const visit = await stage.visit();
  const page = await visit.open('/');
  await asked(page);
  const other = await visit.open(new URL(page.url()).pathname);
  await other.getByRole('button', { name: 'Approve', exact: true }).click();
  await thread(other).getByText('Approved', { exact: true }).waitFor();
  await thread(page).getByText('Approved', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
});
