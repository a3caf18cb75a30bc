// The area below the thread: the composer, or the reason why nothing can be written, with the way out.
import type { ComponentChildren } from 'preact';
import { clockOffset, mayAct, me } from '../../../app/session';
import { Button } from '../../../ui/button';
import { useNow } from '../../../ui/clock';
import { format } from '../../../ui/format';
import { Icon, type IconName } from '../../../ui/icon';
import { go, paths } from '../../../app/router';
import type { OpenConversation } from '../state/conversation';

export interface DockProps {
  conversation: OpenConversation;
  /** The composer, or the controls of the voice session. */
  children: ComponentChildren;
}

export function Dock({ conversation, children }: DockProps) {
  const blockedUntil = me.value?.blockedUntil ?? 0;
  const now = useNow(blockedUntil > Date.now() - 1000) + clockOffset.value;
  const info = conversation.info.value;
  const why =
    blockedUntil > now ? (
      <Blocked left={blockedUntil - now} until={blockedUntil} />
    ) : info?.state.is === 'ended' ? (
      <Ended reason={info.state.reason} />
    ) : !mayAct.value ? (
      <Viewer />
    ) : !conversation.mine ? (
      <ReadOnly />
    ) : undefined;
  return <div class="dock">{why ?? children}</div>;
}

function Closed({ icon, title, children }: { icon: IconName; title: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="dock-closed" role="status">
      <Icon name={icon} size={22} />
      <div class="grow">
        <p class="dock-title">{title}</p>
        <div class="small muted">{children}</div>
      </div>
    </div>
  );
}

function Blocked({ left, until }: { left: number; until: number }) {
  return (
    <Closed
      icon="block"
      title={
        <>
          You are blocked for <span class="num">{format.left(left)}</span>
        </>
      }
    >
      The agent ended the exchange. You can write again at {format.instant(until)}; an operator can lift the block earlier.
    </Closed>
  );
}

const REASONS: Record<string, string> = {
  stopped: 'It was ended by a person or a program.',
  person: 'It was ended by its person or by a program.',
  blocked: 'The person was blocked.',
  idle: 'Nothing was said for a while.',
  max_duration: 'It reached the longest time that a session may take.',
  shutdown: 'The server was stopped.',
};

function Ended({ reason }: { reason: string }) {
  return (
    <Closed icon="info" title="This conversation has ended">
      <p>{REASONS[reason] ?? `Reason: ${reason}.`} It can be read but not continued.</p>
      <p class="dock-actions">
        <Button size="small" icon="plus" onClick={() => go(paths.converse)}>
          New conversation
        </Button>
      </p>
    </Closed>
  );
}

function ReadOnly() {
  return (
    <Closed icon="info" title="You can read this conversation">
      Only its person writes in it and answers its questions.
    </Closed>
  );
}

function Viewer() {
  return (
    <Closed icon="info" title="You can look at everything and change nothing">
      To write, sign in with a token that is not limited to viewing.
    </Closed>
  );
}
