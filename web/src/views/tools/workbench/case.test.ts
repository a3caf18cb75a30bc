// Cases made from attempts.
import type { Envelope } from '@aileron/client';
import { expect, test } from 'vitest';
import { caseOf, expectationsOf } from './case';
import type { Attempt } from './run';

const meta: Envelope['meta'] = {
  toolId: 'kb_search',
  registryVersion: '1.0',
  responseSchemaVersion: '1.0.0',
  callId: 'c',
} as Envelope['meta'];
const attempt = (response?: Partial<Envelope>): Attempt => ({
  how: 'run',
  mode: 'text',
  args: { query: 'x' },
  trail: [],
  ...(response ? { response: { ok: false, meta, ...response } as Envelope } : {}),
});
const failure = (type: string, more: object = {}) =>
  ({ error: { type, message: '', retryable: false, partialSideEffects: false, idempotencyRequired: false, ...more } }) as Partial<Envelope>;

test('a result is expected to succeed, or to be the same', () => {
  const done = attempt({ ok: true, data: { results: [] } });
  expect(expectationsOf(done).map(({ key }) => key)).toEqual(['outcome', 'result']);
  expect(caseOf(done, 'finds nothing', 'outcome')).toEqual({
    name: 'finds nothing',
    args: { query: 'x' },
    mode: 'text',
    expect: { ok: true },
  });
  expect(caseOf(done, 'n', 'result').expect).toEqual({ ok: true, data: { results: [] } });
});

test('a failure is expected by its type', () => {
  const failed = attempt(failure('VALIDATION'));
  expect(expectationsOf(failed)).toEqual([{ key: 'outcome', words: 'that it fails with VALIDATION' }]);
  expect(caseOf(failed, 'n', 'outcome').expect).toEqual({ ok: false, error: { type: 'VALIDATION' } });
});

test('a dry run and an open confirmation are expected to succeed', () => {
  expect(caseOf(attempt(), 'n', 'outcome').expect).toEqual({ ok: true });
  const asked = attempt(failure('CONFIRMATION_REQUIRED', { confirmation_request: { token: 't' } }));
  expect(caseOf(asked, 'n', 'outcome').expect).toEqual({ ok: true });
});

test('a refused dry run becomes a case that expects the refusal', () => {
  const flags = { retryable: false, partialSideEffects: false, idempotencyRequired: false };
  const error = { type: 'VALIDATION' as const, message: 'the arguments do not fit', ...flags };
  const refused: Attempt = { how: 'dry', mode: 'text', args: {}, trail: [], dry: { decision: 'refuse', trail: [], error } };
  expect(expectationsOf(refused)).toEqual([{ key: 'outcome', words: 'that it fails with VALIDATION' }]);
  expect(caseOf(refused, 'n', 'outcome').expect).toEqual({ ok: false, error: { type: 'VALIDATION' } });
});
