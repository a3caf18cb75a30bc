// Array: its items in order, each with buttons to move and to remove it, and one to add another.
import { Button } from '../../ui/button';
import { useForm } from '../context';
import { fieldOf, type Kind } from '../field';
import type { Json } from '../json';
import { join } from '../pointer';
import { startValue } from '../start';
import { type ControlProps, Value } from '../value';
import { JsonControl } from './json';

type ArrayKind = Extract<Kind, { is: 'array' }>;

export function ArrayControl(props: ControlProps & { kind: ArrayKind }) {
  const { kind, pointer, value } = props;
  const form = useForm();
  if (!Array.isArray(value)) return <JsonControl {...props} />;
  const schemaAt = (index: number) => kind.first[index] ?? kind.item;
  const add = () => form.edit(pointer, [...value, startValue(form.root, schemaAt(value.length))]);
  return (
    <div class="form-inside">
      {value.map((item, index) => (
        <Value
          key={index}
          schema={schemaAt(index)}
          pointer={join(pointer, index)}
          name={itemName(index, fieldOf(form.root, schemaAt(index)).title)}
          value={item}
          required
          actions={<ItemActions list={value} index={index} pointer={pointer} />}
        />
      ))}
      <div>
        <Button size="small" icon="plus" disabled={value.length >= kind.max} onClick={add}>
          {value.length >= kind.max ? `At most ${kind.max}` : 'Add an item'}
        </Button>
      </div>
    </div>
  );
}

function itemName(index: number, title: string | undefined): string {
  return title === undefined ? `item ${index + 1}` : `${title} ${index + 1}`;
}

function ItemActions({ list, index, pointer }: { list: readonly Json[]; index: number; pointer: string }) {
  const form = useForm();
  function swap(other: number) {
    const next = [...list];
    [next[index], next[other]] = [list[other] as Json, list[index] as Json];
    form.edit(pointer, next);
  }
  return (
    <span class="form-actions">
      {list.length > 1 ? (
        <>
          <Button
            size="small"
            kind="quiet"
            icon="arrowUp"
            label={`Move item ${index + 1} up`}
            disabled={index === 0}
            onClick={() => swap(index - 1)}
          />
          <Button
            size="small"
            kind="quiet"
            icon="arrowDown"
            label={`Move item ${index + 1} down`}
            disabled={index === list.length - 1}
            onClick={() => swap(index + 1)}
          />
        </>
      ) : null}
      <Button
        size="small"
        kind="quiet"
        icon="close"
        label={`Remove item ${index + 1}`}
        onClick={() => form.edit(join(pointer, index), undefined)}
      />
    </span>
  );
}
