// One shared second hand: a signal of the present time that ticks only while something shows it.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const ticking = signal(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The present time in milliseconds, renewed every half second while the component is mounted. */
export function useNow(active = true): number {
  useEffect(() => {
    if (!active) return;
    users += 1;
    ticking.value = Date.now();
    timer ??= setInterval(() => (ticking.value = Date.now()), 500);
    return () => {
      users -= 1;
      if (users === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    };
  }, [active]);
  return active ? Math.max(ticking.value, Date.now() - 500) : Date.now();
}
