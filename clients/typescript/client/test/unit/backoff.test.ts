// The waiting times between attempts.

import { expect, test } from "vitest";
import { Backoff } from "../../src/index.js";

test("steps double up to the limit and begin again after a success", () => {
  const backoff = new Backoff({ firstMs: 100, maxMs: 1000, random: () => 1 });
  expect([1, 2, 3, 4, 5, 6].map(() => backoff.next())).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(backoff.count).toBe(6);
  backoff.reset();
  expect(backoff.next()).toBe(100);
});

test("jitter takes away at most half of a step", () => {
  const backoff = new Backoff({ firstMs: 100, random: () => 0 });
  expect([backoff.next(), backoff.next()]).toEqual([50, 100]);
});
