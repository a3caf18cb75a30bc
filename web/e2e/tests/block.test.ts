// A person whom the agent blocks: a countdown in place of the field, until it ends or an operator lifts it.
import { expect, test } from 'vitest';
import { say } from '../support/converse.ts';
import { calls, input, says, script } from '../support/script.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage({
  text: script(
    input,
    calls('call-000001', 'ignore_user', { duration_seconds: 300, farewell_message: 'Goodbye for now.' }),
    says('Goodbye.'),
    input,
    says('Welcome back.'),
  ),
});

test('a block counts down, and ends when an operator lifts it', async () => {
  const page = await stage.open('/');
  await say(page, 'You are a useless heap of rules');
  const left = page.getByText(/You are blocked for/);
  await left.waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
  const first = await left.innerText();
  expect(first).toMatch(/[45]:\d\d|\d+ (s|min)/);
  await expect.poll(() => left.innerText()).not.toBe(first);
  const operator = await stage.open('/operate');
  const blocks = operator.getByRole('region', { name: 'Blocked people' });
  await blocks.getByRole('button', { name: /lift/i }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await left.count()).toBe(0);
});
