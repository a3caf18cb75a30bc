// The policies that decided about a call, in order, each with its result and its number; then what the handler did.
import type { CallRecord } from '@aileron/client';
import { format } from '../../../ui/format';
import { Icon, type IconName } from '../../../ui/icon';
import { visible } from '../../../ui/visible';
import { channelWords } from '../../approvals/entries';
import { outcomeWord } from '../../converse/thread/call-summary';
import { policyName, stepWords } from './gate-words';

const LOOK: Record<CallRecord['trail'][number]['result'], [IconName, string]> = {
  passed: ['check', 'tone-passed'],
  refused: ['close', 'tone-refused'],
  asked: ['clock', 'tone-waits'],
  duplicate: ['copy', 'tone-waits'],
  undecided: ['dot', 'tone-faint'],
};

export function Gates({ call }: { call: CallRecord }) {
  return (
    <section>
      <h3 class="label">
        Gates of <span class="gates-tool">{call.toolId}</span>
      </h3>
      {call.trail.length === 0 ? <p class="small muted">The decisions about this call are not recorded.</p> : null}
      <ol class="gates">
        {call.trail.map((step, at) => {
          const [icon, tone] = LOOK[step.result];
          const decided = step.result !== 'passed';
          return (
            <li key={at} class={decided ? `gate gate-decided ${tone}` : 'gate'}>
              <Icon name={icon} size={14} class={tone} label={step.result} />
              <span class="gate-name">{policyName(step.policy)}</span>
              <span class={decided ? 'num' : 'num muted'}>{stepWords(step)}</span>
            </li>
          );
        })}
        <Answered call={call} />
        <Execution call={call} />
      </ol>
    </section>
  );
}

/** How the person answered, and after what time. */
function Answered({ call }: { call: CallRecord }) {
  const { confirmation } = call;
  if (!confirmation || confirmation.state === 'open') return null;
  const { state, decision, askedAt } = confirmation;
  const approved = state === 'approved';
  const how = decision
    ? ` ${channelWords(decision.channel)}${decision.by ? ` of ${visible(decision.by)}` : ''} after ${format.duration(decision.at - askedAt)}`
    : '';
  return (
    <li class={approved ? 'gate' : 'gate gate-decided tone-refused'}>
      <Icon name={approved ? 'check' : 'close'} size={14} class={approved ? 'tone-passed' : 'tone-refused'} />
      <span class="gate-name">the person</span>
      <span class={approved ? 'num muted' : 'num'}>
        {state}
        {how}
      </span>
    </li>
  );
}

function Execution({ call }: { call: CallRecord }) {
  const [icon, tone, words] = execution(call);
  return (
    <li class={tone === 'tone-refused' ? `gate gate-decided ${tone}` : 'gate'}>
      <Icon name={icon} size={14} class={tone} />
      <span class="gate-name">execute</span>
      <span class={tone === 'tone-refused' ? 'num' : 'num muted'}>{words}</span>
    </li>
  );
}

function execution(call: CallRecord): [IconName, string, string] {
  const { outcome, startedAt, finishedAt, attempts = 1, budgetMs } = call;
  if (call.confirmation?.state === 'open') return ['dot', 'tone-faint', 'not yet'];
  if (outcome === undefined) return startedAt === undefined ? ['dot', 'tone-faint', 'not yet'] : ['dot', 'tone-running', 'running'];
  if (outcome.startsWith('refused') || outcome === 'denied') return ['dot', 'tone-faint', 'not run'];
  const took = startedAt !== undefined && finishedAt !== undefined ? format.duration(finishedAt - startedAt) : undefined;
  const budget = took && budgetMs ? ` of ${format.duration(budgetMs)}` : '';
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  const good = outcome === 'completed';
  const over = call.overBudget ? ', over its budget' : '';
  return [
    good ? 'check' : 'close',
    good ? 'tone-passed' : 'tone-refused',
    `${outcomeWord(outcome)}${took ? ` in ${took}${budget}` : ''}${tries}${over}`,
  ];
}
