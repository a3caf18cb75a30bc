// A person speaks: a transcript, an answer that is heard, and barge-in by speech and by a click.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { thread } from '../support/converse.ts';
import { calls, heard, says, script } from '../support/script.ts';
import { lastClick, listen, LISTENING, silentAfter, stretches } from '../support/sound.ts';
import { COMMAND, REMARK } from '../support/speech.ts';
import { useStage } from '../support/stage.ts';

/** How long the agent may be heard after the person began to speak or clicked, in milliseconds. */
const MOST = 100;

/** About ten seconds of speech. */
const LONG = 'The lighting review takes place every Friday in the small theatre, and everybody who works on a sequence of the film brings the frames of the week, which are looked at one after the other until the lighting lead has decided which of them are final. '.repeat(2);

const stage = useStage({
  voice: script(
    heard(COMMAND.words),
    calls('call-000001', 'kb_search', { query: 'lighting review' }),
    says(`Mira Holt runs it. ${LONG}`),
    heard(REMARK.words),
    says('You are welcome.'),
  ),
  // The second utterance comes while the answer to the first one is spoken.
  microphone: [1, COMMAND, 6, REMARK, 60],
});

test('speech is transcribed, the answer is heard, and speech silences it at once', async () => {
  const page = await ask();
  await thread(page).getByText(REMARK.words).waitFor();
  await thread(page).getByText('You are welcome').waitFor();
  const spoken = await stretches(page, 'input');
  expect(spoken).toHaveLength(2);
  const [answer] = await stretches(page, 'output');
  expect((answer?.to ?? 0) - (answer?.from ?? 0)).toBeGreaterThan(1);
  const silent = await silentAfter(page, spoken[1]?.from ?? 0);
  console.log(`silent ${silent.toFixed(0)} ms after the first sample of speech`);
  expect(silent).toBeLessThan(MOST);
});

test('a click silences the answer at once', async () => {
  const page = await ask();
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await page.getByText('Your turn').waitFor();
  await page.waitForTimeout(500);
  const silent = await silentAfter(page, await lastClick(page));
  console.log(`silent ${silent.toFixed(0)} ms after the click`);
  expect(silent).toBeLessThan(MOST);
});

/** Asks by voice, and returns when the answer is heard. */
async function ask(): Promise<Page> {
  const page = await stage.open('/', LISTENING);
  await listen(page);
  await page.getByRole('button', { name: 'Talk' }).click();
  await thread(page).getByText(COMMAND.words).waitFor();
  await thread(page).getByText('kb_search').first().waitFor();
  await thread(page).getByText('Mira Holt runs it').waitFor();
  await page.getByText('The agent speaks').waitFor();
  await expect.poll(async () => (await stretches(page, 'output')).length).toBeGreaterThan(0);
  return page;
}
