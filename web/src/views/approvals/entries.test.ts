// The list of confirmations: places that do not move, and moves within it.
import type { Confirmation } from '@aileron/client';
import { expect, test } from 'vitest';
import { closedMeanwhile, closedWords, type Entry, isAnswerable, ledWords, mergeOpen, nextOpen, step, update, withDecided } from './entries';

const confirmation = (id: string, more: Partial<Confirmation> = {}): Confirmation => ({
  id,
  conversationId: 'c',
  user: null,
  mine: true,
  callId: `call-${id}`,
  toolId: 'calendar_create_event',
  registryVersion: '1.0',
  turn: 1,
  args: {},
  preview: 'Create this event?',
  askedAt: 0,
  expires: 1000,
  state: 'open',
  token: `token-${id}`,
  ...more,
});
const open = (id: string): Entry => ({ confirmation: confirmation(id), state: 'open' });
const ids = (entries: readonly Entry[]) => entries.map((entry) => `${entry.confirmation.id} ${entry.state}`);

test('an answered entry keeps its place and a new one follows', () => {
  const answered = update([open('a'), open('b')], 'a', { state: 'closed', outcome: 'Approved' });
  expect(ids(mergeOpen(answered, [confirmation('b'), confirmation('c')]))).toEqual(['a closed', 'b open', 'c open']);
});

test('an entry that the server no longer lists was closed elsewhere, unless our answer is on its way', () => {
  const entries = [open('a'), { ...open('b'), state: 'sending' as const }];
  expect(ids(mergeOpen(entries, []))).toEqual(['a closed', 'b sending']);
});

test('a closed entry is not opened again by an older list', () => {
  expect(ids(mergeOpen([{ ...open('a'), state: 'closed' }], [confirmation('a')]))).toEqual(['a closed']);
});

test('an answer needs a token, time and a state that is open', () => {
  expect(isAnswerable(open('a'), 500)).toBe(true);
  expect(isAnswerable(open('a'), 1000)).toBe(false);
  expect(isAnswerable({ ...open('a'), state: 'sending' }, 500)).toBe(false);
  expect(isAnswerable({ confirmation: confirmation('a', { token: undefined }), state: 'open' }, 500)).toBe(false);
  expect(isAnswerable(undefined, 500)).toBe(false);
});

test('moving stays within the list, and after an answer the next open one is chosen', () => {
  const entries = [open('a'), { ...open('b'), state: 'closed' as const }, open('c')];
  expect([step(entries, 'a', 1), step(entries, 'c', 1), step(entries, 'a', -1), step(entries, undefined, 1)]).toEqual(['b', 'c', 'a', 'a']);
  expect([nextOpen(entries, 'a'), nextOpen(entries, 'c'), nextOpen([], 'x')]).toEqual(['c', 'a', 'x']);
});

test('closing is said in words', () => {
  expect(closedWords('approved', 'speech')).toBe('Approved by speech');
  expect(closedWords('expired', 'timeout')).toBe('Expired without an answer');
});

test('what an approved call led to is never guessed', () => {
  const led = { ok: false, outcomeUnknown: true };
  expect(ledWords(confirmation('a', { state: 'approved' }))).toBe('running or not kept');
  expect(ledWords(confirmation('a', { state: 'approved', led }))).toBe('outcome unknown: it may have taken effect');
  expect(ledWords(confirmation('a', { state: 'approved', led: { ...led, outcomeUnknown: false, error: 'TIMEOUT' } }))).toBe('failed: TIMEOUT');
  expect(ledWords(confirmation('a', { state: 'approved', led: { ok: true, outcomeUnknown: false } }))).toBe('succeeded');
  expect(ledWords(confirmation('a', { state: 'declined' }))).toBe('no call');
});

test('after a lost connection the decision that stands is shown', () => {
  const entries = mergeOpen([open('a'), open('b'), { ...open('c'), state: 'closed', outcome: 'Declined' }], []);
  expect(closedMeanwhile(entries)).toHaveLength(2);
  const led = { ok: false, outcomeUnknown: true };
  const decided = [
    confirmation('a', { state: 'approved', led, decision: { at: 1, by: null, channel: 'click' } }),
    confirmation('c', { state: 'approved' }),
  ];
  expect(withDecided(entries, decided).map(({ outcome }) => outcome)).toEqual([
    'Approved by a click; the call: outcome unknown: it may have taken effect',
    'Closed meanwhile',
    'Declined',
  ]);
});
