// The one event stream of the page: its connection state, the number of open confirmations, and a subscription by type.
import { effect, signal } from '@preact/signals';
import type { ConnectionState, ServerEvent, ServerEventType } from '@aileron/client';
import { aileron } from '../api';
import { clockOffset, me, refreshServer, session } from './session';
import { throttled } from './throttle';
import { tabEvents, type TabSubscription } from './tab-events';

type EventOf<Type extends ServerEventType> = Extract<ServerEvent, { type: Type }>;
type Listener = (event: ServerEvent) => void;

const COUNT_INTERVAL_MS = 30;

export const connection = signal<ConnectionState>({ is: 'connecting' });

/** The stream has been open before, so that connecting is reconnecting. */
export const wasConnected = signal(false);

/** Confirmations that wait for an answer, as the header's badge shows them. */
export const openConfirmations = signal(0);

const listeners = new Map<ServerEventType, Set<Listener>>();
let stream: TabSubscription | undefined;
/** The connection was lost since the last event: another process, with another page or registry, may answer now. */
let interrupted = false;

/** Calls `listener` for every event of a type until the returned function is called. `reset` asks to load again. */
export function subscribe<Type extends ServerEventType>(type: Type, listener: (event: EventOf<Type>) => void): () => void {
  const known = listeners.get(type) ?? new Set<Listener>();
  listeners.set(type, known);
  known.add(listener as Listener);
  return () => known.delete(listener as Listener);
}

/** Connects while a session is open. Called once. */
export function startLive(): void {
  effect(() => {
    const open = session.value.is === 'open';
    if (open && !stream) {
      const { user = null, role = 'person' } = me.peek() ?? {};
      stream = tabEvents(aileron, {
        name: `${user ?? 'local'} ${role}`,
        onEvent: deliver,
        onState: (state) => {
          connection.value = state;
          interrupted ||= state.is === 'waiting';
          if (state.is === 'open') countConfirmations();
        },
      });
    } else if (!open && stream) {
      stream.close();
      stream = undefined;
    }
  });
}

/** Connects at once instead of waiting for the next attempt. */
export function reconnect(): void {
  stream?.retry();
}

function deliver(event: ServerEvent): void {
  if (interrupted) {
    interrupted = false;
    void refreshServer();
  }
  note(event);
  for (const listener of listeners.get(event.type) ?? []) listener(event);
}

function note(event: ServerEvent): void {
  switch (event.type) {
    case 'hello':
      wasConnected.value = true;
      clockOffset.value = event.now - Date.now();
      break;
    case 'reset':
    case 'confirmation_requested':
    case 'confirmation_closed':
      countConfirmations();
      break;
    case 'registry_loaded':
      void refreshServer();
      break;
    case 'blocked':
      if (isMe(event.user)) me.value = me.value && { ...me.value, blockedUntil: event.until };
      break;
    case 'unblocked':
      if (isMe(event.user)) me.value = me.value && { ...me.value, blockedUntil: undefined };
      break;
    default:
  }
}

/** Without sign-in the one person is called `local` in blocks. */
function isMe(user: string): boolean {
  return user === (me.value?.user ?? 'local');
}

const { ask: countConfirmations } = throttled(count, COUNT_INTERVAL_MS);

async function count(): Promise<void> {
  // A stream that was lost counts when it is open again.
  if (connection.peek().is !== 'open') return;
  try {
    openConfirmations.value = (await aileron.confirmations({ state: 'open', limit: 1 })).open;
  } catch {
    // The count stays as it was; the next event asks again.
  }
}
