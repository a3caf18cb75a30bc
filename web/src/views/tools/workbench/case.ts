// The case that an attempt becomes: its arguments, its mode, and what is expected of it.
import type { CaseRequest } from '@aileron/client';
import type { Attempt } from './run';

export type Expectation = 'outcome' | 'result';

/** The expectations to choose from, the usual one first. A call that was not refused and did not run is expected to succeed. */
export function expectationsOf(attempt: Attempt): { key: Expectation; words: string }[] {
  const { response } = attempt;
  const failure = failureOf(attempt);
  if (failure !== undefined) return [{ key: 'outcome', words: `that it fails with ${failure}` }];
  const succeeds = { key: 'outcome' as const, words: 'that it succeeds' };
  return response?.ok ? [succeeds, { key: 'result', words: 'that it gives this result' }] : [succeeds];
}

export function caseOf(attempt: Attempt, name: string, expected: Expectation): CaseRequest {
  const { args, mode, response } = attempt;
  const request: CaseRequest = { name, args, mode };
  const failure = failureOf(attempt);
  if (failure !== undefined) return { ...request, expect: { ok: false, error: { type: failure } } };
  return { ...request, expect: expected === 'result' ? { ok: true, data: response?.data } : { ok: true } };
}

/** The type of the error that was seen, of a run or of a dry run. A question to the person is none. */
function failureOf({ dry, response }: Attempt): string | undefined {
  const error = response?.error;
  if (error) return error.confirmation_request ? undefined : error.type;
  return dry?.error?.type;
}
