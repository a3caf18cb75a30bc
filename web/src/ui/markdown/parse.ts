// A small Markdown parser: text to a tree of blocks. It knows no HTML, so nothing in the text can become an element by itself.
import { type Inline, parseInline } from './inline';

export type Block =
  | { is: 'paragraph'; content: Inline[] }
  | { is: 'heading'; level: number; content: Inline[] }
  | { is: 'code'; language: string; text: string }
  | { is: 'quote'; blocks: Block[] }
  | { is: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { is: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { is: 'rule' };

const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const MAX_DEPTH = 6;

export function parseMarkdown(text: string): Block[] {
  return blocks(text.split('\n'), 0);
}

function blocks(lines: string[], depth: number): Block[] {
  const out: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) out.push({ is: 'paragraph', content: parseInline(paragraph.join('\n')) });
    paragraph = [];
  };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const found = blockAt(lines, at, line, depth, paragraph.length > 0);
    if (found) {
      flush();
      out.push(found.block);
      at = found.next;
    } else {
      if (line.trim() === '') flush();
      else paragraph.push(line.trim());
      at += 1;
    }
  }
  flush();
  return out;
}

interface Found {
  block: Block;
  next: number;
}

function blockAt(lines: string[], at: number, line: string, depth: number, inParagraph: boolean): Found | undefined {
  const fence = FENCE.exec(line);
  if (fence) return code(lines, at, fence[1] ?? '```', fence[2] ?? '');
  const heading = HEADING.exec(line);
  if (heading) return { block: { is: 'heading', level: (heading[1] ?? '#').length, content: parseInline(heading[2] ?? '') }, next: at + 1 };
  if (RULE.test(line)) return { block: { is: 'rule' }, next: at + 1 };
  if (depth < MAX_DEPTH && QUOTE.test(line)) return quote(lines, at, depth);
  const item = ITEM.exec(line);
  if (depth < MAX_DEPTH && item && startsList(item[2] ?? '', inParagraph)) return list(lines, at, depth);
  if (line.includes('|') && DIVIDER.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').includes('-')) return table(lines, at);
  return undefined;
}

/** A number other than 1 inside a paragraph is more likely part of a sentence than a list, except directly after a line of text that ends it. */
function startsList(marker: string, inParagraph: boolean): boolean {
  return !inParagraph || !/\d/.test(marker) || /^1[.)]$/.test(marker);
}

function code(lines: string[], at: number, fence: string, language: string): Found {
  const text: string[] = [];
  let next = at + 1;
  while (next < lines.length && !(lines[next] ?? '').trim().startsWith(fence)) {
    text.push(lines[next] ?? '');
    next += 1;
  }
  return { block: { is: 'code', language, text: text.join('\n') }, next: next + 1 };
}

function quote(lines: string[], at: number, depth: number): Found {
  const inner: string[] = [];
  let next = at;
  for (; next < lines.length; next += 1) {
    const match = QUOTE.exec(lines[next] ?? '');
    if (!match) break;
    inner.push(match[1] ?? '');
  }
  return { block: { is: 'quote', blocks: blocks(inner, depth + 1) }, next };
}

function list(lines: string[], at: number, depth: number): Found {
  const first = ITEM.exec(lines[at] ?? '');
  const indent = (first?.[1] ?? '').length;
  const ordered = /\d/.test(first?.[2] ?? '');
  const items: string[][] = [];
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? '';
    const item = ITEM.exec(line);
    const depthHere = line.length - line.trimStart().length;
    if (item && depthHere <= indent + 1 && depthHere >= indent) {
      if (/\d/.test(item[2] ?? '') !== ordered) break;
      items.push([item[3] ?? '']);
    } else if (line.trim() === '') {
      const follows = lines[next + 1] ?? '';
      const continues = follows.trim() !== '' && (follows.length - follows.trimStart().length > indent || ITEM.test(follows));
      if (!continues) break;
      items.at(-1)?.push('');
    } else if (depthHere > indent) {
      items.at(-1)?.push(line.slice(Math.min(depthHere, indent + 2)));
    } else {
      break;
    }
    next += 1;
  }
  const start = ordered ? Number.parseInt(first?.[2] ?? '1', 10) : 1;
  return { block: { is: 'list', ordered, start, items: items.map((item) => blocks(item, depth + 1)) }, next };
}

function table(lines: string[], at: number): Found {
  const head = cells(lines[at] ?? '');
  const rows: Inline[][][] = [];
  let next = at + 2;
  for (; next < lines.length && (lines[next] ?? '').includes('|'); next += 1) {
    const row = cells(lines[next] ?? '');
    rows.push(head.map((_, column) => parseInline(row[column] ?? '')));
  }
  return { block: { is: 'table', head: head.map((cell) => parseInline(cell)), rows }, next };
}

function cells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
