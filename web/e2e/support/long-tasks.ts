// Measures how long the page was too busy to answer the person.
import type { Page } from 'playwright-core';

interface Measured {
  longTasks: number[];
}

/** Records tasks of 50 ms and longer from now on, in this page and after each navigation. */
export async function watchLongTasks(page: Page): Promise<void> {
  await page.addInitScript(observe);
  await page.evaluate(observe);
}

/** The longest task so far, in milliseconds. */
export async function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, ...((window as unknown as Measured).longTasks ?? [])));
}

function observe(): void {
  const measured = window as unknown as Measured;
  measured.longTasks ??= [];
  new PerformanceObserver((list) => measured.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: 'longtask',
    buffered: true,
  });
}
