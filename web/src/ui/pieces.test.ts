// Pieces of long texts: nothing is lost, and code and tables go on in the next piece.
import { expect, it } from 'vitest';
import { piecesOf } from './pieces';

const plain = (text: string, size: number): string[] => piecesOf(text, 'plain', size).pieces;

it.each([
  ['short', 10, ['short']],
  ['', 10, []],
  ['a\n\nbcdefg\n\nhi', 12, ['a\n\nbcdefg\n\n', 'hi']],
  ['one\ntwo three', 8, ['one\n', 'two ', 'three']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['abc😀def', 4, ['abc', '😀de', 'f']],
])('%j in pieces of %d', (text, size, expected) => {
  expect(plain(text, size)).toEqual(expected);
});

it('loses nothing', () => {
  const text = Array.from({ length: 3000 }, (_, at) => (at % 7 === 0 ? '' : `line ${at} ${'x'.repeat(at % 90)}`)).join('\n');
  expect(plain(text, 1000).join('')).toBe(text);
});

it('keeps its pieces while the text grows', () => {
  const text = 'some words in a line\n'.repeat(500);
  for (let length = 100; length < text.length; length += 997) {
    expect(plain(text, 300).slice(0, -1)).toEqual(expect.arrayContaining(plain(text.slice(0, length), 300).slice(0, -1)));
  }
});

it('counts what is left', () => {
  expect(piecesOf('abcdefghij', 'plain', 4, 1)).toEqual({ pieces: ['abcd'], rest: 6 });
});

it('opens a code block again', () => {
  const { pieces } = piecesOf('```js\nlet a;\nlet b;\nlet c;\n```\nend', 'markdown', 14);
  expect(pieces).toEqual(['```js\nlet a;\n', '```js\nlet b;\nlet c;\n', '```js\n```\nend']);
});

it('repeats the head of a table', () => {
  const { pieces } = piecesOf('a|b\n-|-\n1|2\n3|4\n5|6\n\nend', 'markdown', 17);
  expect(pieces).toEqual(['a|b\n-|-\n1|2\n3|4\n', 'a|b\n-|-\n5|6\n\nend']);
});

it('keeps the head of a wide table whole', () => {
  const { pieces } = piecesOf('aaaa|b\n----|-\n1|2\n3|4\n', 'markdown', 8);
  expect(pieces).toEqual(['aaaa|b\n----|-\n', 'aaaa|b\n----|-\n1|2\n3|4\n']);
});
