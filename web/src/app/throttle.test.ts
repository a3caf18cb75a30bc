// The first request runs at once, those of a burst together.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttled } from './throttle';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first request runs at once and a burst leads to one more run', () => {
  const task = vi.fn();
  const { ask } = throttled(task, 100);
  ask();
  expect(task).toHaveBeenCalledTimes(1);
  for (let at = 0; at < 50; at += 1) ask();
  expect(task).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(task).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(task).toHaveBeenCalledTimes(2);
  ask();
  expect(task).toHaveBeenCalledTimes(3);
});

test('a cancelled request does not run, and later ones do', () => {
  const task = vi.fn();
  const { ask, cancel } = throttled(task, 100);
  ask();
  ask();
  cancel();
  vi.advanceTimersByTime(200);
  expect(task).toHaveBeenCalledTimes(1);
  ask();
  expect(task).toHaveBeenCalledTimes(2);
});

test('runs do not overlap, and one that was asked for meanwhile follows', async () => {
  const ends: (() => void)[] = [];
  const task = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const { ask } = throttled(task, 100);
  ask();
  vi.advanceTimersByTime(300);
  ask();
  ask();
  vi.advanceTimersByTime(300);
  expect(task).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(task).toHaveBeenCalledTimes(2);
  ends[1]?.();
  await vi.advanceTimersByTimeAsync(300);
  expect(task).toHaveBeenCalledTimes(2);
});
