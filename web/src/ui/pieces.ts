// Cuts a long text into pieces that are drawn one after the other, so that none of them keeps the page busy for long.

export interface Pieces {
  pieces: string[];
  /** Characters after the last piece. */
  rest: number;
}

/** A piece that is nearly full ends at an empty line, if one comes before it is full. */
const NEARLY = 0.8;

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/;

/**
 * The first `count` pieces of about `size` characters. A piece of Markdown that begins inside of a code block or a table repeats
 * its first lines. Pieces stay the same while the text grows, except for the last one.
 */
export function piecesOf(text: string, form: 'plain' | 'markdown', size: number, count = Infinity): Pieces {
  const pieces: string[] = [];
  let at = 0;
  let opening = '';
  while (at < text.length && pieces.length < count) {
    const end = text.length - at <= size ? text.length : withDivider(text, cut(text, at, size));
    const piece = opening + text.slice(at, end);
    pieces.push(piece);
    opening = form === 'plain' ? '' : openingAfter(piece, text.slice(end, end + size), size);
    at = end;
  }
  return { pieces, rest: text.length - at };
}

/** The end of a piece: after an empty line, else after a line, else after a word. */
function cut(text: string, from: number, size: number): number {
  const [least, most] = [from + size * NEARLY, from + size];
  for (const [mark, earliest] of [
    ['\n\n', least],
    ['\n', from],
    [' ', from],
  ] as const) {
    const found = text.lastIndexOf(mark, most - mark.length);
    if (found >= earliest && found > from) return found + mark.length;
  }
  // Both halves of a character outside of the basic plane stay together.
  return /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most;
}

/** The head of a table is not cut off from the line below it, which makes it a table. */
function withDivider(text: string, end: number): number {
  if (text[end - 1] !== '\n' || !text.slice(text.lastIndexOf('\n', end - 2) + 1, end).includes('|')) return end;
  const next = text.indexOf('\n', end);
  return next > 0 && DIVIDER.test(text.slice(end, next)) ? next + 1 : end;
}

/** The lines that the next piece repeats: the fence of a code block, or the head of a table. */
function openingAfter(piece: string, next: string, size: number): string {
  const lines = piece.split('\n');
  let fence: string | undefined;
  let table: string | undefined;
  lines.forEach((line, number) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) fence = line.trim().startsWith(FENCE.exec(fence)?.[1] ?? '```') ? undefined : fence;
    else if (mark !== undefined) fence = line;
    else if (DIVIDER.test(line) && (lines[number - 1] ?? '').includes('|')) table = `${lines[number - 1]}\n${line}`;
    else if (line !== '' && !line.includes('|')) table = undefined;
  });
  if (fence !== undefined) return `${fence}\n`;
  const goesOn = piece.endsWith('\n') && !piece.endsWith('\n\n') && (next.split('\n', 1)[0] ?? '').includes('|');
  return table !== undefined && goesOn && table.length < 2 * size ? `${table}\n` : '';
}
