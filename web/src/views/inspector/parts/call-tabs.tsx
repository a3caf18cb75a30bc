// The details of the chosen call in tabs: arguments, result, what the model saw, the record, and the prompt of the turn.
import type { CallRecord, TurnRecord } from '@aileron/client';
import { query, setQuery } from '../../../app/router';
import { Json } from '../../../ui/json/json';
import { Tabs } from '../../../ui/tabs';
import { argumentMarks, knownArguments } from './arguments-diff';
import { PromptView } from './prompt-view';
import { RecordView } from './record-view';

const KEYS = ['arguments', 'result', 'model', 'record', 'prompt'] as const;
type Key = (typeof KEYS)[number];

export function CallTabs({ turn, call }: { turn: TurnRecord; call: CallRecord | undefined }) {
  const wanted = query.value.get('tab');
  const chosen: Key = call ? (KEYS.find((key) => key === wanted) ?? 'arguments') : 'prompt';
  const tokens = turn.context ? turn.context.parts.reduce((sum, part) => sum + part.tokens, 0) : undefined;
  const prompt = { key: 'prompt' as const, label: 'Prompt', note: tokens === undefined ? undefined : `${(tokens / 1000).toFixed(1)}k` };
  const tabs = call
    ? [
        { key: 'arguments' as const, label: 'Arguments' },
        { key: 'result' as const, label: 'Result' },
        { key: 'model' as const, label: 'Model saw' },
        { key: 'record' as const, label: 'Record' },
        prompt,
      ]
    : [prompt];
  return (
    <Tabs<Key> tabs={tabs} chosen={chosen} label="Details" onChoose={(key) => setQuery({ tab: key === 'arguments' ? undefined : key })}>
      {chosen === 'prompt' || !call ? <PromptView turn={turn} /> : <CallTab chosen={chosen} call={call} />}
    </Tabs>
  );
}

function CallTab({ chosen, call }: { chosen: Exclude<Key, 'prompt'>; call: CallRecord }) {
  switch (chosen) {
    case 'arguments':
      return <ArgumentsView call={call} />;
    case 'result':
      return call.response === undefined ? (
        <NotKept call={call} yet="No result yet." />
      ) : (
        <Json value={call.response} label="Result" open={3} />
      );
    case 'model':
      return call.modelSaw === undefined ? (
        <NotKept call={call} yet="The model was given nothing yet." />
      ) : typeof call.modelSaw === 'string' ? (
        <pre class="saw">{call.modelSaw}</pre>
      ) : (
        <Json value={call.modelSaw} label="What the model was given" open={3} />
      );
    case 'record':
      return <RecordView call={call} />;
  }
}

/** The history has no results of an agent elsewhere; the record has what the call returned. */
function NotKept({ call, yet }: { call: CallRecord; yet: string }) {
  const ended = call.outcome !== undefined && call.confirmation?.state !== 'open';
  return <p class="small muted">{ended ? 'Not in the messages of this conversation. The record has what is known.' : yet}</p>;
}

function ArgumentsView({ call }: { call: CallRecord }) {
  const marks = argumentMarks(call);
  const same = Object.keys(marks).length === 0;
  return (
    <div class="arguments">
      {same ? null : <h4 class="label">As sent</h4>}
      <Json value={knownArguments(call)} label="Arguments as sent" open={4} />
      {same ? (
        <p class="small muted">{usedWords(call)}</p>
      ) : (
        <>
          <h4 class="label">As used</h4>
          <Json value={call.argsUsed} marks={marks} label="Arguments as used" open={4} />
        </>
      )}
    </div>
  );
}

function usedWords({ argsSent, argsUsed }: CallRecord): string {
  if (argsUsed === undefined) return 'They were not used: the call did not get that far.';
  return argsSent === undefined ? 'As used; how the agent sent them is not kept.' : 'Used exactly as sent.';
}
