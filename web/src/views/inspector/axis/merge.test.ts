// A call that was approved is one call: asked, waited, run.
import type { CallRecord, Confirmation, TurnRecord } from '@aileron/client';
import { expect, it } from 'vitest';
import { layoutTurn } from './layout';
import { mergeConfirmed } from './merge';

const call = (callId: string, rest: Partial<CallRecord> = {}): CallRecord => ({
  callId,
  toolId: 'create',
  registryVersion: '1',
  argsSent: { a: 1 },
  trail: [],
  ...rest,
});
const confirmation = {
  id: 'abc',
  askedAt: 100,
  expires: 9000,
  state: 'approved',
  decision: { at: 400, by: null, channel: 'click' },
} as Confirmation;
const turn: TurnRecord = {
  turn: 1,
  mode: 'text',
  startedAt: 0,
  endedAt: 600,
  source: 'live',
  messages: [],
  calls: [
    call('first', { confirmation, outcome: 'refused:confirmation', trail: [{ policy: 'confirmation', result: 'asked' }] }),
    call('confirmed-abc', { argsSent: undefined, startedAt: 410, finishedAt: 500, outcome: 'completed' }),
  ],
  spans: [{ kind: 'working', callId: 'confirmed-abc', from: 410, to: 500 }],
};

it('joins the outcome of the run with the decisions of the asking call', () => {
  const merged = mergeConfirmed(turn);
  expect(merged.calls).toHaveLength(1);
  expect(merged.calls[0]).toMatchObject({
    callId: 'first',
    outcome: 'completed',
    argsSent: { a: 1 },
    trail: [{ policy: 'confirmation', result: 'asked' }],
  });
});

it('is drawn as one row: waited, then worked', () => {
  expect(layoutTurn(mergeConfirmed(turn), 0).rows.map((row) => row.bars.map((bar) => bar.kind))).toEqual([['waitingForPerson', 'working']]);
});

it('a confirmed call whose question is not known stays as it is', () => {
  const alone = { ...turn, calls: [call('confirmed-xyz')] };
  expect(mergeConfirmed(alone)).toBe(alone);
});
