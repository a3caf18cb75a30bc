// A message of the person, written or spoken. Words that are still being transcribed are lighter.
import { textOf, type UIMessage } from '@aileron/client';
import { useState } from 'preact/hooks';
import { format } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { visible } from '../../../ui/visible';

/** Longer messages are folded. */
const LONG = 20_000;

export interface PersonMessageProps {
  message: UIMessage;
  spoken: boolean;
}

export function PersonMessage({ message, spoken }: PersonMessageProps) {
  const [whole, setWhole] = useState(false);
  const text = textOf(message);
  const shown = whole ? text : text.slice(0, LONG);
  const time = message.metadata?.time;
  const growing = message.parts.some((part) => part.type === 'text' && part.state === 'streaming');
  return (
    <div class={growing ? 'person person-growing' : 'person'} dir="auto" title={time === undefined ? undefined : format.exact(time)}>
      <span class="hidden-text">You {spoken ? 'said' : 'wrote'}: </span>
      {spoken ? <Icon name="wave" size={16} class="person-spoken" label="spoken" /> : null}
      {visible(shown)}
      {shown.length < text.length ? (
        <button type="button" class="json-more" onClick={() => setWhole(true)}>
          … show {format.count(text.length - shown.length)} more characters
        </button>
      ) : null}
    </div>
  );
}
