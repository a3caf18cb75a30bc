// SchemaForm: the arguments of a tool as fields made from its JSON Schema. It holds no value of its own.
import { useMemo } from 'preact/hooks';
import './schema-form.css';
import { Form, type FormContext } from './context';
import { type Fault, faultsByField } from './fault';
import type { Json, Schema } from './json';
import { hasField } from './place';
import { Value } from './value';

export interface SchemaFormProps {
  id: string;
  schema: Schema;
  value: Json;
  faults: readonly Fault[];
  hints: readonly Fault[];
  onEdit: (pointer: string, value: Json | undefined) => void;
}

export function SchemaForm({ id, schema, value, faults, hints, onEdit }: SchemaFormProps) {
  const form = useMemo((): FormContext => {
    const place = (list: readonly Fault[]) => faultsByField([...list], value, (pointer) => hasField(schema, value, pointer));
    return { id, root: schema, faults: place(faults), hints: place(hints), edit: onEdit };
  }, [id, schema, value, faults, hints, onEdit]);
  return (
    <Form.Provider value={form}>
      <div class="form" role="group" aria-label="Arguments">
        <Value schema={schema} pointer="" name="arguments" value={value} required bare />
      </div>
    </Form.Provider>
  );
}
