// Series arithmetic and the way figures are written.
import { expect, test } from 'vitest';
import { compact, decimal, percentile, share } from './format';
import { barWidths, downsample, last, mean, peak, perSecond, spanOf, stretch, sum, times, total } from './series';

test('series are added point by point, gaps count as zero', () => {
  expect(sum([1, 2, null], [10, 20, 30])).toEqual([11, 22, 30]);
  expect(sum()).toEqual([]);
  expect(total([1, null, 2])).toBe(3);
});

test('counts of a step become a rate per second', () => {
  expect(perSecond([10, null, 0], 5000)).toEqual([2, null, 0]);
});

test('last, peak and mean pass over gaps', () => {
  expect(last([1, 2, null])).toBe(2);
  expect(last([null])).toBeNull();
  expect(peak([3, 9, 9, 1])).toEqual({ value: 9, index: 2 });
  expect(peak([null])).toBeNull();
  expect(mean([2, null, 4])).toBe(3);
  expect(mean([])).toBeNull();
});

test('a narrow chart gets fewer points, and keeps peaks and gaps', () => {
  const values = [1, 5, null, null, 2, 4, 7];
  expect(stretch(7, 4)).toBe(2);
  expect(downsample(values, 4, 'max')).toEqual([5, null, 4, 7]);
  expect(downsample(values, 4, 'mean')).toEqual([3, null, 3, 7]);
  expect(downsample(values, 4, 'sum')).toEqual([6, null, 6, 7]);
  expect(downsample(values, 100, 'max')).toEqual(values);
});

test('a point knows its time and its span', () => {
  expect(times(10_000, 5000, 4, 2)).toEqual([10, 20]);
  expect(spanOf(10_000, 5000, 1, 2)).toEqual({ since: 20_000, until: 30_000 });
});

test('bars: the greatest is full, a small one is visible, none is none', () => {
  expect(barWidths([200, 1, 0])).toEqual([100, 1, 0]);
  expect(barWidths([0])).toEqual([0]);
});

test('figures are short and honest', () => {
  expect([decimal(41.234), decimal(0.333), decimal(1234.5), decimal(null)]).toEqual(['41.2', '0.33', '1,235', '–']);
  expect([compact(950), compact(12_400), compact(3.4e6), compact(0.5)]).toEqual(['950', '12.4k', '3.4M', '0.5']);
  expect([share(9999, 10_000), share(10, 10), share(0, 0), share(1, 100_000)]).toEqual(['99.9 %', '100 %', '–', '0.1 %']);
  expect([percentile(3.52), percentile(null), percentile(3410)]).toEqual(['3.5 ms', '–', '3.41 s']);
});
