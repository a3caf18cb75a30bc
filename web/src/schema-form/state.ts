// The two sides of the form kept in step: one value, shown as fields and as JSON text. Text that is
// not JSON yet is kept as it is, and the fields keep the last value that was.

import { pretty, type Json } from './json';
import { parseJson, type TextFault } from './parse';
import { write } from './pointer';

export interface FormState {
  /** The last complete value. */
  value: Json;
  /** The JSON side as the person sees it. */
  text: string;
  /** Why the text is not JSON; absent while both sides agree. */
  textFault?: TextFault;
}

export function formState(value: Json): FormState {
  return { value, text: pretty(value) };
}

/** The state after an edit of one field; `undefined` takes the field out. */
export function editField(state: FormState, pointer: string, next: Json | undefined): FormState {
  const value = write(state.value, pointer, next);
  return formState(value === undefined ? {} : value);
}

/** The state after an edit of the text. */
export function editText(state: FormState, text: string): FormState {
  const parsed = parseJson(text);
  return 'fault' in parsed ? { value: state.value, text, textFault: parsed.fault } : { value: parsed.value, text };
}
