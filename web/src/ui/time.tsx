// Time: an instant in the person's zone, with the exact instant on hover.
import { format } from './format';

export interface TimeProps {
  at: number;
  /** `auto`: the time today, else the day and the time. */
  show?: 'auto' | 'time' | 'seconds' | 'full';
  class?: string;
}

export function Time({ at, show = 'auto', class: className }: TimeProps) {
  return (
    <time class={className ? `num ${className}` : 'num'} dateTime={format.iso(at)} title={format.exact(at)}>
      {format.instant(at, show)}
    </time>
  );
}
