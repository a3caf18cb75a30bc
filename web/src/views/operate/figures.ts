// Computes the figures of tiles and tables from the series. Pure.
import type { Series, ToolFigures } from '@aileron/client';
import { last, mean, peak, perSecond, sum, total } from '../../charts/series';

export interface Summary {
  /** Calls a second over the last minute, and the greatest value of the hour. */
  rate: number | null;
  peak: { value: number; at: number } | null;
  calls: number;
  succeeded: number;
  refused: number;
  failed: number;
  p95: number | null;
  overBudget: number;
  waiting: number;
  text: number;
  voice: number;
  inFlight: number;
  providerErrors: number;
  reconnects: number;
  loops: number;
  tokensIn: number;
  tokensOut: number;
  memory: number | null;
}

const MINUTE = 60_000;

/** Every call that got an answer, whatever it was. */
export function allCalls(series: Series): number[] {
  return sum(...Object.values(series.calls));
}

/** Calls that passed the policies. */
export function passedCalls({ calls }: Series): number[] {
  return sum(calls.completed, calls.failed, calls.cancelled, calls.timedOut);
}

export function summarise(series: Series): Summary {
  const { calls, stepMs, from } = series;
  const rates = perSecond(allCalls(series), stepMs);
  const greatest = peak(rates);
  const minute = rates.slice(-Math.max(1, Math.round(MINUTE / stepMs)));
  return {
    rate: mean(minute),
    peak: greatest === null || greatest.value === 0 ? null : { value: greatest.value, at: from + greatest.index * stepMs },
    calls: total(allCalls(series)),
    succeeded: total(calls.completed),
    refused: total(calls.refused),
    failed: total(calls.failed) + total(calls.timedOut),
    p95: last(series.latency.p95),
    overBudget: series.tools.filter(isOverBudget).length,
    waiting: last(series.openConfirmations) ?? 0,
    text: last(series.conversations.text) ?? 0,
    voice: last(series.conversations.voice) ?? 0,
    inFlight: last(series.callsInFlight) ?? 0,
    providerErrors: total(series.providerErrors),
    reconnects: total(series.reconnects),
    loops: total(series.loops),
    tokensIn: total(series.tokensIn),
    tokensOut: total(series.tokensOut),
    memory: last(series.memoryBytes),
  };
}

export function isOverBudget(tool: ToolFigures): boolean {
  return tool.p95 !== null && tool.p95 > tool.budgetMs;
}

export type ToolState = 'quarantined' | 'over budget' | 'failing' | 'mostly refused' | 'not called' | 'fine';

/** A tenth of the calls that ran failed. */
const FAILING = 0.1;

export function toolState(tool: ToolFigures): ToolState {
  const { calls, refused, failed } = tool;
  if (tool.quarantined !== undefined) return 'quarantined';
  if (isOverBudget(tool)) return 'over budget';
  if (calls === 0) return 'not called';
  if (calls > refused && failed / (calls - refused) >= FAILING) return 'failing';
  return refused * 2 > calls ? 'mostly refused' : 'fine';
}

/** Refusals by policy, the most first; policies without any are left out. */
export function refusals({ refusedBy }: Series): { policy: string; count: number }[] {
  return Object.entries(refusedBy)
    .map(([policy, values]) => ({ policy, count: total(values) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

export type SortKey = 'tool' | 'calls' | 'succeeded' | 'failed' | 'refused' | 'p50' | 'p95' | 'budget' | 'answer';

/** The tools by a column: names upwards, numbers downwards; tools without a value come last. */
export function sortTools(tools: readonly ToolFigures[], key: SortKey): ToolFigures[] {
  if (key === 'tool') return [...tools].sort((a, b) => (a.toolId < b.toolId ? -1 : 1));
  const value = (tool: ToolFigures): number => sortValue(tool, key) ?? -1;
  return [...tools].sort((a, b) => value(b) - value(a) || (a.toolId < b.toolId ? -1 : 1));
}

function sortValue(tool: ToolFigures, key: Exclude<SortKey, 'tool'>): number | null {
  switch (key) {
    case 'budget':
      return tool.p95 === null ? null : tool.p95 / Math.max(1, tool.budgetMs);
    case 'answer':
      return tool.responseCharsP95;
    case 'succeeded':
      return tool.calls === 0 ? null : tool.succeeded / tool.calls;
    default:
      return tool[key];
  }
}

/** Where the bar and the mark of a budget are, from 0 to 100; the mark stays in place so that rows can be compared. */
export function budgetBar(p95: number, budgetMs: number): { bar: number; mark: number; over: boolean } {
  const mark = 70;
  const bar = budgetMs <= 0 ? 100 : Math.min(100, Math.max(1, (p95 / budgetMs) * mark));
  return { bar, mark, over: p95 > budgetMs };
}
