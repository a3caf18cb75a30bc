// Boolean: yes, no, or left out if it is optional.
import { useForm } from '../context';
import type { ControlProps } from '../value';
import { ChoiceControl } from './choice';

export function BooleanControl(props: ControlProps) {
  const form = useForm();
  const { required, value, pointer, ties } = props;
  if (!required || (value !== undefined && typeof value !== 'boolean')) return <ChoiceControl {...props} options={[true, false]} />;
  const { 'aria-required': _required, ...checkTies } = ties;
  return (
    <input
      class="form-check"
      {...checkTies}
      type="checkbox"
      checked={value === true}
      onChange={(event) => form.edit(pointer, event.currentTarget.checked)}
    />
  );
}
