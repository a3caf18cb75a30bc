// Rates, shares and percentiles as the figures show them; instants, durations and sizes are those of ui/format.
import { format } from '../ui/format';

/** Shown where there is no value. */
export const NONE = '–';

const ONE_DIGIT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const TWO_DIGITS = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A rate or another small number: more digits the smaller it is. */
export function decimal(value: number | null): string {
  if (value === null) return NONE;
  const size = Math.abs(value);
  if (size >= 100) return WHOLE.format(value);
  return size >= 10 ? ONE_DIGIT.format(value) : TWO_DIGITS.format(value);
}

/** A large number with its scale, for axes and tiles: 12.4k, 3.4M. */
export function compact(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${ONE_DIGIT.format(value / 1e9)}G`;
  if (size >= 1e6) return `${ONE_DIGIT.format(value / 1e6)}M`;
  if (size >= 1e4) return `${ONE_DIGIT.format(value / 1e3)}k`;
  return size >= 100 ? WHOLE.format(value) : TWO_DIGITS.format(value);
}

/** A share as a percentage. A share below one never reads as 100 %, and one above zero never as 0 %. */
export function share(part: number, all: number): string {
  if (all <= 0) return NONE;
  const percent = (part / all) * 100;
  if (percent > 99.9 && percent < 100) return '99.9 %';
  if (percent > 0 && percent < 0.1) return '0.1 %';
  return `${ONE_DIGIT.format(percent)} %`;
}

/** A percentile of durations, which is absent when there were no calls. */
export function percentile(ms: number | null): string {
  if (ms === null) return NONE;
  return ms > 0 && ms < 10 ? `${ONE_DIGIT.format(ms)} ms` : format.duration(ms);
}
