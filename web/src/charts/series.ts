// Arithmetic on the series of GET /v1/series: sums, rates, peaks and fewer points for narrow charts.

export type Values = readonly (number | null)[];

/** The sum of several series, point by point. */
export function sum(...series: Values[]): number[] {
  const points = Math.max(0, ...series.map((values) => values.length));
  return Array.from({ length: points }, (_, index) => series.reduce((all, values) => all + (values[index] ?? 0), 0));
}

export function total(values: Values): number {
  return values.reduce<number>((all, value) => all + (value ?? 0), 0);
}

/** Counts per step as a rate per second. */
export function perSecond(values: Values, stepMs: number): (number | null)[] {
  return values.map((value) => (value === null ? null : (value * 1000) / stepMs));
}

/** The last value that is one. */
export function last(values: Values): number | null {
  for (let index = values.length - 1; index >= 0; index -= 1) {
    const value = values[index];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

/** The greatest value and where it is; the latest of equals. */
export function peak(values: Values): { value: number; index: number } | null {
  let best: { value: number; index: number } | null = null;
  values.forEach((value, index) => {
    if (value !== null && (best === null || value >= best.value)) best = { value, index };
  });
  return best;
}

/** The mean of the values that are ones, or `null`. */
export function mean(values: Values): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : total(present) / present.length;
}

export type Reduce = 'mean' | 'max' | 'sum';

/** At most `max` points: each is the mean, the greatest or the sum of a stretch of equal length. */
export function downsample(values: Values, max: number, reduce: Reduce): (number | null)[] {
  const width = stretch(values.length, max);
  const reduced: (number | null)[] = [];
  for (let from = 0; from < values.length; from += width) {
    const part = values.slice(from, from + width).filter((value) => value !== null);
    if (part.length === 0) reduced.push(null);
    else if (reduce === 'max') reduced.push(Math.max(...part));
    else reduced.push(reduce === 'sum' ? total(part) : total(part) / part.length);
  }
  return reduced;
}

/** The number of points that become one. */
export function stretch(points: number, max: number): number {
  return Math.max(1, Math.ceil(points / Math.max(1, max)));
}

/** The beginning of each point, in seconds as uPlot wants them. */
export function times(fromMs: number, stepMs: number, points: number, width = 1): number[] {
  const count = Math.ceil(points / width);
  return Array.from({ length: count }, (_, index) => (fromMs + index * width * stepMs) / 1000);
}

/** The span of one point, for the filter of the calls behind it. */
export function spanOf(fromMs: number, stepMs: number, index: number, width = 1): { since: number; until: number } {
  const since = fromMs + index * width * stepMs;
  return { since, until: since + width * stepMs };
}

/** The widths of bars from 0 to 100; a value above zero is always visible. */
export function barWidths(values: readonly number[]): number[] {
  const most = Math.max(0, ...values);
  return values.map((value) => (most === 0 || value <= 0 ? 0 : Math.max(1, (value / most) * 100)));
}
