// Voice of `@aileron/client` in Chromium, on a page of another site: a microphone up to a transcript, barge-in and reconnect.
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { Voice, VoiceState } from '../../../clients/typescript/client/src/index.ts';
import { ClientPage } from '../support/client-page.ts';
import { UNREACHABLE } from '../support/faults.ts';
import { heard, says, script } from '../support/script.ts';
import { startIn } from '../support/server.ts';
import { listen, LISTENING, silentAfter, stretches } from '../support/sound.ts';
import { COMMAND, REMARK } from '../support/speech.ts';
import { SIMULATOR_ENV } from '../support/simulator.ts';
import { useStage } from '../support/stage.ts';

const ADA = 'ada-0123456789abcdef';

/** How long the agent may be heard after the person began to speak, in milliseconds. */
const MOST = 100;

/** About ten seconds of speech. */
const LONG = 'She looks at the frames of the week, one after the other, until it is decided which of them are final. '.repeat(6);

const site = await ClientPage.begin('client');
afterAll(() => site.end());

const stage = useStage({
  settings: `[auth]\ntokens_file = "tokens.txt"\n\n[server]\norigins = ["${site.origin}"]\n`,
  files: { 'tokens.txt': `ada ${ADA}\n` },
  voice: script(
    heard(COMMAND.words),
    says(`Mira Holt runs it. ${LONG}`),
    heard(REMARK.words),
    says('You are welcome.'),
  ),
  // The second utterance comes while the answer to the first one is spoken.
  microphone: [0.5, COMMAND, 5, REMARK, 60],
});

/** Variables of the page that later steps of a test use. */
interface VoiceScene {
  voice: Voice;
  states: VoiceState['is'][];
}

declare global {
  interface Window {
    voiceScene: VoiceScene;
  }
}

/** Begins a voice session of Ada on a page that was opened. */
async function talk(page: Page): Promise<void> {
  await page.evaluate(
    async ([baseUrl, token]) => {
      const { Aileron, Voice } = window.client;
      const states: VoiceState['is'][] = [];
      const voice = new Voice(new Aileron({ baseUrl, token }), { onChange: ({ state: { is } }) => states.at(-1) !== is && states.push(is) });
      window.voiceScene = { voice, states };
      await voice.start();
    },
    [stage.server.url, ADA] as const,
  );
}

function texts(page: Page): Promise<string[]> {
  return page.evaluate(() => window.voiceScene.voice.snapshot.messages.map(window.client.textOf));
}

const SOON = { timeout: 15_000, interval: 50 };

test('speech is transcribed, the reply is heard, and speech over it silences it', async () => {
  const page = await stage.open('/', { baseURL: site.origin, ...LISTENING });
  await listen(page);
  await talk(page);
  await expect.poll(() => texts(page), SOON).toContain(COMMAND.words);
  await expect.poll(() => page.evaluate(() => window.voiceScene.voice.snapshot.floor), SOON).toBe('model');
  await expect.poll(() => texts(page), SOON).toContain(REMARK.words);
  await expect.poll(async () => (await texts(page)).at(-1), SOON).toBe('You are welcome.');
  const interrupted = await page.evaluate(() => window.voiceScene.voice.snapshot.messages[1]?.metadata?.interrupted);
  expect(interrupted).toBe(true);
  const [, second] = await stretches(page, 'input');
  expect(await silentAfter(page, second?.from ?? 0)).toBeLessThan(MOST);
  await page.evaluate(() => window.voiceScene.voice.stop());
  expect(await page.evaluate(() => window.voiceScene.states)).toEqual(['connecting', 'live', 'ended']);
});

test('a session continues after a restart of the server, with its conversation and words', async () => {
  const page = await stage.open('/', { baseURL: site.origin, expectedFaults: UNREACHABLE });
  await talk(page);
  await expect.poll(() => texts(page), SOON).toContain(COMMAND.words);
  const before = await page.evaluate(() => window.voiceScene.voice.snapshot.conversationId);
  const { server } = stage;
  await server.stop();
  await expect.poll(() => page.evaluate(() => window.voiceScene.states), SOON).toEqual(['connecting', 'live', 'reconnecting']);
  stage.replaceServer(await startIn(server.folder, { port: server.port, env: SIMULATOR_ENV }));
  await expect.poll(() => page.evaluate(() => window.voiceScene.states.at(-1)), SOON).toBe('live');
  expect(await page.evaluate(() => window.voiceScene.voice.snapshot.conversationId)).toBe(before);
  expect(await texts(page)).toContain(COMMAND.words);
  await page.evaluate(() => window.voiceScene.voice.stop());
});
