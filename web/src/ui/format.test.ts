// How the page writes durations, countdowns, sizes and times.
import { expect, it } from 'vitest';
import { format } from './format';

it.each([
  [0, '0 ms'],
  [0.4, '< 1 ms'],
  [6, '6 ms'],
  [999, '999 ms'],
  [1840, '1.84 s'],
  [12_340, '12.3 s'],
  [60_000, '1 min'],
  [252_000, '4 min 12 s'],
  [11_100_000, '3 h 5 min'],
  [Number.NaN, '–'],
])('duration %s', (ms, words) => {
  expect(format.duration(ms)).toBe(words);
});

it.each([
  [252_000, '4:12'],
  [999, '0:01'],
  [-5, '0:00'],
  [3_729_000, '1:02:09'],
])('time left %s', (ms, words) => {
  expect(format.left(ms)).toBe(words);
});

it.each([
  [0, '0 B'],
  [1536, '1.5 KB'],
  [20_971_520, '20 MB'],
])('size %s', (size, words) => {
  expect(format.bytes(size)).toBe(words);
});

it('ago is one unit', () => {
  expect([1000, 48_000, 300_000, 10_800_000, 259_200_000].map((age) => format.ago(0, age))).toEqual([
    'just now',
    '48 s ago',
    '5 min ago',
    '3 h ago',
    '3 days ago',
  ]);
});

it('an impossible instant is said so', () => {
  expect(format.instant(Number.NaN)).toBe('unknown time');
  expect(format.exact(1e20)).toBe('unknown time');
});
