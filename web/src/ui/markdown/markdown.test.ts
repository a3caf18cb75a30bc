// Markdown: what becomes an element, and that nothing else does.
import { describe, expect, it } from 'vitest';
import { type Inline, parseInline, safeAddress } from './inline';
import { parseMarkdown } from './parse';

const text = (words: string): Inline => ({ is: 'text', text: words });

describe('inline', () => {
  it.each<[string, Inline[]]>([
    ['plain', [text('plain')]],
    ['**bold** and *slanted*', [{ is: 'strong', content: [text('bold')] }, text(' and '), { is: 'emphasis', content: [text('slanted')] }]],
    ['`a * b`', [{ is: 'code', text: 'a * b' }]],
    ['snake_case_name', [text('snake_case_name')]],
    ['2 * 3 * 4', [text('2 * 3 * 4')]],
    ['~~gone~~', [{ is: 'strike', content: [text('gone')] }]],
    ['a\nb', [text('a'), { is: 'break' }, text('b')]],
    ['\\*not\\*', [text('*not*')]],
    ['see [person:ada]', [text('see '), { is: 'record', id: 'person:ada' }]],
    ['[record:doc:a.b]', [{ is: 'record', id: 'doc:a.b' }]],
    ['[x](https://example.com/a)', [{ is: 'link', address: 'https://example.com/a', content: [text('x')] }]],
    ['https://example.com.', [{ is: 'link', address: 'https://example.com/', content: [text('https://example.com')] }, text('.')]],
  ])('%s', (source, expected) => {
    expect(parseInline(source)).toEqual(expected);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,1)',
    '[x]( java\nscript:alert(1))',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[x](//evil.example)',
    '[x](vbscript:1)',
  ])('%s stays text', (source) => {
    const kinds = new Set(parseInline(source).map((part) => part.is));
    kinds.delete('text');
    kinds.delete('break');
    expect([...kinds]).toEqual([]);
  });

  it.each(['**', '**a', '*a', '`a', '[a', '[a](', '[a](b', '~~', '_ _', '***a***', '**a *b** c*', '[[[]]]((('])(
    'broken: %s loses no letter',
    (source) => {
      const letters = (parts: Inline[]): string =>
        parts.map((part) => ('content' in part ? letters(part.content) : 'text' in part ? part.text : '')).join('');
      expect(letters(parseInline(source)).replace(/[^abc]/g, '')).toBe(source.replace(/[^abc]/g, ''));
    },
  );

  it('long broken text is read in a moment', () => {
    const began = performance.now();
    for (const source of ['*a'.repeat(20_000), '['.repeat(20_000), '`'.repeat(20_000), '[a]('.repeat(10_000), '**a '.repeat(10_000)])
      parseInline(source);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

it.each([
  ['https://a.example/x?y=1', 'https://a.example/x?y=1'],
  ['HTTP://A.example', 'http://a.example/'],
  ['javascript:alert(1)', undefined],
  [' https://a.example', undefined],
  ['https://', undefined],
])('address %s', (source, expected) => {
  expect(safeAddress(source)).toBe(expected);
});

describe('blocks', () => {
  const kinds = (source: string) => parseMarkdown(source).map((block) => block.is);

  it.each([
    ['# Title\n\nwords\nmore', ['heading', 'paragraph']],
    ['- a\n- b\n\nend', ['list', 'paragraph']],
    ['For this:\n1. one\n2. two\nend', ['paragraph', 'list', 'paragraph']],
    ['In\n2019. was a year', ['paragraph']],
    ['```js\nlet a;\n\nlet b;\n```\nend', ['code', 'paragraph']],
    ['```\nnever closed', ['code']],
    ['> quoted\n> more\n\nend', ['quote', 'paragraph']],
    ['a | b\n--|--\n1 | 2\n\nend', ['table', 'paragraph']],
    ['---', ['rule']],
    ['', []],
  ])('%j', (source, expected) => {
    expect(kinds(source)).toEqual(expected);
  });

  it('lists hold lists', () => {
    const [list] = parseMarkdown('1. a\n   - b\n   - c\n2. d');
    expect(list).toMatchObject({
      is: 'list',
      ordered: true,
      items: [[{ is: 'paragraph' }, { is: 'list', ordered: false }], [{ is: 'paragraph' }]],
    });
  });

  it('a table has as many cells in each row as in its head', () => {
    const [table] = parseMarkdown('| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |');
    expect(table).toMatchObject({
      is: 'table',
      rows: [
        [[text('1')], []],
        [[text('1')], [text('2')]],
      ],
    });
  });

  it('deep nesting ends', () => {
    expect(parseMarkdown('> '.repeat(500) + 'x')).toHaveLength(1);
    expect(parseMarkdown(Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n'))).toHaveLength(1);
  });
});
