// Text: one line, or several for long texts; an optional text that is empty is left out.
import { Button } from '../../ui/button';
import { useForm } from '../context';
import type { Kind } from '../field';
import type { ControlProps } from '../value';

type TextKind = Extract<Kind, { is: 'text' }>;

const EXAMPLES: Record<string, string> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  duration: 'PT30M',
  email: 'name@example.com',
  uri: 'https://example.com/',
};

export function TextControl({ field, kind, pointer, value, required, ties }: ControlProps & { kind: TextKind }) {
  const form = useForm();
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const set = (text: string) => form.edit(pointer, text === '' && !required ? undefined : text);
  const shared = {
    ...ties,
    value: shown,
    placeholder: placeholder(field.default, field.examples[0], kind.format),
    spellcheck: false,
    autocomplete: 'off' as const,
  };
  if (kind.long || shown.includes('\n')) {
    return <textarea class="textarea form-long" rows={2} {...shared} onInput={(event) => set(event.currentTarget.value)} />;
  }
  const input = (
    <input
      class="input"
      {...shared}
      type="text"
      inputMode={kind.format === 'email' ? 'email' : 'text'}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
  if (kind.format !== 'date-time') return input;
  return (
    <div class="form-with-button">
      {input}
      <Button size="small" kind="quiet" onClick={() => form.edit(pointer, new Date().toISOString().replace(/\.\d+/, ''))}>
        Now
      </Button>
    </div>
  );
}

function placeholder(given: unknown, example: unknown, format: string | undefined): string {
  if (given !== undefined) return `left out: ${JSON.stringify(given)}`;
  if (typeof example === 'string') return example;
  return EXAMPLES[format ?? ''] ?? '';
}
