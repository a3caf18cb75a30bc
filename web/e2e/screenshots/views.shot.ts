// The pictures of the documentation: each view with the demo, light and dark.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, test } from 'vitest';
import type { Api } from '../support/api.ts';
import { REPOSITORY } from '../support/places.ts';
import { useStage } from '../support/stage.ts';
import { picture } from './picture.ts';

const SIZE = { width: 1280, height: 800 };

/** How long calls are made before the pictures. */
const LOAD_MS = 75_000;

const stage = useStage({ args: ['--tools', join(REPOSITORY, 'tools')] });

let conversation: string;
let turn: number;

beforeAll(async () => {
  const api = stage.server.api();
  for (const message of ['When is the next dailies session?', 'Draw me a lighthouse at dusk', 'Who knows about render farm quotas?']) await api.say(message);
  const planned = await api.say('Schedule an hour with Jon Bell on Friday at 14:00 about the trailer');
  await api.say('Book the first one', planned);
  conversation = await api.say('Who runs the lighting review?');
  for (const message of ['Schedule half an hour with Mira Holt tomorrow at 10 about the lighting review', 'Book the first one']) await api.say(message, conversation);
  ({ turn } = await api.get<{ turn: number }>(`/v1/conversations/${conversation}`));
  await load(api, await api.say('Extract the contacts from: Jon Bell <jon@example.com>, +49 40 555 0199'));
}, 180_000);

/** Calls of several kinds for the figures: most succeed, some are refused. */
async function load(api: Api, id: string): Promise<void> {
  const until = Date.now() + LOAD_MS;
  for (let at = 0; Date.now() < until; at += 1) {
    await api.post(`/v1/conversations/${id}/turns`, { input: 'written' });
    for (const query of ['lighting review', 'render farm', 'trailer']) await api.call(id, 'kb_search', { query: `${query} ${at}` });
    await api.call(id, 'format_datetime', { value: '2026-02-05T10:00:00Z', style: 'spoken' });
    await api.call(id, 'rank_results', { items: [{ id: 'a', values: [{ key: 'score', number: at }] }], keys: [{ key: 'score' }] });
    if (at % 5 === 0) await api.call(id, 'kb_get', {});
    await new Promise((resolve) => setTimeout(resolve, 40 + 900 * Math.abs(Math.sin(at / 9))));
  }
}

async function showConverse(page: Page, part: string): Promise<void> {
  await page.goto(`/c/${conversation}${part}`);
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
}

const VIEWS: [name: string, show: (page: Page) => Promise<void>][] = [
  ['converse', (page) => showConverse(page, '')],
  [
    'inspector',
    async (page) => {
      await showConverse(page, `/t/${turn}`);
      await page.getByRole('complementary').getByText('calendar_create_event').first().waitFor();
    },
  ],
  ['approvals', async (page) => {
    await page.goto('/approvals');
    await page.getByRole('article').first().waitFor();
  }],
  ['tools', async (page) => {
    await page.goto('/tools/kb_search');
    await page.getByRole('group', { name: 'Arguments' }).waitFor();
  }],
  ['operate', async (page) => {
    await page.goto('/operate');
    await page.getByRole('region', { name: 'Calls a second' }).locator('canvas').waitFor();
  }],
];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`${colorScheme} pictures`, async () => {
    for (const [name, show] of VIEWS) {
      const page = await stage.open('/', { colorScheme, viewport: SIZE });
      await show(page);
      await page.evaluate(() => document.fonts.ready);
      await picture(page, `${name}-${colorScheme}`);
      await page.close();
    }
  });
}
