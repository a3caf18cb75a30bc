// The filter of the audit log in the address.
import { expect, test } from 'vitest';
import { auditPath, filterOf, fromLocal, outcomeTone, outcomeWords, toLocal } from './filter';

test('the address and the filter say the same', () => {
  const filter = { tool: 'kb_search', outcome: 'refused:budgets', since: 1000, until: 2000 };
  const path = auditPath(filter);
  expect(path).toBe('/operate/audit?tool=kb_search&outcome=refused%3Abudgets&since=1000&until=2000');
  expect(filterOf(new URLSearchParams(path.split('?')[1]))).toEqual(filter);
  expect(auditPath({})).toBe('/operate/audit');
});

test('a time that is none is left out', () => {
  expect(filterOf(new URLSearchParams('since=yesterday&until=-5&tool='))).toEqual({});
});

test('local times survive the way through their field', () => {
  const at = new Date(2026, 10, 18, 7, 5, 9).getTime();
  expect(toLocal(at)).toBe('2026-11-18T07:05:09');
  expect(fromLocal(toLocal(at))).toBe(String(at));
  expect(fromLocal('nonsense')).toBe('');
});

test('outcomes are said in words, with a tone', () => {
  expect(outcomeWords('refused:rate_limit')).toBe('refused by rate limit');
  expect(outcomeWords('timed_out')).toBe('timed out');
  expect([outcomeTone('completed', undefined), outcomeTone('completed', 'CONFLICT'), outcomeTone('denied', 'DENIED')]).toEqual([
    'passed',
    'refused',
    'neutral',
  ]);
});
