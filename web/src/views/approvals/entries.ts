// The list of confirmations as the person sees it: entries keep their place when they are answered, so that no button
// moves under the pointer.
import type { Confirmation } from '@aileron/client';

export interface Entry {
  confirmation: Confirmation;
  /** `sending`: our answer is on its way. `closed`: answered here or elsewhere, expired, or superseded. */
  state: 'open' | 'sending' | 'closed';
  /** How it was closed, in words. */
  outcome?: string;
  /** Why our answer was not accepted. */
  error?: unknown;
}

const CLOSED: Record<string, string> = {
  approved: 'Approved',
  declined: 'Declined',
  expired: 'Expired without an answer',
  superseded: 'Superseded by a newer confirmation, or retracted',
};

const CHANNELS: Record<string, string> = {
  click: 'by a click',
  speech: 'by speech',
  http: 'over HTTP',
  text: 'in the text of a message',
  timeout: 'by timeout',
  replaced: 'by a newer confirmation',
  end: 'by the end of the conversation',
};

/** How a confirmation was decided, as a few words. */
export function channelWords(channel: string | undefined): string {
  return channel === undefined ? '' : (CHANNELS[channel] ?? `by ${channel}`);
}

/** Whether the person decided, not the clock, a newer confirmation or the end of the conversation. */
export function isOfPerson(channel: string | undefined): boolean {
  return channel !== 'timeout' && channel !== 'replaced' && channel !== 'end';
}

/** How an open confirmation was closed, as a sentence without a full stop. */
export function closedWords(how: string, channel?: string): string {
  const words = CLOSED[how] ?? 'Closed';
  const by = how === 'approved' || how === 'declined' ? channelWords(channel) : '';
  return by === '' ? words : `${words} ${by}`;
}

/** The result of an approved call, in words without a full stop. A missing result is reported as missing, never guessed. */
export function ledWords({ state, led }: Pick<Confirmation, 'state' | 'led'>): string {
  if (state !== 'approved') return 'no call';
  if (!led) return 'running or not kept';
  if (led.outcomeUnknown) return 'outcome unknown: it may have taken effect';
  return led.ok ? 'succeeded' : `failed${led.error ? `: ${led.error}` : ''}`;
}

/** The decision that stands, as one sentence without a full stop. */
export function decidedWords(confirmation: Confirmation): string {
  const words = closedWords(confirmation.state, confirmation.decision?.channel);
  return confirmation.state === 'approved' ? `${words}; the call: ${ledWords(confirmation)}` : words;
}

const MEANWHILE = 'Closed meanwhile';

/** Entries of which only is known that they are no longer open. */
export function closedMeanwhile(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ state, outcome }) => state === 'closed' && outcome === MEANWHILE);
}

/** Puts in the decisions that stand where only the end was known. */
export function withDecided(entries: readonly Entry[], decided: readonly Confirmation[]): Entry[] {
  const known = new Map(decided.map((confirmation) => [confirmation.id, confirmation]));
  const unknown = new Set(closedMeanwhile(entries));
  return entries.map((entry) => {
    const stands = unknown.has(entry) ? known.get(entry.confirmation.id) : undefined;
    return stands === undefined ? entry : { ...entry, outcome: decidedWords(stands), error: undefined };
  });
}

/** The entries after the server's list was loaded: known ones keep their place, new ones follow in the server's order. */
export function mergeOpen(entries: readonly Entry[], open: readonly Confirmation[]): Entry[] {
  const listed = new Map(open.map((confirmation) => [confirmation.id, confirmation]));
  const kept = entries.map((entry): Entry => {
    const confirmation = listed.get(entry.confirmation.id);
    if (confirmation !== undefined) return entry.state === 'closed' ? entry : { ...entry, confirmation };
    return entry.state === 'open' ? { ...entry, state: 'closed', outcome: MEANWHILE } : entry;
  });
  const known = new Set(entries.map((entry) => entry.confirmation.id));
  const added = open.filter((confirmation) => !known.has(confirmation.id));
  return [...kept, ...added.map((confirmation): Entry => ({ confirmation, state: 'open' }))];
}

export function update(entries: readonly Entry[], id: string, change: Partial<Entry>): Entry[] {
  return entries.map((entry) => (entry.confirmation.id === id ? { ...entry, ...change } : entry));
}

/** Whether this entry can be answered here and now. */
export function isAnswerable(entry: Entry | undefined, now: number): entry is Entry {
  return entry !== undefined && entry.state === 'open' && entry.confirmation.token !== undefined && entry.confirmation.expires > now;
}

/** The id of the entry so many places further, within the list. */
export function step(entries: readonly Entry[], current: string | undefined, by: number): string | undefined {
  const at = entries.findIndex((entry) => entry.confirmation.id === current);
  if (at === -1) return entries[0]?.confirmation.id;
  return entries[Math.min(entries.length - 1, Math.max(0, at + by))]?.confirmation.id;
}

/** The next open entry after this one, else the first open one, else this one. */
export function nextOpen(entries: readonly Entry[], current: string | undefined): string | undefined {
  const at = entries.findIndex((entry) => entry.confirmation.id === current);
  const open = (entry: Entry) => entry.state === 'open';
  const next = entries.slice(at + 1).find(open) ?? entries.find(open);
  return next?.confirmation.id ?? current;
}
