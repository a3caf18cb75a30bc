// Union: a choice of the alternatives, and the fields of the chosen one. The value decides which one is chosen.
import { visible } from '../../ui/visible';
import { useForm } from '../context';
import { asSchema, isObject, type Json } from '../json';
import { startValue } from '../start';
import { branchFor, type Branch } from '../union';
import { type ControlProps, Value } from '../value';

export function UnionControl({ pointer, value, ties, branches }: ControlProps & { branches: Branch[] }) {
  const form = useForm();
  const chosen = branchFor(form.root, branches, value);
  const branch = branches[chosen];

  /** Members that both alternatives have are kept. */
  function choose(index: number) {
    const schema = branches[index]?.schema ?? {};
    const next: Json = startValue(form.root, schema);
    if (isObject(next) && isObject(value)) {
      const properties = asSchema(schema.properties);
      for (const [name, member] of Object.entries(value)) {
        const fixed = asSchema(properties[name]).const;
        if (Object.hasOwn(properties, name) && fixed === undefined) next[name] = member;
      }
    }
    form.edit(pointer, next);
  }

  return (
    <div class="form-union">
      <select
        class="select form-select"
        id={ties.id}
        aria-labelledby={ties['aria-labelledby']}
        aria-describedby={ties['aria-describedby']}
        value={String(chosen)}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        {branches.map((each, index) => (
          <option key={index} value={String(index)}>
            {visible(each.label)}
          </option>
        ))}
      </select>
      {branch ? <Alternative branch={branch} pointer={pointer} value={value} /> : null}
    </div>
  );
}

/** The fields of an alternative. Its faults are shown at the union. */
function Alternative({ branch, pointer, value }: { branch: Branch; pointer: string; value: Json | undefined }) {
  return (
    <div class="form-alternative">
      <Value schema={branch.schema} pointer={pointer} name={branch.label} value={value} required bare inner />
    </div>
  );
}
