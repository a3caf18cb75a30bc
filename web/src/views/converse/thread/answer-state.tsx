// The state of the last answer below the thread: waiting for the model, failed, or complete with what can be done next.
import { useEffect, useState } from 'preact/hooks';
import { isToolPart, textOf, toolName, type UIMessage } from '@aileron/client';
import { mayAct, me } from '../../../app/session';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy-button';
import { faultOf } from '../../../ui/fault';
import { Icon } from '../../../ui/icon';
import type { OpenConversation } from '../state/conversation';
import { toolIndex } from '../state/tool-index';

/** An answer that others asked for is followed within this time, so that its question is not called unanswered. */
const GRACE_MS = 1500;

export function AnswerState({ conversation }: { conversation: OpenConversation }) {
  const { status, messages, error } = conversation.thread.snapshot.value;
  const last = messages.at(-1);
  if (status === 'error' && error) return <AnswerFault conversation={conversation} error={error} />;
  if (conversation.busy && (status === 'submitted' || last?.role === 'user')) {
    return (
      <p class="thinking muted small" role="status">
        <span class="thinking-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        <span class="hidden-text">The model is answering</span>
      </p>
    );
  }
  if (status !== 'ready' || conversation.busy || last === undefined) return null;
  if (last.role === 'user') return canAnswer(conversation) ? <Unanswered key={last.id} conversation={conversation} /> : null;
  return <AnswerActions conversation={conversation} answer={last} />;
}

function AnswerActions({ conversation, answer }: { conversation: OpenConversation; answer: UIMessage }) {
  const text = textOf(answer);
  const again = canAnswer(conversation) && !hasActed(answer);
  return (
    <div class="answer-actions">
      {text ? <CopyButton text={text} label="Copy the answer" /> : null}
      {again ? <Button kind="quiet" size="small" icon="retry" label="Answer again" onClick={() => void conversation.regenerate()} /> : null}
    </div>
  );
}

/** The last message has no answer: it was stopped before its first word, or the server ended. */
function Unanswered({ conversation }: { conversation: OpenConversation }) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isOver) return null;
  return (
    <div class="answer-actions small muted" role="status">
      This message was not answered.
      <Button size="small" icon="retry" onClick={() => void conversation.regenerate()}>
        Answer it
      </Button>
    </div>
  );
}

function canAnswer(conversation: OpenConversation): boolean {
  const info = conversation.info.value;
  const active = info?.state.is !== 'ended' && info?.mode !== 'voice' && (me.value?.blockedUntil ?? 0) < Date.now();
  return active && conversation.mine && mayAct.value;
}

/** An action that was carried out cannot be undone by another answer. */
function hasActed(answer: UIMessage): boolean {
  return answer.parts.some(
    (part) => isToolPart(part) && part.state === 'output-available' && toolIndex.value.get(toolName(part))?.sideEffects === 'writes',
  );
}

function AnswerFault({ conversation, error }: { conversation: OpenConversation; error: unknown }) {
  const fault = faultOf(error);
  return (
    <section class="answer-fault" role="alert">
      <Icon name="warning" />
      <div class="grow">
        <p>{fault.message}</p>
        {fault.advice ? <p class="small muted">{fault.advice}</p> : null}
      </div>
      <Button size="small" icon="refresh" onClick={() => void conversation.retry()}>
        Try again
      </Button>
      <Button size="small" kind="quiet" icon="close" label="Dismiss" onClick={() => conversation.thread.chat.clearError()} />
    </section>
  );
}
