// Markdown as plain words, for screen readers: without marks, citations and code, and bounded in length.
import { visible } from '../visible';
import type { Inline } from './inline';
import { type Block, parseMarkdown } from './parse';

/** Longer texts are not read to their end; the person finds the rest on the page. */
const LONGEST = 300;

/** Marks and citations take space too; more than this is never needed for the words. */
const ENOUGH = 8 * LONGEST;

export function plainWords(markdown: string): string {
  const words = parseMarkdown(visible(markdown.slice(0, ENOUGH)))
    .map(blockWords)
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?])/g, '')
    .trim();
  if (words.length <= LONGEST && markdown.length <= ENOUGH) return words;
  return `${words.slice(0, LONGEST).replace(/\s+\S*$/, '')} …`;
}

function blockWords(block: Block): string {
  switch (block.is) {
    case 'paragraph':
    case 'heading':
      return inlineWords(block.content);
    case 'code':
      return '(code)';
    case 'quote':
      return block.blocks.map(blockWords).join(' ');
    case 'list':
      return block.items.map((item) => sentence(item.map(blockWords).join(' '))).join(' ');
    case 'table':
      return block.rows.map((row) => sentence(row.map(inlineWords).join(', '))).join(' ');
    case 'rule':
      return '';
  }
}

/** Ends like a sentence, so that a pause is made after it. */
function sentence(words: string): string {
  return words === '' || /[.,;:!?]\s*$/.test(words) ? words : `${words}.`;
}

function inlineWords(content: readonly Inline[]): string {
  return content
    .map((part) => {
      switch (part.is) {
        case 'text':
        case 'code':
          return part.text;
        case 'break':
          return ' ';
        case 'record':
          return '';
        default:
          return inlineWords(part.content);
      }
    })
    .join('');
}
