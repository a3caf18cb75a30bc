// An answer of the model: calls as lines, text with citations, messages of tools, and questions before actions.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type AileronData, dataOf, isToolPart, type ToolPart, type UIMessage, type UIPart } from '@aileron/client';
import { Icon } from '../../../ui/icon';
import { Json } from '../../../ui/json/json';
import { Markdown } from '../../../ui/markdown/markdown';
import { visible } from '../../../ui/visible';
import type { OpenConversation } from '../state/conversation';
import { idOfToken, type Question, type Questions } from '../state/questions';
import { CallLine } from './call-line';
import { type Citations, citationsOf } from './citations';
import { CiteChip } from './cite-chip';
import { QuestionCard } from './question-card';
import { ToolImage, ToolMessageView } from './tool-message';

export interface ModelMessageProps {
  conversation: OpenConversation;
  message: UIMessage;
  turn: number | undefined;
  live: boolean;
}

export function ModelMessage({ conversation, message, turn, live }: ModelMessageProps) {
  const citations = useMemo(() => citationsOf(message), [message]);
  const groups = useMemo(() => grouped(message.parts), [message]);
  const questions = asked(message, conversation.questions);
  const closed = questions.filter((question) => question.state !== 'open' && question.callId !== undefined);
  const waiting = questions.filter((question) => !closed.includes(question));
  return (
    <div class="model">
      {groups.map((group, at) =>
        Array.isArray(group) ? (
          <div class="calls" key={at}>
            {group.map((part) => (
              <CallLine key={part.toolCallId} conversation={conversation} part={part} turn={turn} live={live} />
            ))}
            {closed
              .filter((question) => group.some((part) => part.toolCallId === question.callId))
              .map((question) => (
                <QuestionCard key={question.id} conversation={conversation} id={question.id} />
              ))}
          </div>
        ) : (
          <Part key={at} part={group} citations={citations} />
        ),
      )}
      {message.metadata?.interrupted === true ? <p class="small muted">You interrupted here.</p> : null}
      {citations.unnamed.length > 0 ? <Sources citations={citations} /> : null}
      {images(message).map((image) => (
        <ToolImage key={image.url} {...image} />
      ))}
      {waiting.map((question) => (
        <QuestionCard key={question.id} conversation={conversation} id={question.id} />
      ))}
    </div>
  );
}

/** Calls that follow each other are one list; marks of steps and sources are not drawn where they stand. */
function grouped(parts: readonly UIPart[]): (UIPart | ToolPart[])[] {
  const groups: (UIPart | ToolPart[])[] = [];
  for (const part of parts) {
    if (isSaidAgain(part, parts)) continue;
    if (part.type === 'step-start' || part.type === 'data-confirmation' || part.type.startsWith('source-')) continue;
    if (dataOf(part, 'task')?.status === 'running') continue;
    const last = groups.at(-1);
    if (!isToolPart(part)) groups.push(part);
    else if (Array.isArray(last)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

/** The farewell of a block, which the model usually says in its own words as well. */
function isSaidAgain(part: UIPart, parts: readonly UIPart[]): boolean {
  const message = dataOf(part, 'message')?.message;
  const farewell = message?.type === 'timeout' ? message.farewellMessage : undefined;
  return typeof farewell === 'string' && parts.some((other) => other.type === 'text' && other.text.includes(farewell));
}

/** The questions of a message, in order. An open one stands at the end, where the answer waits; a closed one at its call. */
function asked(message: UIMessage, questions: Questions): Question[] {
  const ids = message.parts.flatMap((part) => {
    const token = dataOf(part, 'confirmation')?.token;
    if (token) return [idOfToken(token)];
    return isToolPart(part) && part.approval !== undefined ? (questions.ofCall(part.toolCallId)?.id ?? []) : [];
  });
  return [...new Set(ids)].flatMap((id) => questions.byId.value.get(id) ?? []);
}

/** Images that a stored call showed. A running answer brings them as messages of the tool. */
function images(message: UIMessage): { url: string; alt: string; caption: string }[] {
  const brought = new Set(message.parts.flatMap((part) => dataOf(part, 'message')?.toolCallId ?? []));
  return message.parts.flatMap((part) => {
    if (!isToolPart(part) || part.state !== 'output-available' || brought.has(part.toolCallId)) return [];
    const output = (part.output ?? {}) as Record<string, unknown>;
    if (output.shown !== true || typeof output.url !== 'string' || !output.url.startsWith('/v1/images/')) return [];
    const caption = typeof output.caption === 'string' ? visible(output.caption) : '';
    return [{ url: output.url, alt: caption || 'image of a tool', caption }];
  });
}

function Part({ part, citations }: { part: UIPart; citations: Citations }): ComponentChildren {
  if (part.type === 'text') return part.text.trim() ? <Markdown text={part.text} breaks record={(id) => cite(id, citations)} /> : null;
  if (part.type === 'reasoning') return <Reasoning text={(part as { text: string }).text} />;
  const shown = dataOf(part, 'message');
  if (shown) return <ToolMessageView message={shown.message} />;
  const confirmed = dataOf(part, 'confirmed');
  if (confirmed) return <Confirmed tool={confirmed.tool} error={confirmed.error} output={confirmed.output} />;
  // While it runs, the line of its call shows it.
  const task = dataOf(part, 'task');
  if (task && task.status !== 'running') return <Confirmed tool={task.tool} error={task.error} output={task.output} />;
  const decided = dataOf(part, 'decided');
  if (decided)
    return (
      <p class="small muted">
        This was already {decided.decided === 'approved' ? 'approved' : 'answered with no'}; the earlier answer counts.
      </p>
    );
  return null;
}

function cite(id: string, citations: Citations): ComponentChildren {
  const number = citations.numbers.get(id);
  const record = citations.records.get(id);
  return number === undefined || !record ? undefined : <CiteChip key={id} id={id} number={number} title={record.title} />;
}

function Sources({ citations }: { citations: Citations }) {
  return (
    <p class="sources small muted">
      Sources:{' '}
      {citations.unnamed.map((id) => (
        <span key={id} class="source">
          {cite(id, citations)} {visible(citations.records.get(id)?.title ?? id)}
        </span>
      ))}
    </p>
  );
}

function Reasoning({ text }: { text: string }) {
  if (!text.trim()) return null;
  return (
    <details class="reasoning">
      <summary>Reasoning of the model</summary>
      <Markdown text={text} breaks />
    </details>
  );
}

/** The result of a call of an earlier message: its confirmation was answered, or it ran in the background. */
function Confirmed({ tool, error, output }: Pick<AileronData['confirmed'], 'tool' | 'error' | 'output'>) {
  // The message of a denial is addressed to the model.
  const fault = error?.type === 'DENIED' ? 'not approved; nothing was done' : error?.message;
  return (
    <details class="confirmed">
      <summary>
        <Icon name={fault ? 'close' : 'check'} size={15} class={fault ? 'tone-refused' : 'tone-passed'} /> <code>{tool}</code>{' '}
        {fault ? visible(fault) : 'carried out'}
      </summary>
      {output === undefined ? null : <Json value={output} label="Result" />}
    </details>
  );
}
