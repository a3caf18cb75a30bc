// The records of a filter, page by page: earlier ones are loaded as the person scrolls, newer ones when they ask for them.
import type { AuditFilter, AuditRecord } from '@aileron/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { aileron } from '../../../api';
import { subscribe } from '../../../app/live';

const PAGE = 200;

interface State {
  records: readonly AuditRecord[];
  /** The cursor of the next page; absent at the end of the log. */
  before?: number;
  error?: unknown;
  ready: boolean;
}

export interface RecordsList extends State {
  /** Calls that were answered since the list was loaded. */
  newer: number;
  more: () => void;
  reload: () => void;
}

export function useRecords(filter: AuditFilter): RecordsList {
  const [state, setState] = useState<State>({ records: [], ready: false });
  const [newer, setNewer] = useState(0);
  const running = useRef<AbortController | null>(null);
  const key = JSON.stringify(filter);

  const load = useCallback(
    async (before: number | undefined) => {
      running.current?.abort();
      const attempt = new AbortController();
      running.current = attempt;
      try {
        const page = await aileron.audit(
          { ...filter, limit: PAGE, ...(before === undefined ? {} : { before }) },
          { signal: attempt.signal },
        );
        if (attempt.signal.aborted) return;
        running.current = null;
        setState((known) => ({
          ready: true,
          before: page.before,
          records: before === undefined ? page.records : [...known.records, ...page.records],
        }));
      } catch (error) {
        if (attempt.signal.aborted) return;
        running.current = null;
        setState((known) => ({ ...known, error, ready: true }));
      }
    },
    [key],
  );

  const reload = useCallback(() => {
    setNewer(0);
    void load(undefined);
  }, [load]);

  useEffect(() => {
    setState({ records: [], ready: false });
    reload();
    return () => running.current?.abort();
  }, [reload]);

  useEffect(() => subscribe('call_answered', () => setNewer((count) => count + 1)), []);

  const { before, error } = state;
  const more = useCallback(() => {
    if (before !== undefined && error === undefined && running.current === null) void load(before);
  }, [before, error, load]);

  return { ...state, newer, more, reload };
}
