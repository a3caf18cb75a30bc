// Loads one turn and keeps it up to date while it runs.
import { useEffect, useState } from 'preact/hooks';
import type { ServerEvent, TurnRecord } from '@aileron/client';
import { aileron } from '../../api';
import { subscribe } from '../../app/live';
import { throttled } from '../../app/throttle';

export type TurnLoad = { is: 'loading' } | { is: 'ready'; turn: TurnRecord } | { is: 'failed'; error: unknown };

const INTERVAL_MS = 30;
const FOLLOWED = [
  'turn_began',
  'turn_ended',
  'model_began',
  'model_ended',
  'call_decided',
  'call_started',
  'call_answered',
  'confirmation_requested',
  'confirmation_closed',
  'reset',
] as const;

export function useTurn(conversationId: string, turn: number): [TurnLoad, () => void] {
  const [state, setState] = useState<TurnLoad>({ is: 'loading' });
  const [again, setAgain] = useState(0);

  useEffect(() => {
    const stop = new AbortController();
    setState((before) => (before.is === 'ready' && before.turn.turn === turn ? before : { is: 'loading' }));
    const load = () =>
      aileron.turn(conversationId, turn, { signal: stop.signal }).then(
        (record) => setState({ is: 'ready', turn: record }),
        (error: unknown) => !stop.signal.aborted && setState((before) => (before.is === 'ready' ? before : { is: 'failed', error })),
      );
    const reload = throttled(load, INTERVAL_MS);
    const follow = (event: ServerEvent) => {
      if (event.type !== 'reset' && event.conversationId !== conversationId) return;
      reload.ask();
    };
    const stops = FOLLOWED.map((type) => subscribe(type, follow));
    void load();
    return () => {
      stop.abort();
      reload.cancel();
      stops.forEach((end) => end());
    };
  }, [conversationId, turn, again]);

  return [state, () => setAgain(again + 1)];
}
