// Object: its declared members in the order of the schema, then members beyond them.
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button';
import { useForm } from '../context';
import type { Kind } from '../field';
import { asSchema, isObject, type JsonObject, type Schema } from '../json';
import { join } from '../pointer';
import { startValue } from '../start';
import { type ControlProps, Value } from '../value';
import { JsonControl } from './json';

type ObjectKind = Extract<Kind, { is: 'object' }>;

export function ObjectControl(props: ControlProps & { kind: ObjectKind }) {
  const { kind, pointer, value } = props;
  if (value !== undefined && !isObject(value)) return <JsonControl {...props} />;
  const members: JsonObject = value ?? {};
  const declared = new Set(kind.properties.map((property) => property.name));
  const others = Object.keys(members).filter((name) => !declared.has(name));
  return (
    <div class={pointer === '' ? 'form-members' : 'form-members form-inside'}>
      {kind.properties.map(({ name, schema, required }) => (
        <Value
          key={name}
          schema={schema}
          pointer={join(pointer, name)}
          name={name}
          value={Object.hasOwn(members, name) ? members[name] : undefined}
          required={required}
        />
      ))}
      {others.map((name) => (
        <Value
          key={`other-${name}`}
          schema={kind.others ?? {}}
          pointer={join(pointer, name)}
          name={name}
          value={members[name]}
          required
          actions={<Remove pointer={join(pointer, name)} name={name} />}
        />
      ))}
      {kind.properties.length === 0 && others.length === 0 && kind.others === null ? <p class="form-description">No arguments.</p> : null}
      {kind.others === null ? null : <AddMember pointer={pointer} schema={kind.others} taken={Object.keys(members)} />}
    </div>
  );
}

function Remove({ pointer, name }: { pointer: string; name: string }) {
  const form = useForm();
  return <Button size="small" kind="quiet" icon="close" label={`Remove ${name}`} onClick={() => form.edit(pointer, undefined)} />;
}

/** Adds a member of any name, for objects that allow members beyond the declared ones. */
function AddMember({ pointer, schema, taken }: { pointer: string; schema: Schema; taken: string[] }) {
  const form = useForm();
  const [name, setName] = useState('');
  const usable = name !== '' && !taken.includes(name);
  function add() {
    if (!usable) return;
    form.edit(join(pointer, name), startValue(form.root, asSchema(schema)));
    setName('');
  }
  return (
    <div class="form-with-button">
      <input
        class="input"
        aria-label={`Name of a further member${pointer === '' ? '' : ` of ${pointer}`}`}
        placeholder="name of a further member"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && add()}
      />
      <Button size="small" icon="plus" disabled={!usable} onClick={add}>
        Add
      </Button>
    </div>
  );
}
