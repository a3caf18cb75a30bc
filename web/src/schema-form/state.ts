// The two sides of the form kept in step: one value, shown as fields and as JSON text. Text that is
// not JSON yet is kept as it is, and the fields keep the last value that was.

import { pretty, type Json } from './json';
import { write } from './pointer';

export interface FormState {
  /** The last complete value. */
  value: Json;
  /** The JSON side as the person sees it. */
  text: string;
  /** Why the text is not JSON; absent while both sides agree. */
  textFault?: TextFault;
}

export interface TextFault {
  message: string;
  /** Counted from one; absent if the text ends too early. */
  line?: number;
  column?: number;
}

export function formState(value: Json): FormState {
  return { value, text: pretty(value) };
}

/** The state after an edit of one field; `undefined` takes the field out. */
export function editField(state: FormState, pointer: string, next: Json | undefined): FormState {
  const value = write(state.value, pointer, next);
  return formState(value === undefined ? {} : value);
}

/** The deepest value that the form follows; no tool takes a deeper one. */
const DEEPEST = 64;

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

/** The state after an edit of the text. */
export function editText(state: FormState, text: string): FormState {
  if (nesting(text) > DEEPEST) {
    return { value: state.value, text, textFault: { message: `expected at most ${DEEPEST} levels of nesting, found more` } };
  }
  try {
    return { value: JSON.parse(text) as Json, text };
  } catch (error) {
    return { value: state.value, text, textFault: textFault(text, error) };
  }
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
