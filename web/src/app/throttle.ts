// Runs a task at once when it is asked for, and at most once in each interval: the first event is on screen without delay, and a
// burst of events leads to few requests.

/** The returned function asks for a run; `cancel` forgets one that waits. */
export function throttled(task: () => void, intervalMs: number): { ask: () => void; cancel: () => void } {
  let ranAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function run() {
    timer = undefined;
    ranAt = performance.now();
    task();
  }

  function ask() {
    if (timer !== undefined) return;
    const wait = ranAt + intervalMs - performance.now();
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  }

  function cancel() {
    clearTimeout(timer);
    timer = undefined;
  }

  return { ask, cancel };
}
