// Number: a text field that keeps what is being typed; text that is no number goes into the value as text, and its hint says so.
import { useState } from 'preact/hooks';
import { useForm } from '../context';
import type { Kind } from '../field';
import type { Json } from '../json';
import type { ControlProps } from '../value';

type NumberKind = Extract<Kind, { is: 'number' }>;

export function NumberControl({ field, kind, pointer, value, ties }: ControlProps & { kind: NumberKind }) {
  const form = useForm();
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const own = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const shown = draft !== undefined && read(draft) === value ? draft : own;

  function set(text: string) {
    setDraft(text);
    form.edit(pointer, read(text));
  }

  return (
    <input
      class="input form-number num"
      {...ties}
      type="text"
      inputMode={kind.integer && (kind.min ?? -1) >= 0 ? 'numeric' : 'decimal'}
      autocomplete="off"
      placeholder={field.default === undefined ? '' : `left out: ${JSON.stringify(field.default)}`}
      value={shown}
      onInput={(event) => set(event.currentTarget.value)}
      onBlur={() => setDraft(undefined)}
    />
  );
}

/** The number in a text; another text stays a text, and an empty one is no value. */
function read(text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) && /^[-+]?[\d.]/.test(trimmed) ? number : trimmed;
}
