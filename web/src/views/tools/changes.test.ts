// Changes between registries, by what they mean for callers.
import { expect, test } from 'vitest';
import { groupOf, stepWords } from './changes';

test('a change that breaks callers is listed as such, announced or not', () => {
  expect(groupOf({ kind: 'breaking', step: 'major' })).toBe('breaks');
  expect(groupOf({ kind: 'compatible', step: 'major' })).toBe('breaks');
  expect(groupOf({ kind: 'removed' })).toBe('breaks');
  expect(groupOf({ kind: 'compatible', step: 'minor' })).toBe('compatible');
  expect([groupOf({ kind: 'policy' }), groupOf({ kind: 'added' })]).toEqual(['policy', 'new']);
});

test('the version is said to announce a change, or to need a step', () => {
  expect(stepWords({ kind: 'breaking', step: 'major' })).toBe('needs a major version');
  expect(stepWords({ kind: 'compatible', step: 'minor' })).toBe('announced by its version (minor)');
  expect(stepWords({ kind: 'added' })).toBeUndefined();
});
