// Says how far a moment lies ahead or back, in the largest unit that fits.
import { DAY, HOUR, MINUTE } from '../_lib/datetime.js';

const UNITS = [
  ['year', 365.25 * DAY],
  ['month', 30.4375 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

export function relativeText(difference) {
  const distance = Math.abs(difference);
  const unit = UNITS.find(([, length]) => distance >= length);
  if (!unit) return 'now';
  const amount = Math.floor(distance / unit[1]);
  const words = `${amount} ${unit[0]}${amount === 1 ? '' : 's'}`;
  return difference > 0 ? `in ${words}` : `${words} ago`;
}
