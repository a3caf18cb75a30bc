// Stored entries as messages, converted piece by piece: a page that is added converts only itself and the turn it touches.
import { type MessageEntry, toUIMessages, type UIMessage } from '@aileron/client';

export interface StoredThread {
  entries: readonly MessageEntry[];
  messages: readonly UIMessage[];
}

export const EMPTY_THREAD: StoredThread = { entries: [], messages: [] };

/** How many entries before a newer page are converted again, because a late result belongs to an earlier call. */
const LATE = 20;

/** Puts an older page before what is known. */
export function withOlder(thread: StoredThread, page: readonly MessageEntry[]): StoredThread {
  const retracted = retractions(thread.entries);
  const older = page.filter((entry) => !retracted.some(({ since, number }) => entry.number >= since && entry.number < number));
  const touched = sameTurn(thread.entries, older.at(-1)?.turn);
  const converted = toUIMessages([...older, ...thread.entries.slice(0, touched)]);
  const rest = thread.messages.filter((message) => numberOf(message) >= (thread.entries[touched]?.number ?? Infinity));
  return { entries: [...older, ...thread.entries], messages: [...converted, ...rest] };
}

/** Adds the newest page, of which some entries may be known. */
export function withNewer(thread: StoredThread, page: readonly MessageEntry[]): StoredThread {
  const first = page[0]?.number ?? Infinity;
  const known = thread.entries.filter((entry) => entry.number < first);
  const entries = [...known, ...page];
  const since = retractions(page).reduce((least, retraction) => Math.min(least, retraction.since), Infinity);
  let from = Math.max(0, known.length - LATE);
  while (from > 0 && (entries[from]?.turn === entries[from - 1]?.turn || (entries[from]?.number ?? 0) > since)) from -= 1;
  const start = entries[from]?.number ?? 0;
  const before = thread.messages.filter((message) => numberOf(message) < start);
  return { entries, messages: [...before, ...toUIMessages(entries.slice(from))] };
}

function retractions(entries: readonly MessageEntry[]): { since: number; number: number }[] {
  return entries.flatMap((entry) => (entry.from === 'retracted' ? [{ since: entry.since, number: entry.number }] : []));
}

/** How many of the first entries belong to this turn. */
function sameTurn(entries: readonly MessageEntry[], turn: number | null | undefined): number {
  const end = entries.findIndex((entry) => entry.turn !== turn);
  return end < 0 ? entries.length : end;
}

function numberOf(message: UIMessage): number {
  return message.metadata?.number ?? 0;
}
