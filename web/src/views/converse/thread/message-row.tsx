// One row of the thread: a message with the link to its turn. Drawn again only when the message changes.
import { memo } from '../../../ui/memo';
import type { UIMessage } from '@aileron/client';
import { paths } from '../../../app/router';
import { Icon } from '../../../ui/icon';
import type { OpenConversation } from '../state/conversation';
import { ModelMessage } from './model-message';
import { PersonMessage } from './person-message';

export interface MessageRowProps {
  conversation: OpenConversation;
  message: UIMessage;
  turn: number | undefined;
  live: boolean;
  chosen: boolean;
}

export const MessageRow = memo(function MessageRow({ conversation, message, turn, live, chosen }: MessageRowProps) {
  const person = message.role === 'user';
  return (
    <article class={`row-${person ? 'person' : 'model'}${chosen ? ' row-chosen' : ''}`} data-turn={turn}>
      {person ? (
        <PersonMessage message={message} />
      ) : (
        <ModelMessage conversation={conversation} message={message} turn={turn} live={live} />
      )}
      {!person && turn !== undefined ? (
        <a
          class="row-turn tiny"
          href={chosen ? paths.conversation(conversation.id) : paths.turn(conversation.id, turn)}
          aria-label={`Turn ${turn}: inspect`}
        >
          <Icon name="panel" size={14} /> turn {turn}
        </a>
      ) : null}
    </article>
  );
});
