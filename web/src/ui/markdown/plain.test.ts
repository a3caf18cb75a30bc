// Plain words of Markdown: no marks, no citations, no code, and a bounded length.
import { expect, it } from 'vitest';
import { plainWords } from './plain';

it.each([
  ['Mira Holt runs it. [person:mira] [doc:review]', 'Mira Holt runs it.'],
  ['**Bold**, _thin_ and `code`', 'Bold, thin and code'],
  ['# Title\n\nText with a [link](https://example.com/).', 'Title Text with a link.'],
  ['- one\n- two\n', 'one. two.'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', '1, 2.'],
  ['Look:\n\n```js\nwhile (true) {}\n```', 'Look: (code)'],
  ['user\u202etxt', 'user‹RLO›txt'],
  ['', ''],
])('%j', (markdown, words) => {
  expect(plainWords(markdown)).toBe(words);
});

it('a long answer ends early, at the end of a word', () => {
  const words = plainWords('word '.repeat(10_000));
  expect(words.length).toBeLessThanOrEqual(302);
  expect(words.endsWith('word …')).toBe(true);
});

it('a long run of marks says nothing wrong', () => {
  expect(plainWords('['.repeat(100_000)).length).toBeLessThanOrEqual(302);
});
