// Which turn each message of a thread belongs to.
import type { UIMessage } from '@aileron/client';

/**
 * The turn of each message, by its id. Stored messages say it themselves; a message that was sent from here has the number
 * that was expected or reported for it, and an answer has the turn of the message before it.
 */
export function turnsOf(messages: readonly UIMessage[], sent: ReadonlyMap<string, number>): Map<string, number> {
  const turns = new Map<string, number>();
  let current: number | undefined;
  for (const message of messages) {
    current = message.metadata?.turn ?? sent.get(message.id) ?? (message.role === 'user' ? undefined : current);
    if (current !== undefined) turns.set(message.id, current);
  }
  return turns;
}

/** The highest turn that any message is known to have. */
export function lastTurn(messages: readonly UIMessage[], sent: ReadonlyMap<string, number>, known: number): number {
  let last = known;
  for (const message of messages) last = Math.max(last, message.metadata?.turn ?? sent.get(message.id) ?? 0);
  return last;
}

/** In a voice session every message of the person begins the next turn. The history has the exact numbers afterwards. */
export function withVoiceTurns(spoken: readonly UIMessage[], before: number, sent: ReadonlyMap<string, number>): Map<string, number> {
  const turns = new Map(sent);
  let turn = before;
  for (const message of spoken) if (message.role === 'user') turns.set(message.id, (turn += 1));
  return turns;
}
