// Duration: how long something took, in the unit that reads best, with milliseconds on hover.
import { format } from './format';

export interface DurationProps {
  ms: number;
  /** The time it was allowed to take; above it the value is marked. */
  budget?: number;
}

export function Duration({ ms, budget }: DurationProps) {
  const over = budget !== undefined && ms > budget;
  const title = budget === undefined ? `${format.count(ms)} ms` : `${format.count(ms)} ms of ${format.count(budget)} ms`;
  return (
    <span class={over ? 'num over-budget' : 'num'} title={title}>
      {format.duration(ms)}
      {over ? <span class="hidden-text"> over its budget</span> : null}
    </span>
  );
}
