// The case that an attempt becomes: its arguments, its mode, and what is expected of it.
import type { CaseRequest } from '@aileron/client';
import type { Attempt } from './run';

export type Expectation = 'nothing' | 'outcome' | 'result';

/** The expectations to choose from, the usual one first. */
export function expectationsOf({ response }: Attempt): { key: Expectation; words: string }[] {
  const nothing = { key: 'nothing' as const, words: 'nothing yet; only the call is kept' };
  if (response === undefined || response.error?.confirmation_request) return [nothing];
  if (response.ok) {
    return [{ key: 'outcome', words: 'that it succeeds' }, { key: 'result', words: 'this result' }, nothing];
  }
  return [{ key: 'outcome', words: `that it fails with ${response.error?.type ?? 'an error'}` }, nothing];
}

export function caseOf(attempt: Attempt, name: string, expected: Expectation): CaseRequest {
  const { args, mode, response } = attempt;
  const request: CaseRequest = { name, args, mode };
  if (expected === 'nothing' || response === undefined) return request;
  if (!response.ok) return { ...request, expect: { ok: false, error: { type: response.error?.type } } };
  return { ...request, expect: expected === 'result' ? { ok: true, data: response.data } : { ok: true } };
}
