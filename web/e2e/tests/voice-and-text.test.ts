// One conversation in text, by voice and in text again; and what is said where there is no microphone.
import { expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { heard, input, says, script } from '../support/script.ts';
import { COMMAND } from '../support/speech.ts';
import { useStage } from '../support/stage.ts';

/** Both models follow the same script, because both are given the history of the other. */
const CONVERSATION = script(
  input,
  says('Hello in text.'),
  heard(COMMAND.words),
  says('Hello by voice.'),
  input,
  says('Hello again in text.'),
);

const stage = useStage({ text: CONVERSATION, voice: CONVERSATION, microphone: [1, COMMAND, 60] });

test('text becomes voice and text again in one thread', async () => {
  const page = await stage.open('/');
  await say(page, 'Hello');
  await thread(page).getByText('Hello in text.').waitFor();
  const address = new URL(page.url()).pathname;
  await page.getByRole('button', { name: 'Talk' }).click();
  await thread(page).getByText(COMMAND.words).waitFor();
  await thread(page).getByText('Hello by voice.').waitFor();
  expect(new URL(page.url()).pathname).toBe(address);
  await page.getByText('Your turn').waitFor();
  await page.getByRole('button', { name: 'Back to text' }).click();
  await page.getByRole('button', { name: 'Talk' }).waitFor();
  await say(page, 'And now in text');
  await thread(page).getByText('Hello again in text.').waitFor();
  await page.reload();
  for (const words of ['Hello in text.', 'Hello by voice.', 'Hello again in text.']) await thread(page).getByText(words).waitFor();
  const spoken = thread(page).getByRole('article').filter({ has: page.getByRole('img', { name: 'spoken' }) });
  expect(await spoken.allInnerTexts()).toEqual([expect.stringContaining(COMMAND.words)]);
});
