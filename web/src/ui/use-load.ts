// Loads something from the server while a component is mounted: what was there stays visible while it is loaded again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Load<Data> {
  /** The newest answer; absent until the first one. */
  data?: Data;
  /** Why the newest attempt failed; absent after a success. */
  error?: unknown;
  loading: boolean;
  reload: () => void;
  /** Changes the data at hand, for example after an action. */
  change: (edit: (data: Data) => Data) => void;
}

interface State<Data> {
  key: string;
  data?: Data;
  error?: unknown;
  loading: boolean;
}

/** Loads again when `key` changes; the data of another key is never shown. */
export function useLoad<Data>(key: string, load: (signal: AbortSignal) => Promise<Data>): Load<Data> {
  const [state, setState] = useState<State<Data>>({ key, loading: true });
  const running = useRef<AbortController | null>(null);
  const latest = useRef(load);
  latest.current = load;

  const reload = useCallback(() => {
    running.current?.abort();
    const attempt = new AbortController();
    running.current = attempt;
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }));
    latest.current(attempt.signal).then(
      (data) => {
        if (!attempt.signal.aborted) setState({ key, data, loading: false });
      },
      (error: unknown) => {
        if (!attempt.signal.aborted) setState((before) => ({ ...before, key, error, loading: false }));
      },
    );
  }, [key]);

  useEffect(() => {
    reload();
    return () => running.current?.abort();
  }, [reload]);

  const change = useCallback((edit: (data: Data) => Data) => {
    setState((before) => (before.data === undefined ? before : { ...before, data: edit(before.data) }));
  }, []);

  const current = state.key === key ? state : { loading: true };
  return { ...current, reload, change };
}
