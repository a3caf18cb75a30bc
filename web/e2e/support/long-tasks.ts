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

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  args?: { name?: string };
  /** Processor time, in microseconds. */
  tdur?: number;
}

/**
 * Measures the processor time of the page's tasks from now on: other than the time that passes, it does not depend on what else the
 * machine does. The returned function ends the measurement and returns the longest task, in milliseconds.
 */
export async function measureTasks(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] }, transferMode: 'ReportEvents' });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const main = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
    const isMain = ({ pid, tid }: TraceEvent): boolean => main.some((thread) => thread.pid === pid && thread.tid === tid);
    const times = events.filter((event) => event.tdur !== undefined && isMain(event)).map(({ tdur = 0 }) => tdur / 1000);
    if (times.length === 0) throw new Error('the trace has no tasks of the page');
    return times.reduce((longest, time) => Math.max(longest, time), 0);
  };
}
