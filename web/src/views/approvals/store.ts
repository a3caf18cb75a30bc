// The state of the view Approvals: open confirmations, live through the event stream, and the answers to them.
import { signal } from '@preact/signals';
import { AileronError } from '@aileron/client';
import { aileron } from '../../api';
import { subscribe } from '../../app/live';
import { clockOffset } from '../../app/session';
import { throttled } from '../../app/throttle';
import { closedMeanwhile, closedWords, type Entry, isAnswerable, mergeOpen, nextOpen, update, withDecided } from './entries';

const RELOAD_INTERVAL_MS = 30;
const OPEN_LIMIT = 200;
/** An answer by key so soon after another one is taken for a key that bounced or was held. */
const MIN_GAP_MS = 600;

export const entries = signal<readonly Entry[]>([]);
export const current = signal<string | undefined>(undefined);
export const openState = signal<{ is: 'loading' } | { is: 'ready' } | { is: 'failed'; error: unknown }>({ is: 'loading' });
/** Counts decisions, so that the list of decided confirmations loads again. */
export const decisions = signal(0);
/** Said to screen readers. */
export const announcement = signal('');

let answeredAt = -MIN_GAP_MS;

export async function loadOpen(): Promise<void> {
  try {
    const { confirmations } = await aileron.confirmations({ state: 'open', limit: OPEN_LIMIT });
    entries.value = mergeOpen(entries.peek(), confirmations);
    openState.value = { is: 'ready' };
    if (!entries.peek().some((entry) => entry.confirmation.id === current.peek())) current.value = nextOpen(entries.peek(), undefined);
    await loadDecisions();
  } catch (error) {
    if (openState.peek().is !== 'ready') openState.value = { is: 'failed', error };
  }
}

/** Finds out how entries were closed that are no longer listed as open, for example while the connection was lost. */
async function loadDecisions(): Promise<void> {
  if (closedMeanwhile(entries.peek()).length === 0) return;
  const { confirmations } = await aileron.confirmations({ state: 'decided', limit: OPEN_LIMIT });
  entries.value = withDecided(entries.peek(), confirmations);
  decisions.value += 1;
}

/** Follows the event stream until the returned function is called, and forgets what was closed. */
export function openStore(): () => void {
  entries.value = entries.peek().filter((entry) => entry.state !== 'closed');
  void loadOpen();
  const ends = [
    subscribe('confirmation_requested', (event) => {
      announcement.value = `New confirmation: ${event.toolId}`;
      reload.ask();
    }),
    subscribe('confirmation_closed', (event) => {
      const known = entries.peek().find((entry) => entry.confirmation.id === event.id);
      if (known?.state === 'open') {
        entries.value = update(entries.peek(), event.id, { state: 'closed', outcome: closedWords(event.how, event.channel) });
      }
      decisions.value += 1;
      reload.ask();
    }),
    subscribe('reset', reload.ask),
    subscribe('hello', reload.ask),
  ];
  return () => {
    reload.cancel();
    for (const end of ends) end();
  };
}

const reload = throttled(loadOpen, RELOAD_INTERVAL_MS);

/** Sends an answer once. By key, an answer right after another one is ignored. */
export async function answer(id: string, approve: boolean, by: 'key' | 'pointer'): Promise<void> {
  const entry = entries.peek().find((known) => known.confirmation.id === id);
  if (!isAnswerable(entry, Date.now() + clockOffset.peek())) return;
  if (by === 'key' && performance.now() - answeredAt < MIN_GAP_MS) return;
  answeredAt = performance.now();
  const { conversationId, token = '', toolId } = entry.confirmation;
  entries.value = update(entries.peek(), id, { state: 'sending', error: undefined });
  try {
    const decision = await aileron.answerConfirmation({ conversationId, token }, approve);
    const outcome = 'answers' in decision ? answeredWords(decision.is, decision.answers[0]?.response) : closedWords(decision.is);
    close(id, outcome);
    announcement.value = `${outcome}: ${toolId}`;
    if (current.peek() === id) current.value = nextOpen(entries.peek(), id);
  } catch (error) {
    const decided = error instanceof AileronError && error.code === 'ALREADY_DECIDED' ? error.details.decision : undefined;
    if (typeof decided === 'string') close(id, `${closedWords(decided)} elsewhere`);
    else {
      entries.value = update(entries.peek(), id, { state: 'open', error });
      reload.ask();
    }
  }
}

function answeredWords(is: string, response: { ok: boolean; error?: { message: string } } | undefined): string {
  const words = closedWords(is);
  if (is !== 'approved' || response === undefined) return words;
  return response.ok ? `${words}, and the call succeeded` : `${words}, but the call failed: ${response.error?.message ?? 'unknown reason'}`;
}

function close(id: string, outcome: string): void {
  entries.value = update(entries.peek(), id, { state: 'closed', outcome, error: undefined });
  decisions.value += 1;
}

export function hideClosed(): void {
  entries.value = entries.peek().filter((entry) => entry.state !== 'closed');
  current.value = nextOpen(entries.peek(), current.peek());
}
