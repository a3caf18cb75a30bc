// Approvals of all conversations in one place, answered by keyboard.
import { expect, test } from 'vitest';
import { useStage } from '../support/stage.ts';

const stage = useStage();

/** A person's pause between two answers, in milliseconds. */
const PAUSE = 600;

interface Decided {
  confirmations: { preview: string; state: string; led?: { ok: boolean } }[];
}

test('two questions are answered by keyboard, and what they led to is listed', async () => {
  const api = stage.server.api();
  for (const title of ['the first note', 'the second note']) await api.call(await api.begin(), 'write_note', { title });
  const page = await stage.open('/');
  await page.getByRole('link', { name: /Approvals/ }).getByText('2').waitFor();
  await expect.poll(() => page.title()).toContain('(2)');
  await page.goto('/approvals');
  const waiting = page.getByRole('list', { name: 'Waiting confirmations' });
  await expect.poll(() => waiting.getByRole('article').count()).toBe(2);
  const texts = await waiting.getByRole('article').allInnerTexts();
  expect(texts.map((text) => /the (first|second) note/.exec(text)?.[1])).toEqual(['first', 'second']);
  // The oldest question is chosen at first; after an answer the next one is. Keys that follow too fast are ignored.
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.waitForTimeout(PAUSE);
  await page.keyboard.press('a');
  await waiting.getByText(/approved/i).first().waitFor();
  await page.waitForTimeout(PAUSE);
  await page.keyboard.press('d');
  await waiting.getByText(/declined/i).first().waitFor();
  await expect.poll(() => page.title()).not.toContain('(');
  const decided = page.getByRole('region', { name: 'Decided' }).getByRole('row');
  await decided.filter({ hasText: 'the first note' }).getByText('succeeded').waitFor();
  await decided.filter({ hasText: 'the second note' }).getByText('declined').waitFor();
  const { confirmations } = await api.get<Decided>('/v1/confirmations?state=decided');
  expect(confirmations.map(({ state, led }) => [state, led?.ok])).toEqual([
    ['declined', undefined],
    ['approved', true],
  ]);
});

test('a question that appears or is answered elsewhere is shown at once', async () => {
  const api = stage.server.api();
  const page = await stage.open('/approvals');
  await page.getByText('Nothing waits for an answer').waitFor();
  await api.call(await api.begin(), 'write_note', { title: 'a later note' });
  const card = page.getByRole('article').filter({ hasText: 'a later note' });
  await card.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  const { confirmations } = await api.get<{ confirmations: { conversationId: string; token: string }[] }>('/v1/confirmations?state=open');
  const [open] = confirmations;
  await api.post(`/v1/conversations/${open?.conversationId}/confirmations/${open?.token}`, { approve: true });
  await card.getByText(/approved/i).waitFor();
  expect(await card.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
});
