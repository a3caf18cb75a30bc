// Runs a task at once when it is asked for, one run after the other, and at most once in each interval: the first event of a burst is
// on screen without delay, the others soon after, and an earlier answer of the server never replaces a later one.

/** A run that takes longer, for example because the connection is dead, does not hold up the next one. */
const STUCK_MS = 5000;

/** The returned function asks for a run; `cancel` forgets one that waits. A run of a promise lasts until it is settled. */
export function throttled(task: () => unknown, intervalMs: number): { ask: () => void; cancel: () => void } {
  let ranAt = -Infinity;
  let running: unknown;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;

  function run() {
    timer = undefined;
    asked = false;
    ranAt = performance.now();
    const result = task();
    if (!(result instanceof Promise)) return;
    running = result;
    const end = () => {
      clearTimeout(stuck);
      if (running !== result) return;
      running = undefined;
      if (asked) ask();
    };
    const stuck = setTimeout(end, STUCK_MS);
    result.then(end, end);
  }

  function ask() {
    asked = true;
    if (timer !== undefined || running !== undefined) return;
    const wait = ranAt + intervalMs - performance.now();
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  }

  function cancel() {
    clearTimeout(timer);
    timer = undefined;
    asked = false;
  }

  return { ask, cancel };
}
