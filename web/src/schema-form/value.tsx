// Value: one value of the form with its label, limits, control and faults; calls itself for the values inside.
import type { ComponentChildren } from 'preact';
import { Icon } from '../ui/icon';
import { Button } from '../ui/button';
import { visible } from '../ui/visible';
import { fieldId, useForm } from './context';
import { type Field, fieldOf } from './field';
import type { Json, Schema } from './json';
import { limitsOf } from './limits';
import { startValue } from './start';
import { ArrayControl } from './controls/array';
import { BooleanControl } from './controls/boolean';
import { ChoiceControl, ChoicesControl } from './controls/choice';
import { JsonControl } from './controls/json';
import { NumberControl } from './controls/number';
import { ObjectControl } from './controls/object';
import { TextControl } from './controls/text';
import { UnionControl } from './controls/union';

export interface ValueProps {
  schema: Schema;
  pointer: string;
  name: string;
  value: Json | undefined;
  required: boolean;
  /** Without its own label, for the root and for the alternatives of a union. */
  bare?: boolean;
  /** An alternative of a union, which shows the faults and has the id of the field. */
  inner?: boolean;
  /** Buttons at the end of the label. */
  actions?: ComponentChildren;
}

/** The properties of every control. */
export interface ControlProps {
  field: Field;
  pointer: string;
  value: Json | undefined;
  required: boolean;
  /** Attributes that tie the control to its label and its faults. */
  ties: { id: string; 'aria-labelledby': string; 'aria-describedby': string; 'aria-invalid': boolean; 'aria-required'?: boolean };
}

export function Value(props: ValueProps) {
  const { schema, pointer, name, value, required, bare = false, inner = false } = props;
  const form = useForm();
  const field = fieldOf(form.root, schema);
  const id = inner ? `${fieldId(form, pointer)}-form` : fieldId(form, pointer);
  const faults = inner ? [] : (form.faults.get(pointer) ?? []);
  const hints = inner || faults.length > 0 ? [] : (form.hints.get(pointer) ?? []);
  const ties: ControlProps['ties'] = {
    id,
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-about`,
    'aria-invalid': faults.length + hints.length > 0,
    ...(required ? { 'aria-required': true } : {}),
  };
  const control = <Control field={field} pointer={pointer} value={value} required={required} ties={ties} />;
  const nested = isNested(field);
  const messages = (
    <div class="form-about" id={`${id}-about`}>
      {field.description && !bare ? <p class="form-description">{visible(field.description)}</p> : null}
      <Messages faults={faults} hints={hints} />
    </div>
  );
  if (bare) {
    return (
      <>
        <span class="hidden-text" id={`${id}-label`}>
          {visible(name)}
        </span>
        {messages}
        {control}
      </>
    );
  }
  return (
    <div
      class={faults.length > 0 ? 'form-field form-faulty' : 'form-field'}
      role={nested ? 'group' : undefined}
      aria-labelledby={nested ? `${id}-label` : undefined}
    >
      <Label {...props} field={field} id={id} />
      {messages}
      {value === undefined && nested && field.kind.is !== 'choices' ? (
        <Add field={field} {...props} />
      ) : value === null && field.nullable ? (
        <p class="form-null">null</p>
      ) : (
        control
      )}
    </div>
  );
}

function isNested({ kind }: Field): boolean {
  return kind.is === 'object' || kind.is === 'array' || kind.is === 'union' || kind.is === 'choices';
}

function Label({ name, pointer, value, required, actions, field, id }: ValueProps & { field: Field; id: string }) {
  const form = useForm();
  const limits = limitsOf(field.schema);
  const removable = !required && value !== undefined && isNested(field);
  return (
    <div class="form-label">
      <label class="form-name" id={`${id}-label`} for={isNested(field) && field.kind.is !== 'union' ? undefined : id}>
        {visible(name)}
      </label>
      {required && actions === undefined ? <span class="form-required">required</span> : null}
      {field.deprecated ? <span class="form-deprecated">deprecated</span> : null}
      <span class="form-limits">{visible(limits.join(', '))}</span>
      {field.nullable ? (
        <Button
          size="small"
          kind="quiet"
          pressed={value === null}
          onClick={() => form.edit(pointer, value === null ? fresh(form.root, field, required) : null)}
        >
          null
        </Button>
      ) : null}
      {removable ? (
        <Button size="small" kind="quiet" icon="close" label={`Remove ${name}`} onClick={() => form.edit(pointer, undefined)} />
      ) : null}
      {actions}
    </div>
  );
}

function fresh(root: Schema, field: Field, required: boolean): Json | undefined {
  return required || isNested(field) ? startValue(root, field.schema) : undefined;
}

function Add({ name, pointer, schema, field }: ValueProps & { field: Field }) {
  const form = useForm();
  const given = field.default === undefined ? '' : ` (left out: ${JSON.stringify(field.default)})`;
  return (
    <Button size="small" icon="plus" onClick={() => form.edit(pointer, startValue(form.root, schema))}>
      {`Add ${name}${given}`}
    </Button>
  );
}

function Messages({ faults, hints }: { faults: readonly string[]; hints: readonly string[] }) {
  return (
    <>
      {faults.map((message) => (
        <p class="form-fault" key={message}>
          <Icon name="warning" size={14} label="Fault:" /> {visible(message)}
        </p>
      ))}
      {hints.map((message) => (
        <p class="form-hint" key={message}>
          <Icon name="info" size={14} label="Hint:" /> {visible(message)}
        </p>
      ))}
    </>
  );
}

function Control(props: ControlProps) {
  switch (props.field.kind.is) {
    case 'object':
      return <ObjectControl {...props} kind={props.field.kind} />;
    case 'array':
      return <ArrayControl {...props} kind={props.field.kind} />;
    case 'choices':
      return <ChoicesControl {...props} options={props.field.kind.options} />;
    case 'choice':
      return <ChoiceControl {...props} options={props.field.kind.options} />;
    case 'const':
      return <ChoiceControl {...props} options={[props.field.kind.value]} />;
    case 'text':
      return <TextControl {...props} kind={props.field.kind} />;
    case 'number':
      return <NumberControl {...props} kind={props.field.kind} />;
    case 'boolean':
      return <BooleanControl {...props} />;
    case 'union':
      return <UnionControl {...props} branches={props.field.kind.branches} />;
    case 'json':
      return <JsonControl {...props} />;
  }
}
