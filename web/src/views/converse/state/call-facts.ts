// Facts about calls that messages do not contain: times, progress and outcomes, from events and from the history.
import { signal } from '@preact/signals';
import type { DataChunk, MessageEntry, ServerEvent, TaskStatus } from '@aileron/client';

export interface CallFacts {
  /** Our clock, when the call was first seen running. */
  startedAt?: number;
  /** Milliseconds that the handler took, as the server measured them. */
  duration?: number;
  attempts?: number;
  outcome?: string;
  /** The newest progress report of the tool, in words. */
  progress?: string;
  /** The newest pieces of a result that is not complete, in their order. */
  pieces?: readonly Piece[];
  /** The task that the call became, and whether it runs or how it ended. */
  task?: { id: string; status: TaskStatus };
}

export interface Piece {
  index: number;
  data: unknown;
}

/** Pieces that are kept of one call. */
const MOST_PIECES = 50;

export class CallFactsTable {
  readonly byCall = signal<ReadonlyMap<string, CallFacts>>(new Map());

  of(callId: string): CallFacts {
    return this.byCall.value.get(callId) ?? {};
  }

  /** The durations of calls in the history. */
  fromHistory(entries: readonly MessageEntry[]): void {
    const next = new Map(this.byCall.peek());
    for (const entry of entries) {
      if (entry.from !== 'tools') continue;
      for (const { callId, response } of entry.answers) {
        const { duration, attempts, task } = response.meta;
        if (task) next.set(callId, { ...next.get(callId), task });
        else if (duration !== undefined) next.set(callId, { duration, attempts, ...next.get(callId) });
      }
    }
    this.byCall.value = next;
  }

  fromEvent(event: ServerEvent): void {
    if (event.type === 'call_started') this.note(event.callId, { startedAt: Date.now() });
    else if (event.type === 'call_answered') this.note(event.callId, { duration: event.duration, outcome: event.outcome });
    else if (event.type === 'task_began' || event.type === 'task_ended')
      this.note(event.callId, { task: { id: event.taskId, status: event.status } });
    else if (event.type === 'call_progress') this.note(event.callId, { progress: progressText(event.update) });
    else if (event.type === 'call_partial') this.addPiece(event.callId, event);
  }

  /** The transient chunks of a chat stream report the same progress, also without an event stream. */
  fromChunk(chunk: DataChunk): void {
    if (!isObject(chunk.data)) return;
    const { toolCallId, phase, update, index, data, status } = chunk.data;
    if (chunk.type === 'data-task' && chunk.id !== undefined && typeof toolCallId === 'string')
      return this.note(toolCallId, { task: { id: chunk.id, status: status as TaskStatus } });
    if (typeof toolCallId !== 'string') return;
    if (chunk.type === 'data-partial' && typeof index === 'number') return this.addPiece(toolCallId, { index, data });
    if (chunk.type !== 'data-progress') return;
    if (phase === 'started') this.note(toolCallId, { startedAt: Date.now() });
    else this.note(toolCallId, { progress: progressText(update) });
  }

  /** The event stream and the chat stream both report a piece; it is kept once. */
  private addPiece(callId: string, { index, data }: Piece): void {
    const before = this.byCall.peek().get(callId)?.pieces ?? [];
    if (before.some((piece) => piece.index === index)) return;
    const pieces = [...before, { index, data }].sort((one, other) => one.index - other.index);
    this.note(callId, { pieces: pieces.slice(-MOST_PIECES) });
  }

  note(callId: string, facts: CallFacts): void {
    const before = this.byCall.peek().get(callId);
    const startedAt = before?.startedAt ?? facts.startedAt;
    this.byCall.value = new Map(this.byCall.peek()).set(callId, { ...before, ...facts, startedAt });
  }
}

/** A progress update is a text, or an object with a message, or anything else, which is shown as JSON. */
export function progressText(update: unknown): string {
  if (typeof update === 'string') return update;
  if (isObject(update) && typeof update.message === 'string') return update.message;
  if (isObject(update) && typeof update.done === 'number' && typeof update.total === 'number') return `${update.done} of ${update.total}`;
  return update === undefined || update === null ? '' : JSON.stringify(update);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
