// Reads JSON that a person or a link brings. Nesting is bounded, because checks and fields follow each level.
import type { Json } from './json';

/** The deepest value that the form follows; no tool takes a deeper one. */
const DEEPEST = 64;

const TOO_DEEP = `expected at most ${DEEPEST} levels of nesting, found more`;

export type Parsed = { value: Json } | { fault: TextFault };

/** Why a text is not JSON. */
export interface TextFault {
  message: string;
  /** Counted from one; absent if the text ends too early. */
  line?: number;
  column?: number;
}

export function parseJson(text: string): Parsed {
  if (nesting(text) > DEEPEST) return { fault: { message: TOO_DEEP } };
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { fault: textFault(text, error) };
  }
}

/** How deeply brackets are nested in a JSON text. Those inside of strings do not count. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, (depth += 1));
    else if (token === '}' || token === ']') depth -= 1;
  }
  return deepest;
}

function textFault(text: string, error: unknown): TextFault {
  if (text.trim() === '') return { message: 'expected JSON, found nothing' };
  const words = error instanceof Error ? error.message : '';
  const at = /position (\d+)/.exec(words);
  if (at === null) return { message: 'expected JSON, found an incomplete text' };
  const before = text.slice(0, Number(at[1]));
  if (before.length >= text.trimEnd().length) return { message: 'expected JSON, found an incomplete text' };
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  const found = text.charAt(before.length);
  return { message: `expected JSON, found ${JSON.stringify(found)} at line ${line}, column ${column}`, line, column };
}
