// Questions that close without an answer, and a call that succeeds at a later attempt.
import { afterAll, expect, test } from 'vitest';
import { busyOnce } from '../support/busy-once.ts';
import { say, thread } from '../support/converse.ts';
import { calls, input, says, script } from '../support/script.ts';
import { useStage } from '../support/stage.ts';
import { texts, toolFiles } from '../support/tool.ts';

const ASKING = { category: 'action', sideEffects: 'writes', idempotent: false, requiresConfirmation: true };

const gauge = await busyOnce();
afterAll(() => gauge.close());

const stage = useStage({
  settings: '[http]\nallow_private = ["127.0.0.1"]\nallow_plain = ["127.0.0.1"]\n',
  text: script(
    input,
    calls('call-000001', 'ring_bell', { reason: 'lunch' }),
    says('Shall I ring?'),
    input,
    calls('call-000002', 'send_draft', { draft_id: 'draft-1', subject: 'the first wording' }),
    says('Shall I send it?'),
    input,
    calls('call-000003', 'send_draft', { draft_id: 'draft-1', subject: 'the second wording' }),
    says('Shall I send this one?'),
    input,
    says('I leave it.'),
    input,
    calls('call-000004', 'read_gauge', { gauge: 'north' }),
    says('It took two attempts.'),
  ),
  files: {
    ...toolFiles('ring_bell', {
      spec: { ...ASKING, confirmation: { preview: 'Ring the bell: {reason}', ttlSeconds: 2 }, parameters: texts('reason') },
      example: { reason: 'lunch' },
      handler: 'export async function execute() { return { ok: true, data: {} }; }',
    }),
    ...toolFiles('send_draft', {
      spec: { ...ASKING, confirmation: { preview: 'Send {subject}' }, parameters: texts('draft_id', 'subject') },
      example: { draft_id: 'draft-1', subject: 'a subject' },
      handler: 'export async function execute() { return { ok: true, data: {} }; }',
    }),
    ...toolFiles('read_gauge', {
      spec: { category: 'retrieval', sideEffects: 'read_only', capabilities: [`http:${gauge.address}`], parameters: texts('gauge') },
      example: { gauge: 'north' },
      handler: `
import { ErrorType, ToolError } from 'aileron';
export async function execute({ context }) {
  const answer = await context.http.fetch('http://${gauge.address}/');
  if (answer.status !== 200) throw new ToolError(ErrorType.TRANSIENT, 'the gauge did not answer');
  return { ok: true, data: { value: 7 } };
}`,
    }),
  },
});

test('questions expire and are superseded, by a newer request and by words', async () => {
  const page = await stage.open('/');
  const messages = thread(page);
  const approve = messages.getByRole('button', { name: 'Approve' });
  await say(page, 'Ring the bell');
  await approve.waitFor();
  await messages.getByText('Expired without an answer; nothing was done. Ask again if you still want it.').waitFor();
  expect(await approve.count()).toBe(0);

  await say(page, 'Send the draft');
  await approve.waitFor();
  await say(page, 'Use the second wording');
  await messages.getByText('Superseded by a newer request; nothing was done by this one.').waitFor();
  await messages.getByText('Shall I send this one?').waitFor();
  expect(await approve.count()).toBe(1);

  await say(page, 'Never mind');
  await messages.getByText('Superseded because you changed your mind; nothing was done.').waitFor();
  await messages.getByText('I leave it.').waitFor();
  expect(await approve.count()).toBe(0);

  await page.goto('/approvals');
  const decided = page.getByRole('region', { name: 'Decided' }).getByRole('row');
  await decided.filter({ hasText: 'Ring the bell' }).getByText('expired').first().waitFor();
  for (const wording of ['first', 'second']) {
    await decided.filter({ hasText: `Send the ${wording} wording` }).getByText('superseded').first().waitFor();
  }
});

test('a call that fails at first is tried again, and the attempts are shown', async () => {
  const id = await stage.server.api().say('Ring the bell');
  for (const words of ['Send the draft', 'Use the second wording', 'Never mind', 'Read the gauge']) await stage.server.api().say(words, id);
  const page = await stage.open(`/c/${id}`);
  await thread(page).getByText('It took two attempts.').waitFor();
  await thread(page).getByText('read_gauge').first().click();
  await thread(page).getByText('2 attempts').waitFor();
  await page.goto(`/c/${id}/t/5?call=call-000004`);
  const inspector = page.getByRole('complementary', { name: 'Inspector of turn 5' });
  await inspector.getByText('2 attempts').first().waitFor();
  await inspector.getByText('before the next attempt', { exact: true }).waitFor();
});
