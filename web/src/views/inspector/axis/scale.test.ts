// The time scale: linear, shortened where only the person is waited for, and its marks.
import { describe, expect, it } from 'vitest';
import { labelled, quietStretches, roundStep, ticks, timeScale } from './scale';

describe('scale', () => {
  it('is linear without long waits', () => {
    const scale = timeScale({ from: 0, to: 1000 }, [{ from: 0, to: 900 }]);
    expect([0, 250, 1000].map(scale.at)).toEqual([0, 0.25, 1]);
    expect(scale.breaks).toEqual([]);
  });

  it('shortens a wait that dominates, and nothing else', () => {
    const scale = timeScale({ from: 0, to: 61_000 }, [
      { from: 0, to: 500 },
      { from: 60_500, to: 61_000 },
    ]);
    expect(scale.breaks).toEqual([{ from: 500, to: 60_500 }]);
    expect(scale.at(500)).toBeCloseTo(0.39);
    expect(scale.at(60_500)).toBeCloseTo(0.61);
    expect(scale.at(61_000)).toBeCloseTo(1);
  });

  it('stays between 0 and 1 and in order for any instant', () => {
    const scale = timeScale({ from: 100, to: 90_100 }, [
      { from: 100, to: 300 },
      { from: 40_000, to: 40_100 },
    ]);
    const places = [-5, 100, 200, 300, 20_000, 40_000, 40_100, 90_100, 99_999].map(scale.at);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeCloseTo(1);
  });

  it('a turn without length has a scale', () => {
    expect(timeScale({ from: 5, to: 5 }, []).at(5)).toBe(0);
  });
});

it('quiet stretches are the gaps between active ones', () => {
  expect(
    quietStretches({ from: 0, to: 10 }, [
      { from: 6, to: 8 },
      { from: 1, to: 3 },
      { from: 2, to: 4 },
    ]),
  ).toEqual([
    { from: 0, to: 1 },
    { from: 4, to: 6 },
    { from: 8, to: 10 },
  ]);
});

it('marks are at round distances and not in a break', () => {
  expect(ticks(timeScale({ from: 0, to: 1840 }, [{ from: 0, to: 1840 }]))).toEqual([500, 1000, 1500]);
  expect(ticks(timeScale({ from: 0, to: 60_400 }, [{ from: 0, to: 400 }]))).toEqual([100, 200, 300]);
  expect([3, 7, 0.2, 120].map(roundStep)).toEqual([5, 10, 1, 200]);
});

it('labels that would overlap are left out', () => {
  const scale = timeScale({ from: 0, to: 1000 }, [{ from: 0, to: 1000 }]);
  expect(labelled(scale, [100, 200, 300, 600, 700])).toEqual([100, 300, 600]);
});
