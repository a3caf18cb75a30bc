// A person speaks: a transcript, an answer that is heard, and barge-in.
import { expect, test } from 'vitest';
import { thread } from '../support/converse.ts';
import { calls, heard, says, script } from '../support/script.ts';
import { listen, stretches } from '../support/sound.ts';
import { useStage } from '../support/stage.ts';

/** How long the person may hear the agent after they began to speak. The goal is 100; a busy machine gets some more. */
const MOST_SILENCE_MS = 250;

/** About ten seconds of speech. */
const LONG = 'The lighting review takes place every Friday in the small theatre, and everybody who works on a sequence of the film brings the frames of the week, which are looked at one after the other until the lighting lead has decided which of them are final. '.repeat(2);

const stage = useStage({
  voice: script(
    heard('Who runs the lighting review?'),
    calls('call-000001', 'kb_search', { query: 'lighting review' }),
    says(`Mira Holt runs it. ${LONG}`),
    heard('Thank you, that is enough.'),
    says('You are welcome.'),
  ),
  // The second utterance comes while the answer to the first one is spoken.
  microphone: [-1, 1.6, -5, 1.2, -60],
});

test('speech is transcribed, the answer is heard, and barge-in silences it', async () => {
  const page = await stage.open('/');
  await listen(page);
  await page.getByRole('button', { name: 'Talk' }).click();
  await thread(page).getByText('Who runs the lighting review?').waitFor();
  await thread(page).getByText('kb_search').first().waitFor();
  await thread(page).getByText('Mira Holt runs it').waitFor();
  await page.getByText('The agent speaks').waitFor();
  await expect.poll(async () => (await stretches(page, 'output', 500)).length).toBeGreaterThan(0);
  await thread(page).getByText('Thank you, that is enough.').waitFor();
  await thread(page).getByText('You are welcome').waitFor();
  const [, second] = await stretches(page, 'input', 1000);
  const played = await stretches(page, 'output', 300);
  const cut = played.find(({ from, to }) => second && from < second.from && to >= second.from);
  expect(cut && cut.to - cut.from).toBeGreaterThan(1000);
  const silentAfter = cut && second ? cut.to - second.from : Infinity;
  expect(silentAfter).toBeLessThan(MOST_SILENCE_MS);
});
