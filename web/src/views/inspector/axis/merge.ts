// Joins a call that asked the person with the call that ran after the approval: for the reader they are one call.
import type { CallRecord, TurnRecord } from '@aileron/client';

/** The server runs an approved call under an id of its own. */
const PREFIX = 'confirmed-';

/** The call that a confirmed call continues, by ids. */
export function continuedCalls(turn: TurnRecord): Map<string, string> {
  const asked = new Map(turn.calls.flatMap((call) => (call.confirmation ? [[call.confirmation.id, call.callId] as const] : [])));
  const pairs = turn.calls.flatMap((call) => {
    const first = call.callId.startsWith(PREFIX) ? asked.get(call.callId.slice(PREFIX.length)) : undefined;
    return first === undefined ? [] : [[call.callId, first] as const];
  });
  return new Map(pairs);
}

/** The same turn with each confirmed call inside of the one that asked for it. */
export function mergeConfirmed(turn: TurnRecord): TurnRecord {
  const continued = continuedCalls(turn);
  if (continued.size === 0) return turn;
  const ran = new Map(turn.calls.flatMap((call) => (continued.has(call.callId) ? [[continued.get(call.callId), call] as const] : [])));
  const calls = turn.calls.filter((call) => !continued.has(call.callId)).map((call) => joined(call, ran.get(call.callId)));
  const spans = turn.spans.map((span) =>
    span.callId !== undefined && continued.has(span.callId) ? { ...span, callId: continued.get(span.callId) } : span,
  );
  return { ...turn, calls, spans };
}

function joined(asking: CallRecord, run: CallRecord | undefined): CallRecord {
  if (!run) return asking;
  const { startedAt, finishedAt, attempts, overBudget, outcome, response, modelSaw, auditSeq } = run;
  return {
    ...asking,
    argsUsed: run.argsUsed ?? asking.argsUsed,
    startedAt,
    finishedAt,
    attempts,
    overBudget,
    outcome,
    response,
    modelSaw,
    auditSeq,
  };
}
