// One turn on one time axis: rows, bars, waiting told apart from working.
import type { CallRecord, Confirmation, Span, TurnRecord } from '@aileron/client';
import { describe, expect, it } from 'vitest';
import { layoutTurn, rowTimes } from './layout';

const call = (callId: string, rest: Partial<CallRecord> = {}): CallRecord => ({
  callId,
  toolId: `tool_${callId}`,
  registryVersion: '1',
  argsSent: {},
  trail: [],
  ...rest,
});
const turn = (spans: Span[], calls: CallRecord[] = [], rest: Partial<TurnRecord> = {}): TurnRecord => ({
  turn: 1,
  mode: 'text',
  startedAt: 0,
  endedAt: 1000,
  source: 'live',
  messages: [],
  calls,
  spans,
  ...rest,
});
const titles = (record: TurnRecord) => layoutTurn(record, 0).rows.map((row) => row.title);

describe('rows', () => {
  it('speech, model, calls in order, voice, connection; without empty rows', () => {
    const spans: Span[] = [
      { kind: 'reconnect', from: 900, to: 950 },
      { kind: 'modelSpeech', from: 500, to: 700 },
      { kind: 'cutOff', from: 700, to: 800 },
      { kind: 'personSpeech', from: 0, to: 100 },
      { kind: 'model', from: 100, to: 300 },
      { kind: 'working', callId: 'b', from: 300, to: 400 },
    ];
    expect(titles(turn(spans, [call('a'), call('b')]))).toEqual(['you', 'model', 'tool_a', 'tool_b', 'voice', 'connection']);
    expect(titles(turn([]))).toEqual([]);
  });

  it('waiting and working of a call are apart', () => {
    const spans: Span[] = [
      { kind: 'waitingForSlot', callId: 'a', from: 100, to: 150 },
      { kind: 'working', callId: 'a', from: 150, to: 350 },
      { kind: 'retry', callId: 'a', from: 350, to: 400 },
    ];
    const row = layoutTurn(turn(spans, [call('a')]), 0).rows[0];
    expect(row?.bars.map((bar) => [bar.kind, bar.left, bar.width])).toEqual([
      ['waitingForSlot', expect.closeTo(0.1), expect.closeTo(0.05)],
      ['working', expect.closeTo(0.15), expect.closeTo(0.2)],
      ['retry', expect.closeTo(0.35), expect.closeTo(0.05)],
    ]);
    expect(row && rowTimes(row)).toEqual({ working: 250, waiting: 50 });
  });

  it('a call inside of another one is marked', () => {
    expect(layoutTurn(turn([], [call('a'), call('b', { parentCallId: 'a' })]), 0).rows.map((row) => row.nested)).toEqual([false, true]);
  });
});

describe('time', () => {
  it('a running turn reaches to now, and its open bars too', () => {
    const axis = layoutTurn(turn([{ kind: 'model', from: 100 }], [], { endedAt: undefined }), 2000);
    expect(axis).toMatchObject({ total: 2000, running: true });
    expect(axis.rows[0]?.bars[0]).toMatchObject({ open: true, to: 2000 });
  });

  it('a call that waits for the person after the turn ended waits until now', () => {
    const axis = layoutTurn(turn([{ kind: 'waitingForPerson', callId: 'a', from: 500 }], [call('a')]), 4000);
    expect(axis).toMatchObject({ total: 4000, waitingForPerson: 3500, running: true });
  });

  it('waits for the person that overlap count once', () => {
    const spans: Span[] = [
      { kind: 'model', from: 0, to: 300 },
      { kind: 'waitingForPerson', callId: 'a', from: 300, to: 600 },
      { kind: 'waitingForPerson', callId: 'b', from: 400, to: 700 },
    ];
    expect(layoutTurn(turn(spans, [call('a'), call('b')]), 0).waitingForPerson).toBe(400);
  });

  it('after a restart a call is drawn from its own times', () => {
    const record = turn([], [call('a', { decidedAt: 100, startedAt: 120, finishedAt: 220 })], { source: 'records' });
    expect(layoutTurn(record, 0).rows[0]?.bars.map((bar) => bar.kind)).toEqual(['waitingForSlot', 'working']);
  });

  it('an expired confirmation waited until it expired', () => {
    const confirmation = { askedAt: 100, expires: 400, state: 'expired' } as Confirmation;
    const record = turn([], [call('a', { confirmation })], { source: 'records' });
    expect(layoutTurn(record, 0).waitingForPerson).toBe(300);
  });

  it('a turn of which nothing is known has no length and no rows', () => {
    const record = { ...turn([]), startedAt: undefined as unknown as number, endedAt: undefined, source: 'records' as const };
    expect(layoutTurn(record, 5)).toMatchObject({ rows: [], total: 0 });
  });
});
