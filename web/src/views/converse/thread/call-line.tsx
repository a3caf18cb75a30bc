// One call of a tool as one line: name, the argument that matters, the result in a word, the time. Opens to its details.
import { useState } from 'preact/hooks';
import { type TaskStatus, toolName, type ToolPart } from '@aileron/client';
import { paths, route, query } from '../../../app/router';
import { Button } from '../../../ui/button';
import { useNow } from '../../../ui/clock';
import { Duration } from '../../../ui/duration';
import { format } from '../../../ui/format';
import { Icon, type IconName } from '../../../ui/icon';
import { Json } from '../../../ui/json/json';
import { visible } from '../../../ui/visible';
import type { OpenConversation } from '../state/conversation';
import type { Question } from '../state/questions';
import { toolIndex } from '../state/tool-index';
import { CallPieces } from './call-pieces';
import { errorWord, mainArgument, outcomeWord, resultWord } from './call-summary';

type Tone = 'passed' | 'refused' | 'waits' | 'running' | 'faint';

const ICONS: Record<Tone, IconName> = { passed: 'check', refused: 'close', waits: 'clock', running: 'dot', faint: 'minus' };

export interface CallLineProps {
  conversation: OpenConversation;
  part: ToolPart;
  turn: number | undefined;
  /** The answer is still being written, so that a call without a result is running. */
  live: boolean;
}

export function CallLine({ conversation, part, turn, live }: CallLineProps) {
  const [open, setOpen] = useState(false);
  const facts = conversation.facts.of(part.toolCallId);
  const question = conversation.questions.ofCall(part.toolCallId) ?? openFor(conversation, part);
  const name = toolName(part);
  const waiting = question?.state === 'open' && part.state === 'approval-requested';
  const running =
    live && !waiting && (part.state === 'input-streaming' || part.state === 'input-available' || part.state === 'approval-responded');
  // The duration of a call that asked the person is that of asking.
  const duration = question && facts.duration === 0 ? undefined : facts.duration;
  const task = facts.task?.status === 'running' ? facts.task : undefined;
  const [tone, word] = facts.task
    ? taskState(part, facts.task.status, facts.progress)
    : lineState(part, running, waiting, question?.state, facts.progress, facts.outcome);
  const budget = toolIndex.value.get(name)?.latencyBudgetMs;
  const chosen = route.value.view === 'converse' && query.value.get('call') === part.toolCallId;

  return (
    <div class={chosen ? 'call call-chosen' : 'call'}>
      <button type="button" class="call-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class={`call-icon tone-${tone}`}>
          {running || task ? <span class="spinner" aria-hidden="true" /> : <Icon name={ICONS[tone]} size={15} />}
        </span>
        <span class="call-name mono">{visible(name)}</span>
        <span class="call-argument cut">{visible(mainArgument(part.input))}</span>
        <span class={tone === 'passed' ? 'call-word' : `call-word tone-${tone}`}>{word}</span>
        <span class="call-time">
          <CallTime running={running || task !== undefined} startedAt={facts.startedAt} duration={duration} budget={budget} />
        </span>
      </button>
      {facts.pieces && (task || (part.state !== 'output-available' && (running || open))) ? <CallPieces pieces={facts.pieces} /> : null}
      {task && conversation.mine ? (
        <Button size="small" icon="stop" onClick={() => void conversation.cancelTask(task.id)}>
          Cancel {visible(name)}
        </Button>
      ) : null}
      {open ? (
        <CallDetails
          part={part}
          budget={budget}
          duration={duration}
          attempts={facts.attempts}
          inspect={turn === undefined ? undefined : paths.turn(conversation.id, turn, part.toolCallId)}
          tool={name}
        />
      ) : null}
    </div>
  );
}

