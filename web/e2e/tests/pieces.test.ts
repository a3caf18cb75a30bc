// A tool that shows pieces of its result: the person sees them while the call runs, and the whole result after it.
import { afterAll, expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { heldService } from '../support/held.ts';
import { calls, input, says, script } from '../support/script.ts';
import { useStage } from '../support/stage.ts';
import { texts, toolFiles } from '../support/tool.ts';

const register = await heldService();
afterAll(() => register.close());

const stage = useStage({
  settings: '[http]\nallow_private = ["127.0.0.1"]\nallow_plain = ["127.0.0.1"]\n',
  text: script(input, calls('call-000001', 'list_rows', { register: 'north' }), says('Two rows.')),
  files: toolFiles('list_rows', {
    spec: {
      category: 'retrieval',
      sideEffects: 'read_only',
      capabilities: [`http:${register.address}`],
      latencyBudgetMs: 20_000,
      parameters: texts('register'),
    },
    example: { register: 'north' },
    handler: `
export async function execute({ context }) {
  context.partial('the first row <b>is text</b>');
  context.partial({ row: 2 });
  await context.http.fetch('http://${register.address}/');
  return { ok: true, data: { rows: 2 } };
}`,
  }),
});

test('pieces are shown while the call runs, and give way to the result', async () => {
  const page = await stage.open('/');
  await say(page, 'List the rows');
  const pieces = thread(page).getByRole('list', { name: 'So far' });
  await expect.poll(() => pieces.getByRole('listitem').allInnerTexts()).toEqual(['the first row <b>is text</b>', '{"row":2}']);
  register.release();
  await thread(page).getByText('Two rows.').waitFor();
  expect(await pieces.count()).toBe(0);
});
