// JsonSide: the arguments as JSON text, editable, with its fault if it is not JSON yet.
import { CopyButton } from '../../../ui/copy-button';
import type { FormState } from '../../../schema-form/state';

export function JsonSide({ form, onEdit }: { form: FormState; onEdit: (text: string) => void }) {
  const { text, textFault } = form;
  return (
    <section class="card bench-json" aria-label="JSON">
      <header class="row">
        <label class="label grow" for="bench-json">
          Arguments as JSON
        </label>
        <CopyButton text={text} label="Copy the JSON" />
      </header>
      <textarea
        id="bench-json"
        class="textarea form-json bench-json-text"
        spellcheck={false}
        value={text}
        aria-invalid={textFault !== undefined}
        aria-describedby="bench-json-fault"
        onInput={(event) => onEdit(event.currentTarget.value)}
      />
      <p id="bench-json-fault" class="form-hint">
        {textFault ? `${textFault.message}; the form shows the last complete value` : null}
      </p>
    </section>
  );
}
