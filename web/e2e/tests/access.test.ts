// Every view, light and dark, wide and narrow: no serious fault of accessibility, nothing cut off at the side.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { seriousFaults } from '../support/axe.ts';
import { useStage } from '../support/stage.ts';

const stage = useStage();
let conversation: string;

beforeAll(async () => {
  const api = stage.server.api();
  conversation = await api.say('Who runs the lighting review?');
  await api.call(await api.begin(), 'write_note', { title: 'Ask Mira' });
});

/** Each view with an element that shows that its data is there. */
const VIEWS: [name: string, path: () => string, ready: (page: Page) => Promise<void>][] = [
  ['an empty conversation', () => '/', (page) => page.getByRole('textbox', { name: 'Message' }).waitFor()],
  ['a conversation', () => `/c/${conversation}`, (page) => page.getByText('kb_search').first().waitFor()],
  ['the inspector', () => `/c/${conversation}/t/1`, (page) => page.getByRole('complementary').first().waitFor()],
  ['a cited record', () => `/c/${conversation}?record=person:mira_holt`, (page) => page.getByRole('complementary').first().waitFor()],
  ['approvals', () => '/approvals', (page) => page.getByRole('article').first().waitFor()],
  ['the catalogue', () => '/tools', (page) => page.getByText('kb_search').first().waitFor()],
  ['a tool', () => '/tools/plan_trip', (page) => page.getByText('Name of the traveller').first().waitFor()],
  ['figures', () => '/operate', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
  ['the audit log', () => '/operate/audit', (page) => page.getByText('kb_search').first().waitFor()],
  ['an unknown address', () => '/no/such/view', (page) => page.getByText('There is nothing at this address').waitFor()],
];

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };

for (const [name, path, ready] of VIEWS) {
  for (const [colorScheme, viewport] of [['light', WIDE], ['dark', NARROW]] as const) {
    test(`${name}, ${colorScheme}, ${viewport.width} pixels wide`, async () => {
      const page = await stage.open(path(), { colorScheme, viewport, reducedMotion: 'reduce', expectedFaults: [/404 .*no\/such\/view/] });
      await ready(page);
      expect(await seriousFaults(page)).toEqual([]);
      expect(await overflow(page)).toEqual([0, 0]);
    });
  }
}

/** How far the page, whose parts scroll by themselves, could scroll as a whole: to the right and down, in pixels. */
function overflow(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });
}

test('the declarations of a tool are scrolled, not the page', async () => {
  const page = await stage.open('/tools/kb_search?tab=declarations');
  await page.getByText('Gemini').first().waitFor();
  expect(await overflow(page)).toEqual([0, 0]);
});

test('a low window, as at 200 %, keeps the way to every view', async () => {
  const page = await stage.open('/', { viewport: { width: 680, height: 425 } });
  for (const view of ['Approvals', 'Tools', 'Operate', 'Converse']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
    await page.getByRole('link', { name: view, exact: false }).and(page.locator('[aria-current=page]')).waitFor();
  }
  expect(await seriousFaults(page)).toEqual([]);
});

test('a link to a tab out of sight shows that tab', async () => {
  const page = await stage.open('/tools/kb_search?tab=changes', { viewport: NARROW });
  const tab = page.getByRole('tab', { name: 'Changes' });
  await tab.waitFor();
  await expect.poll(async () => (await tab.boundingBox())?.x ?? Infinity).toBeLessThan(NARROW.width - 40);
});
