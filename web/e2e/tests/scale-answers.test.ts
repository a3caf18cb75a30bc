// Very large answers: the page stays quick while they arrive, when they are loaded again, and when all of them is shown.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { say, thread } from '../support/converse.ts';
import { measureTasks } from '../support/long-tasks.ts';
import { input, says, script } from '../support/script.ts';
import { useStage } from '../support/stage.ts';

/** The longest time for which a page may not answer, in milliseconds. */
const LIMIT = 200;

const SOON = { timeout: 30_000, interval: 100 };

const COLUMNS = 2000;

const cells = (cell: (column: number) => string): string => `| ${Array.from({ length: COLUMNS }, (_, at) => cell(at)).join(' | ')} |`;
const TABLE = [cells((at) => `c${at}`), cells(() => '-'), ...Array.from({ length: 20 }, (_, row) => cells((at) => `${row * at}`))].join('\n');

const SECTION = '## Section\n\nSome *slanted*, **bold** and `code` words, https://example.com/a and [person:mira_holt].\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n';
const MEGABYTE = SECTION.repeat(Math.ceil(1_000_000 / SECTION.length));

const stage = useStage({
  text: script(input, says(TABLE), input, says(`${MEGABYTE}The very last words.`)),
});

/** Counts the buttons that show more. Cheap for the page, whose time is measured, unless the texts of all elements were read. */
function folds(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('.markdown .json-more').length);
}

/** Waits until an answer is complete. */
async function answered(page: Page): Promise<void> {
  await page.locator('button[aria-label="Answer again"]').last().waitFor();
}

test('a task that is too long is noticed', async () => {
  const page = await stage.open('/');
  const longest = await measureTasks(page);
  await page.evaluate(() => {
    for (let at = 0; at < 1e9; at += 1);
  });
  expect(await longest()).toBeGreaterThan(LIMIT);
});

test('a table of two thousand columns and an answer of a megabyte are read and shown without a stutter', async () => {
  const page = await stage.open('/');
  const longest = await measureTasks(page);
  await say(page, 'A table, please');
  await answered(page);
  expect(await folds(page)).toBe(2);
  await say(page, 'A long text, please');
  await expect.poll(() => folds(page), SOON).toBe(3);
  await answered(page);
  await page.reload();
  await expect.poll(() => folds(page), SOON).toBe(3);
  await page.locator('.markdown .json-more').last().click();
  await expect.poll(() => folds(page), SOON).toBe(2);
  await page.locator('.markdown .json-more').first().click();
  expect(await longest()).toBeLessThan(LIMIT);
  await thread(page).getByText('The very last words.').waitFor();
}, 120_000);
