// The series of the last hour, loaded again every five seconds while the page is visible.
import type { Series } from '@aileron/client';
import { useEffect, useState } from 'preact/hooks';
import { aileron } from '../../api';

const EVERY_MS = 5000;
const MINUTES = 60;

export interface SeriesState {
  series?: Series;
  /** Why the newest attempt failed; the series before it stays. */
  error?: unknown;
}

export function useSeries(): SeriesState & { reload: () => void } {
  const [state, setState] = useState<SeriesState>({});
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function load() {
      try {
        const series = await aileron.series({ minutes: MINUTES }, { signal: ended.signal });
        setState({ series });
      } catch (error) {
        if (!ended.signal.aborted) setState((before) => ({ ...before, error }));
      }
      if (!ended.signal.aborted && document.visibilityState === 'visible') timer = setTimeout(load, EVERY_MS);
    }

    function onVisibility() {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') void load();
    }

    void load();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [attempt]);

  return { ...state, reload: () => setAttempt((count) => count + 1) };
}
