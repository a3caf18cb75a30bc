// The state of the last answer below the thread: waiting for the model, failed, or complete with what can be done next.
import { useState } from 'preact/hooks';
import { mayAct, me } from '../../../app/session';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy-button';
import { faultOf } from '../../../ui/fault';
import { Icon } from '../../../ui/icon';
import { textOf } from '@aileron/client';
import type { OpenConversation } from '../state/conversation';

export function AnswerState({ conversation }: { conversation: OpenConversation }) {
  const { status, messages, error } = conversation.snapshot.value;
  const last = messages.at(-1);
  if (status === 'error' && error) return <AnswerFault conversation={conversation} error={error} />;
  if (status === 'submitted' || (status === 'streaming' && last?.role === 'user')) {
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
  if (status !== 'ready' || last?.role !== 'assistant') return null;
  return <AnswerActions conversation={conversation} text={textOf(last)} />;
}

function AnswerActions({ conversation, text }: { conversation: OpenConversation; text: string }) {
  const [fault, setFault] = useState<string | undefined>(undefined);
  const active = conversation.info.value?.state.is !== 'ended' && conversation.info.value?.mode !== 'voice' && (me.value?.blockedUntil ?? 0) < Date.now();

  async function again() {
    setFault(undefined);
    await conversation.regenerate();
    const { error } = conversation.snapshot.peek();
    if (error?.code !== 'ALREADY_DONE') return;
    conversation.chat.clearError();
    setFault('It cannot be answered again: an action of this turn has been carried out.');
    void conversation.reload();
  }

  return (
    <div class="answer-actions">
      {text ? <CopyButton text={text} label="Copy the answer" /> : null}
      {active && conversation.mine && mayAct.value ? <Button kind="quiet" size="small" icon="retry" label="Answer again" onClick={() => void again()} /> : null}
      {fault ? (
        <span class="small muted" role="status">
          {fault}
        </span>
      ) : null}
    </div>
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
      <Button size="small" kind="quiet" icon="close" label="Dismiss" onClick={() => conversation.chat.clearError()} />
    </section>
  );
}
