// Voice in two tabs of one conversation: the later one has it, and the earlier one says so until it ends.
import { test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage({ microphone: [60] });

test('a second tab takes the voice session over, the first takes it back, and its end is known to both', async () => {
  const visit = await stage.visit();
  const first = await visit.open('/');
  await say(first, 'Hello');
  await thread(first).getByText('I am the offline agent').first().waitFor();
  await first.getByRole('button', { name: 'Talk' }).click();
  await first.getByRole('button', { name: 'Back to text' }).waitFor();
  const second = await visit.open(new URL(first.url()).pathname);
  await second.getByRole('button', { name: 'Talk' }).click();
  await second.getByRole('button', { name: 'Back to text' }).waitFor();
  await first.getByText('Voice continues in another tab').first().waitFor();
  await first.getByRole('button', { name: 'Take it back' }).click();
  await first.getByRole('button', { name: 'Back to text' }).waitFor();
  await second.getByText('Voice continues in another tab').first().waitFor();
  await first.getByRole('button', { name: 'Back to text' }).click();
  await first.getByRole('button', { name: 'Talk' }).waitFor();
  await second.getByRole('region', { name: 'Voice' }).waitFor({ state: 'detached' });
  await second.getByRole('button', { name: 'Talk' }).waitFor();
});
