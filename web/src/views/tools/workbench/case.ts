// The case that an attempt becomes: its arguments, its mode, and what is expected of it.
import type { CaseRequest } from '@aileron/client';
import type { Attempt } from './run';

export type Expectation = 'outcome' | 'result';

/** The expectations to choose from, the usual one first. A call that did not run is expected to succeed. */
export function expectationsOf({ response }: Attempt): { key: Expectation; words: string }[] {
  const failed = response !== undefined && !response.ok && !response.error?.confirmation_request;
  if (failed) return [{ key: 'outcome', words: `that it fails with ${response.error?.type ?? 'an error'}` }];
  const succeeds = { key: 'outcome' as const, words: 'that it succeeds' };
  return response?.ok ? [succeeds, { key: 'result', words: 'that it gives this result' }] : [succeeds];
}

export function caseOf(attempt: Attempt, name: string, expected: Expectation): CaseRequest {
  const { args, mode, response } = attempt;
  const request: CaseRequest = { name, args, mode };
  const error = response?.error;
  if (error && !error.confirmation_request) return { ...request, expect: { ok: false, error: { type: error.type } } };
  return { ...request, expect: expected === 'result' ? { ok: true, data: response?.data } : { ok: true } };
}
