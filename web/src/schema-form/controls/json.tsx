// Json: a value of any form as text, for schemas that say nothing more and for values of another type than the schema's.
import { useState } from 'preact/hooks';
import { useForm } from '../context';
import { equal } from '../json';
import { parseJson } from '../parse';
import type { ControlProps } from '../value';

export function JsonControl({ pointer, value, required, ties }: ControlProps) {
  const form = useForm();
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const own = value === undefined ? '' : JSON.stringify(value, null, 2);
  const parsed = draft === undefined ? undefined : parseJson(draft);
  const isOwn = parsed !== undefined && ('fault' in parsed || (value !== undefined && equal(parsed.value, value)));
  const shown = draft !== undefined && isOwn ? draft : own;

  function set(text: string) {
    setDraft(text);
    const next = parseJson(text);
    if ('value' in next) form.edit(pointer, next.value);
    else if (text.trim() === '' && !required) form.edit(pointer, undefined);
  }

  const fault = parsed !== undefined && 'fault' in parsed && shown.trim() !== '' ? parsed.fault.message : undefined;
  return (
    <>
      <textarea
        class="textarea form-json"
        {...ties}
        aria-invalid={ties['aria-invalid'] || fault !== undefined}
        rows={Math.min(8, shown.split('\n').length)}
        spellcheck={false}
        placeholder="any JSON"
        value={shown}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {fault ? <p class="form-hint">{fault}</p> : null}
    </>
  );
}
