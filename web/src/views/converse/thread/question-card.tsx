// The question before an action: exactly what is bound, the time left, what each answer does, and how it was answered.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { DecisionChannel } from '@aileron/client';
import { clockOffset, mayAct } from '../../../app/session';
import { announce } from '../../../ui/announce';
import { Button } from '../../../ui/button';
import { useNow } from '../../../ui/clock';
import { format } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { Json } from '../../../ui/json/json';
import { visible } from '../../../ui/visible';
import type { OpenConversation } from '../state/conversation';
import type { Question } from '../state/questions';
import { toolIndex } from '../state/tool-index';
import { questionText } from './preview';

export interface QuestionCardProps {
  conversation: OpenConversation;
  /** The confirmation. */
  id: string;
}

export function QuestionCard({ conversation, id }: QuestionCardProps) {
  const question = conversation.questions.byId.value.get(id);
  const now = useNow(question?.state === 'open') + clockOffset.value;
  const left = question ? question.expires - now : 0;
  const heading = useId();
  const open = question?.state === 'open' && left > 0;
  const text = question ? questionText(visible(question.preview), question.toolId) : undefined;

  useEffect(() => {
    if (open && text) announce(`${text.title} ${text.body} Approve or decline it.`, 'assertive');
  }, [open]);

  useEffect(() => {
    if (question?.state === 'open' && left <= 0) conversation.questions.close(question.id, 'expired');
  }, [question?.state, left <= 0]);

  if (!question || !text) return null;
  if (!open) return <ClosedQuestion question={question} title={text.title} body={text.body} />;
  return (
    <section class="ask" aria-labelledby={heading}>
      <header class="ask-head">
        <h3 id={heading}>{text.title}</h3>
        <span class="num" title={format.exact(question.expires)}>
          {format.left(left)} left
        </span>
      </header>
      <p class="ask-body" dir="auto">
        {text.body}
      </p>
      <BoundCall question={question} />
      <Answers conversation={conversation} question={question} />
    </section>
  );
}

/** The call that an approval is bound to: the tool and its exact arguments. */
function BoundCall({ question }: { question: Question }) {
  const [open, setOpen] = useState(false);
  const tool = toolIndex.value.get(question.toolId);
  return (
    <dl class="ask-bound">
      <dt>Runs</dt>
      <dd>
        <code>{question.toolId}</code>{' '}
        <button type="button" class="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'hide the exact arguments' : 'show the exact arguments'}
        </button>
        {open ? <Json value={question.args} label="Exact arguments" /> : null}
      </dd>
      <dt>Then</dt>
      <dd class="muted">
        {tool?.sideEffects === 'writes'
          ? 'The action is carried out once, with exactly these arguments. '
          : 'The call runs once, with exactly these arguments. '}
        If you decline, nothing is done and the model is told.
      </dd>
    </dl>
  );
}

function Answers({ conversation, question }: { conversation: OpenConversation; question: Question }) {
  const [sent, setSent] = useState<boolean | undefined>(undefined);
  const answering = question.answering === true;
  if (!question.mine || !mayAct.value)
    return <footer class="ask-foot small muted">Only the person of this conversation can answer.</footer>;
  if (!question.token) return <footer class="ask-foot small muted">This question can be answered where it was asked.</footer>;

  function answer(approve: boolean) {
    setSent(approve);
    answered = { id: question.id, until: Date.now() + TAKES_FOCUS_MS };
    void conversation.answer(question.id, approve);
  }

  return (
    <footer class="ask-foot">
      <small class="faint grow">{conversation.info.value?.mode === 'voice' ? 'or say “yes” or “no”' : ''}</small>
      <Button onClick={() => answer(false)} disabled={answering} busy={answering && sent === false}>
        Decline
      </Button>
      <Button kind="primary" onClick={() => answer(true)} disabled={answering} busy={answering && sent === true}>
        Approve
      </Button>
    </footer>
  );
}

const WORDS = { open: 'Expired', approved: 'Approved', declined: 'Declined', expired: 'Expired', superseded: 'Superseded' } as const;

/** The question that was answered last, and until when it takes the focus of its button, which goes away with the answer. */
let answered = { id: '', until: 0 };
const TAKES_FOCUS_MS = 5000;

function ClosedQuestion({ question, title, body }: { question: Question; title: string; body: string }) {
  const approved = question.state === 'approved';
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const isHere = answered.id === question.id && Date.now() < answered.until;
    if (isHere && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section class="ask ask-closed" aria-label={title} ref={section} tabIndex={-1}>
      <p class={approved ? 'tone-passed' : 'tone-refused'}>
        <Icon name={approved ? 'check' : question.state === 'declined' ? 'close' : 'clock'} size={16} />{' '}
        <strong>{WORDS[question.state]}</strong>
        <span class="muted"> {closedHow(question)}</span>
      </p>
      <p class="small muted ask-closed-body" dir="auto">
        {title.replace(/\?$/, '')}: {body}
      </p>
    </section>
  );
}

function closedHow(question: Question): string {
  const { decidedBy, state } = question;
  if (state === 'expired' || state === 'open') return 'without an answer; nothing was done. Ask again if you still want it.';
  if (state === 'superseded') return supersededHow(decidedBy?.channel);
  if (!decidedBy || decidedBy.here) return 'here.';
  if (decidedBy.channel === 'speech') return 'by voice.';
  const by = decidedBy.by ? ` by ${decidedBy.by}` : '';
  return `in another place${by}.`;
}

function supersededHow(channel: DecisionChannel | undefined): string {
  if (channel === 'text' || channel === 'speech') return 'because you changed your mind; nothing was done.';
  if (channel === 'end') return 'because the conversation ended; nothing was done.';
  return 'by a newer request; nothing was done by this one.';
}
