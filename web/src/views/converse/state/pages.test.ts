// Pages of the history become the same messages as the whole history at once.
import { type MessageEntry, toUIMessages } from '@aileron/client';
import { expect, it } from 'vitest';
import { EMPTY_THREAD, withNewer, withOlder } from './pages';

const meta = { toolId: 't', registryVersion: '1', responseSchemaVersion: '1', callId: '' };

/** Turns of four entries: a question, a call, its result, an answer. */
function entries(turns: number): MessageEntry[] {
  return Array.from({ length: turns }, (_, at): MessageEntry[] => {
    const number = at * 4 + 1;
    const turn = at + 1;
    const callId = `call-${turn}`;
    return [
      { number, time: 0, turn, from: 'person', text: `question ${turn}` },
      { number: number + 1, time: 0, turn, from: 'model', text: '', calls: [{ callId, toolId: 't', args: {} }] },
      {
        number: number + 2,
        time: 0,
        turn,
        from: 'tools',
        answers: [{ callId, response: { ok: true, data: turn, meta: { ...meta, callId } } }],
      },
      { number: number + 3, time: 0, turn, from: 'model', text: `answer ${turn}` },
    ];
  }).flat();
}

it.each([1, 2, 3, 5, 7, 40])('pages of %i entries, from the end to the beginning', (size) => {
  const all = entries(10);
  let thread = withNewer(EMPTY_THREAD, all.slice(-size));
  for (let end = all.length - size; end > 0; end -= size) thread = withOlder(thread, all.slice(Math.max(0, end - size), end));
  expect(thread.messages).toEqual(toUIMessages(all));
});

it.each([1, 4, 6, 9])('a newer page of %i entries is added, and messages before it keep their identity', (size) => {
  const all = entries(30);
  const before = withNewer(EMPTY_THREAD, all.slice(0, -4));
  const after = withNewer(before, all.slice(-size));
  if (size >= 4) expect(after.messages).toEqual(toUIMessages(all));
  expect(after.messages[0]).toBe(before.messages[0]);
});

it('retracted messages are gone, whichever page they come with', () => {
  const all: MessageEntry[] = [
    ...entries(2),
    { number: 9, time: 0, turn: 2, from: 'retracted', since: 5 },
    { number: 10, time: 0, turn: 3, from: 'person', text: 'again' },
  ];
  const whole = toUIMessages(all);
  expect(withOlder(withNewer(EMPTY_THREAD, all.slice(-2)), all.slice(0, -2)).messages).toEqual(whole);
  expect(withNewer(withNewer(EMPTY_THREAD, all.slice(0, -2)), all.slice(-2)).messages).toEqual(whole);
});
