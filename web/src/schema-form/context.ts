// The context of a form, which all its fields share: the whole schema, the faults by field, and the way to change the value.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Json, Schema } from './json';

export interface FormContext {
  /** Makes the ids of the fields unique on the page. */
  id: string;
  root: Schema;
  /** Faults that the server found, by field. */
  faults: ReadonlyMap<string, readonly string[]>;
  /** Faults that can be told while typing, by field. */
  hints: ReadonlyMap<string, readonly string[]>;
  /** Sets the value at a pointer; `undefined` takes it out. */
  edit: (pointer: string, value: Json | undefined) => void;
}

export const Form = createContext<FormContext | null>(null);

export function useForm(): FormContext {
  const form = useContext(Form);
  if (form === null) throw new Error('a field needs a form around it');
  return form;
}

/** The id of the element at a pointer, for labels and for links from a list of faults. */
export function fieldId(form: FormContext, pointer: string): string {
  return `${form.id}-field${pointer}`;
}
