// Marks of arguments that were not used as sent.
import type { CallRecord } from '@aileron/client';
import { expect, it } from 'vitest';
import { argumentMarks } from './arguments-diff';

const call = (argsSent: unknown, argsUsed: unknown, clamped?: unknown[]): CallRecord => ({
  callId: 'c',
  toolId: 't',
  registryVersion: '1',
  trail: [],
  argsSent,
  argsUsed,
  clamped,
});

it('defaults are marked, also inside of objects', () => {
  expect(argumentMarks(call({ query: 'x', filters: {} }, { query: 'x', filters: { type: 'doc' }, top_k: 5 }))).toEqual({
    'filters.type': 'default',
    top_k: 'default',
  });
});

it('clamps say the value before', () => {
  expect(argumentMarks(call({ top_k: 50 }, { top_k: 3 }, [{ pointer: '/top_k', from: 50, to: 3 }]))).toEqual({ top_k: 'clamped from 50' });
});

it('other changes say what was sent', () => {
  expect(argumentMarks(call({ ids: [1, 2] }, { ids: [1, 3] }))).toEqual({ 'ids.1': 'sent as 2' });
});

it('nothing is marked if nothing changed, or nothing is known', () => {
  expect(argumentMarks(call({ a: [{ b: 1 }] }, { a: [{ b: 1 }] }))).toEqual({});
  expect(argumentMarks(call({ a: 1 }, undefined))).toEqual({});
});
