// Choice: one of several values as a list; choices: any of several values as check boxes.
import { visible } from '../../ui/visible';
import { useForm } from '../context';
import { equal, type Json } from '../json';
import type { ControlProps } from '../value';

interface Options {
  options: readonly Json[];
}

const LEFT_OUT = 'left-out';
const OTHER = 'other';

function words(option: Json): string {
  return typeof option === 'string' ? visible(option) : JSON.stringify(option);
}

export function ChoiceControl({ field, pointer, value, required, ties, options }: ControlProps & Options) {
  const form = useForm();
  const at = value === undefined ? -1 : options.findIndex((option) => equal(option, value));
  const shown = at >= 0 ? String(at) : value === undefined ? LEFT_OUT : OTHER;
  const set = (key: string) => {
    if (key !== OTHER) form.edit(pointer, key === LEFT_OUT ? undefined : options[Number(key)]);
  };
  const given = field.default === undefined ? 'left out' : `left out: ${JSON.stringify(field.default)}`;
  return (
    <select class="select form-select" {...ties} value={shown} onChange={(event) => set(event.currentTarget.value)}>
      {!required || value === undefined ? <option value={LEFT_OUT}>{given}</option> : null}
      {shown === OTHER && value !== undefined ? <option value={OTHER}>{words(value)} (not allowed)</option> : null}
      {options.map((option, index) => (
        <option key={index} value={String(index)}>
          {words(option)}
        </option>
      ))}
    </select>
  );
}

export function ChoicesControl({ pointer, value, required, options }: ControlProps & Options) {
  const form = useForm();
  const chosen = Array.isArray(value) ? value : [];
  function toggle(option: Json, on: boolean) {
    const next = options.filter((known) => (equal(known, option) ? on : chosen.some((one) => equal(one, known))));
    form.edit(pointer, next.length === 0 && !required ? undefined : [...next]);
  }
  return (
    <div class="form-choices">
      {options.map((option, index) => (
        <label key={index} class="form-choice">
          <input
            type="checkbox"
            checked={chosen.some((one) => equal(one, option))}
            onChange={(event) => toggle(option, event.currentTarget.checked)}
          />
          <span>{words(option)}</span>
        </label>
      ))}
    </div>
  );
}
