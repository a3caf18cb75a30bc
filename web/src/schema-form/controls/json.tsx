// Json: a value of any form as text, for schemas that say nothing more and for values of another type than the schema's.
import { useState } from 'preact/hooks';
import { useForm } from '../context';
import { equal, type Json } from '../json';
import type { ControlProps } from '../value';

export function JsonControl({ pointer, value, required, ties }: ControlProps) {
  const form = useForm();
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const own = value === undefined ? '' : JSON.stringify(value, null, 2);
  const parsed = draft === undefined ? undefined : parse(draft);
  const shown = draft !== undefined && (parsed === undefined || (value !== undefined && equal(parsed, value))) ? draft : own;

  function set(text: string) {
    setDraft(text);
    const next = parse(text);
    if (next !== undefined) form.edit(pointer, next);
    else if (text.trim() === '' && !required) form.edit(pointer, undefined);
  }

  const unfinished = draft !== undefined && parsed === undefined && draft.trim() !== '';
  return (
    <>
      <textarea
        class="textarea form-json"
        {...ties}
        aria-invalid={ties['aria-invalid'] || unfinished}
        rows={Math.min(8, shown.split('\n').length)}
        spellcheck={false}
        placeholder="any JSON"
        value={shown}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {unfinished ? <p class="form-hint">expected JSON, found an incomplete text</p> : null}
    </>
  );
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
