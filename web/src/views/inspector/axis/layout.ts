// Lays one turn out on one time axis: a row per actor and call, each with its stretches. Pure; the drawing is elsewhere.
import type { CallRecord, Span, SpanKind, TurnRecord } from '@aileron/client';
import { type Stretch, type TimeScale, timeScale } from './scale';

export type BarKind = SpanKind;

export interface Bar {
  kind: BarKind;
  from: number;
  to: number;
  /** Left edge and width as shares of the axis. */
  left: number;
  width: number;
  /** It has not ended yet. */
  open: boolean;
  label?: string;
}

export interface AxisRow {
  key: string;
  /** The subject of the row: the person, the model, a call, the connection. */
  is: 'person' | 'model' | 'voice' | 'call' | 'connection';
  title: string;
  callId?: string;
  /** Inside of another call. */
  nested: boolean;
  bars: Bar[];
}

export interface TurnAxis {
  scale: TimeScale;
  rows: AxisRow[];
  /** Milliseconds from the beginning to the end, or until now. */
  total: number;
  waitingForPerson: number;
  running: boolean;
}

const WAITING: ReadonlySet<SpanKind> = new Set<SpanKind>(['waitingForPerson', 'waitingForSlot']);

export function layoutTurn(turn: TurnRecord, now: number): TurnAxis {
  const spans = withCallTimes(turn);
  const running = isRunning(turn);
  const whole = extent(turn, spans, running ? now : undefined);
  const closed = spans.map((span) => ({ ...span, to: span.to ?? whole.to, open: span.to === undefined }));
  const active = closed.filter((span) => span.kind !== 'waitingForPerson');
  const scale = timeScale(whole, active);
  const bar = (span: (typeof closed)[number]): Bar => {
    const left = scale.at(span.from);
    return {
      kind: span.kind,
      from: span.from,
      to: span.to,
      left,
      width: Math.max(0, scale.at(span.to) - left),
      open: span.open,
      label: span.label,
    };
  };
  const barsOf = (match: (span: Span) => boolean) => closed.filter(match).map(bar);

  const rows: AxisRow[] = [
    { key: 'person', is: 'person', title: 'you', nested: false, bars: barsOf((span) => span.kind === 'personSpeech') },
    { key: 'model', is: 'model', title: 'model', nested: false, bars: barsOf((span) => span.kind === 'model') },
    ...turn.calls.map((call): AxisRow =>
      callRow(
        call,
        barsOf((span) => span.callId === call.callId),
      ),
    ),
    {
      key: 'voice',
      is: 'voice',
      title: 'voice',
      nested: false,
      bars: barsOf((span) => span.kind === 'modelSpeech' || span.kind === 'cutOff'),
    },
    {
      key: 'connection',
      is: 'connection',
      title: 'connection',
      nested: false,
      bars: barsOf((span) => span.kind === 'reconnect' && span.callId === undefined),
    },
  ];
  return {
    scale,
    rows: rows.filter((row) => row.is === 'call' || row.bars.length > 0),
    total: whole.to - whole.from,
    waitingForPerson: covered(closed.filter((span) => span.kind === 'waitingForPerson')),
    running,
  };
}

/** The turn has not ended, or one of its calls still waits for the person after it. */
export function isRunning(turn: TurnRecord): boolean {
  return turn.source === 'live' && (turn.endedAt === undefined || turn.spans.some((span) => span.to === undefined));
}

function callRow(call: CallRecord, bars: Bar[]): AxisRow {
  return { key: call.callId, is: 'call', title: call.toolId, callId: call.callId, nested: call.parentCallId !== undefined, bars };
}

/** Spans that are missing, as after a restart or after an answer, are drawn from the times of the call itself. */
function withCallTimes(turn: TurnRecord): Span[] {
  const known = new Set(turn.spans.flatMap((span) => (span.callId === undefined ? [] : [span.callId, `${span.callId} ${span.kind}`])));
  const derived = turn.calls.flatMap((call) => [
    ...(known.has(`${call.callId} waitingForPerson`) ? [] : waitForPerson(call)),
    ...(known.has(`${call.callId} working`) || (known.has(call.callId) && !call.confirmation) ? [] : runOfCall(call)),
  ]);
  return [...derived, ...turn.spans];
}

function waitForPerson({ callId, confirmation }: CallRecord): Span[] {
  if (!confirmation) return [];
  const { askedAt, decision, state, expires } = confirmation;
  return [{ kind: 'waitingForPerson', callId, from: askedAt, to: decision?.at ?? (state === 'open' ? undefined : expires) }];
}

function runOfCall({ callId, decidedAt, startedAt, finishedAt, confirmation }: CallRecord): Span[] {
  if (startedAt === undefined) return [];
  const waited: Span[] =
    !confirmation && decidedAt !== undefined && startedAt > decidedAt
      ? [{ kind: 'waitingForSlot', callId, from: decidedAt, to: startedAt }]
      : [];
  return [...waited, { kind: 'working', callId, from: startedAt, to: finishedAt }];
}

function extent(turn: TurnRecord, spans: readonly Span[], now: number | undefined): Stretch {
  const times = [...spans.flatMap((span) => [span.from, span.to ?? span.from]), ...turn.messages.map((message) => message.time)];
  const first = turn.startedAt ?? Math.min(...times, now ?? Infinity);
  const from = Number.isFinite(first) ? first : 0;
  return { from, to: Math.max(from, ...times, turn.endedAt ?? from, now ?? from) };
}

/** The time that at least one of the spans covers. */
function covered(spans: readonly Stretch[]): number {
  let total = 0;
  let until = -Infinity;
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    total += Math.max(0, span.to - Math.max(span.from, until));
    until = Math.max(until, span.to);
  }
  return total;
}

/** How long a row worked and how long it waited, apart. */
export function rowTimes(row: AxisRow): { working: number; waiting: number } {
  const waiting = row.bars.filter((bar) => WAITING.has(bar.kind));
  const working = row.bars.filter((bar) => !WAITING.has(bar.kind) && bar.kind !== 'cutOff');
  return { working: covered(working), waiting: covered(waiting) };
}
