// A message of the person, written or spoken.
import { textOf, type UIMessage } from '@aileron/client';
import { format } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { visible } from '../../../ui/visible';

export function PersonMessage({ message }: { message: UIMessage }) {
  const spoken = message.metadata?.spoken === true;
  const time = message.metadata?.time;
  return (
    <div class="person" dir="auto" title={time === undefined ? undefined : format.exact(time)}>
      <span class="hidden-text">You {spoken ? 'said' : 'wrote'}: </span>
      {spoken ? <Icon name="wave" size={16} class="person-spoken" label="spoken" /> : null}
      {visible(textOf(message))}
    </div>
  );
}
