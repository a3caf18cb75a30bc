// Voice where the microphone is missing or not allowed.
import { describe, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { useStage } from '../support/stage.ts';

describe('a person who does not allow the microphone', () => {
  const stage = useStage({ microphone: [1], allowsMicrophone: false });

  test('is told how to allow it, and goes on in text', async () => {
    const page = await stage.open('/');
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.getByText('The microphone is not allowed').first().waitFor();
    await page.getByRole('button', { name: 'Go on in text' }).click();
    await say(page, 'Hello');
    await thread(page).getByText('I am the offline agent').first().waitFor();
  });
});

describe('a person without a microphone', () => {
  const stage = useStage();

  test('is told so', async () => {
    const page = await stage.open('/', { permissions: ['microphone'] });
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.getByText('No microphone was found').first().waitFor();
  });
});
