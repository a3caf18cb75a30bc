// Tiles and tables computed from series.
import type { Series, ToolFigures } from '@aileron/client';
import { expect, test } from 'vitest';
import { budgetBar, refusals, sortTools, summarise, toolState } from './figures';

const tool = (toolId: string, more: Partial<ToolFigures> = {}): ToolFigures => ({
  toolId,
  calls: 10,
  succeeded: 9,
  failed: 1,
  refused: 0,
  p50: 5,
  p95: 20,
  budgetMs: 100,
  responseCharsP95: 500,
  responseTokensP95: 120,
  overBudget: 0,
  ...more,
});

const zeros = [0, 0, 0, 0];
const SERIES: Series = {
  from: 1_000_000,
  stepMs: 30_000,
  points: 4,
  calls: {
    completed: [30, 60, 90, 3],
    failed: [0, 0, 1, 0],
    refused: [0, 30, 0, 0],
    denied: zeros,
    cancelled: zeros,
    timedOut: [0, 0, 1, 0],
  },
  refusedBy: { budgets: [0, 20, 0, 0], mode: zeros, loops: [0, 10, 0, 0] },
  latency: { p50: [1, 2, 3, null], p95: [10, 20, 212, null], p99: [null, null, null, null] },
  conversations: { text: [1, 2, 3, 89], voice: [0, 0, 0, 38] },
  openConfirmations: [0, 0, 2, 1],
  callsInFlight: zeros,
  providerErrors: [0, 1, 0, 0],
  reconnects: [0, 2, 0, 0],
  tokensIn: [100, 0, 0, 0],
  tokensOut: [7, 0, 0, 0],
  memoryBytes: [1, 2, 3, 4],
  loops: [0, 1, 0, 0],
  tools: [tool('a'), tool('b', { p95: 200 })],
};

test('the tiles say what the series say', () => {
  expect(summarise(SERIES)).toMatchObject({
    rate: (92 / 30 + 3 / 30) / 2,
    peak: { value: 92 / 30, at: 1_060_000 },
    calls: 215,
    succeeded: 183,
    refused: 30,
    failed: 2,
    p95: 212,
    overBudget: 1,
    waiting: 1,
    text: 89,
    voice: 38,
    reconnects: 2,
  });
});

test('refusals come with the most first and without policies that refused nothing', () => {
  expect(refusals(SERIES)).toEqual([
    { policy: 'budgets', count: 20 },
    { policy: 'loops', count: 10 },
  ]);
});

test('tools are sorted by a column, those without a value last', () => {
  const tools = [tool('c', { p95: null, calls: 0 }), tool('b', { p95: 90 }), tool('a', { p95: 300, budgetMs: 3000 })];
  expect(sortTools(tools, 'tool').map(({ toolId }) => toolId)).toEqual(['a', 'b', 'c']);
  expect(sortTools(tools, 'p95').map(({ toolId }) => toolId)).toEqual(['a', 'b', 'c']);
  expect(sortTools(tools, 'budget').map(({ toolId }) => toolId)).toEqual(['b', 'a', 'c']);
  expect(
    sortTools(tools, 'succeeded')
      .map(({ toolId }) => toolId)
      .at(-1),
  ).toBe('c');
});

test('the mark of the budget stays in place, and a bar beyond it is over', () => {
  expect(budgetBar(50, 100)).toEqual({ bar: 35, mark: 70, over: false });
  expect(budgetBar(400, 100)).toEqual({ bar: 100, mark: 70, over: true });
  expect(budgetBar(0.01, 100).bar).toBe(1);
});

test('the state of a tool names its worst trouble', () => {
  const state = (more: Partial<ToolFigures>) => toolState(tool('a', { calls: 100, succeeded: 99, failed: 1, ...more }));
  expect([state({}), state({ p95: 500 }), state({ quarantined: 'stuck', p95: 500 })]).toEqual(['fine', 'over budget', 'quarantined']);
  expect([state({ failed: 10 }), state({ refused: 60 }), state({ calls: 0, failed: 0 }), state({ refused: 100, failed: 0 })]).toEqual([
    'failing',
    'mostly refused',
    'not called',
    'mostly refused',
  ]);
});