/** A call that goes on after its first answer. */
function taskState(part: ToolPart, status: TaskStatus, progress?: string): [Tone, string] {
  if (status === 'running') return ['running', progress ? `in the background: ${progress}` : 'in the background'];
  if (status !== 'completed') return ['refused', status === 'failed' ? errorWord(part.errorText ?? '') : status.replaceAll('_', ' ')];
  const output = part.output as { taskId?: unknown } | undefined;
  return ['passed', output?.taskId === undefined ? resultWord(part.output) : 'done'];
}

/** In voice a question names its tool but not its call. */
function openFor(conversation: OpenConversation, part: ToolPart): Question | undefined {
  if (part.state !== 'approval-requested') return undefined;
  return [...conversation.questions.byId.value.values()].findLast(
    (question) => question.callId === undefined && question.toolId === toolName(part),
  );
}

function lineState(
  part: ToolPart,
  running: boolean,
  waiting: boolean,
  asked: string | undefined,
  progress?: string,
  outcome?: string,
): [Tone, string] {
  if (running) return ['running', progress || 'running'];
  if (waiting) return ['waits', 'waits for you'];
  switch (part.state) {
    case 'output-available':
      return ['passed', resultWord(part.output)];
    case 'output-error':
      // The handler of a completed call may have reported a fault.
      return outcome === undefined || outcome === 'failed' || outcome === 'completed'
        ? ['refused', errorWord(part.errorText ?? '')]
        : ['refused', outcomeWord(outcome)];
    case 'output-denied':
      return ['refused', asked === 'expired' || asked === 'superseded' ? asked : 'declined'];
    case 'approval-responded':
      return ['passed', 'approved'];
    case 'approval-requested':
      return ['faint', asked ?? 'was asked'];
    default:
      // A stopped answer has no result of the call, but the event says what became of it.
      return outcome === undefined
        ? ['faint', 'no result']
        : outcome === 'completed'
          ? ['passed', 'done']
          : ['refused', outcomeWord(outcome)];
  }
}

interface CallTimeProps {
  running: boolean;
  startedAt?: number;
  duration?: number;
  budget?: number;
}

/** A running call counts up; a bar shows how much of its budget is used. */
function CallTime({ running, startedAt, duration, budget }: CallTimeProps) {
  const now = useNow(running && startedAt !== undefined);
  if (!running) return duration === undefined ? <span class="faint">–</span> : <Duration ms={duration} budget={budget} />;
  if (startedAt === undefined) return <span class="faint">–</span>;
  const used = now - startedAt;
  return (
    <span class="call-running num">
      {budget ? (
        <progress
          class="call-progress"
          max={budget}
          value={Math.min(used, budget)}
          aria-label={`${format.duration(used)} of ${format.duration(budget)}`}
        />
      ) : null}
      {format.duration(Math.floor(used / 100) * 100)}
    </span>
  );
}

interface CallDetailsProps {
  part: ToolPart;
  tool: string;
  duration?: number;
  attempts?: number;
  budget?: number;
  inspect?: string;
}

function CallDetails({ part, tool, duration, attempts, budget, inspect }: CallDetailsProps) {
  return (
    <div class="call-details">
      <p class="row small muted">
        <a href={paths.tool(tool)}>Tool</a>
        {inspect ? <a href={inspect}>Every decision about this call</a> : null}
        {duration !== undefined ? (
          <span class="num">
            {format.duration(duration)}
            {budget ? ` of a budget of ${format.duration(budget)}` : ''}
            {attempts !== undefined && attempts > 1 ? `, ${attempts} attempts` : ''}
          </span>
        ) : null}
      </p>
      <h3 class="label">Arguments</h3>
      <Json value={part.input ?? part.rawInput} label="Arguments" />
      {part.state === 'output-available' ? (
        <>
          <h3 class="label">Result</h3>
          <Json value={part.output} label="Result" />
        </>
      ) : null}
      {part.errorText ? (
        <>
          <h3 class="label">Fault</h3>
          <p class="call-fault">{visible(part.errorText)}</p>
        </>
      ) : null}
    </div>
  );
}
