// The microphone is unplugged during a voice session, and connected again.
import { test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { heard, input, says, script } from '../support/script.ts';
import { COMMAND } from '../support/speech.ts';
import { useStage } from '../support/stage.ts';
import { makeRemovable, plugIn, unplug } from '../support/unplug.ts';

const stage = useStage({
  voice: script(heard(COMMAND.words), says('I go forward.'), input, says('I read it.'), heard(COMMAND.words), says('I go on.')),
  // The fake microphone begins its recording again when it is opened again.
  microphone: [1, COMMAND, 60],
});

test('a person whose microphone is unplugged is told so, goes on in writing, and speaks again when it is back', async () => {
  const page = await stage.open('/');
  await makeRemovable(page);
  await page.getByRole('button', { name: 'Talk' }).click();
  await thread(page).getByText('I go forward.').waitFor();
  await page.getByText('Your turn').waitFor();
  await unplug(page);
  const voice = page.getByRole('region', { name: 'Voice' });
  await voice.getByText('The microphone was disconnected').waitFor();
  await voice.getByText('Connect it again, or connect another one; it is used at once. Until then you can go on in writing.').waitFor();
  await say(page, 'Can you read this?');
  await thread(page).getByText('I read it.').waitFor();
  await plugIn(page);
  await thread(page).getByText('I go on.').waitFor();
  await page.getByText('Your turn').waitFor();
});

test('a microphone that is unplugged while the person speaks leaves nobody speaking', async () => {
  const page = await stage.open('/');
  await makeRemovable(page);
  await page.getByRole('button', { name: 'Talk' }).click();
  await page.getByText('You speak').waitFor();
  await unplug(page);
  await page.getByText('The microphone was disconnected').first().waitFor();
  await plugIn(page);
  await thread(page).getByText('I go forward.').waitFor();
});
