// A message of the person, written or spoken. Words that are still being transcribed are lighter.
import { textOf, type UIMessage } from '@aileron/client';
import { format } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { RestButton, usePieces } from '../../../ui/use-pieces';
import { visible } from '../../../ui/visible';

export interface PersonMessageProps {
  message: UIMessage;
}

export function PersonMessage({ message }: PersonMessageProps) {
  const { pieces, ...rest } = usePieces(textOf(message), 'plain');
  const { time, spoken = false } = message.metadata ?? {};
  const growing = message.parts.some((part) => part.type === 'text' && part.state === 'streaming');
  return (
    <div class={growing ? 'person person-growing' : 'person'} dir="auto" title={time === undefined ? undefined : format.exact(time)}>
      <span class="hidden-text">You {spoken ? 'said' : 'wrote'}: </span>
      {spoken ? <Icon name="wave" size={16} class="person-spoken" label="spoken" /> : null}
      {visible(pieces[0] ?? '')}
      {pieces.slice(1).map((piece, at) => (
        <span class="person-piece" key={at}>
          {visible(piece)}
        </span>
      ))}
      <RestButton {...rest} />
    </div>
  );
}
