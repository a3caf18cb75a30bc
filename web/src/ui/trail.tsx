// Trail: the policies that a call met, in order, each with its decision and the number it decided by.
import type { TrailStep } from '@aileron/client';
import { format } from './format';
import { Icon, type IconName } from './icon';
import './trail.css';

/** The order in which a call meets the policies, to name those that it did not reach. */
const ORDER = [
  'known_tool',
  'conversation_state',
  'duplicates',
  'mode',
  'availability',
  'permission',
  'rate_limit',
  'tasks',
  'budgets',
  'loops',
  'arguments',
  'clamp',
  'confirmation',
];

const RESULTS: Record<TrailStep['result'], { words: string; icon: IconName }> = {
  passed: { words: 'passed', icon: 'check' },
  refused: { words: 'refused', icon: 'close' },
  undecided: { words: 'could not decide', icon: 'warning' },
  asked: { words: 'asks the person', icon: 'clock' },
  duplicate: { words: 'answered from an earlier call', icon: 'copy' },
};

export function Trail({ steps }: { steps: readonly TrailStep[] }) {
  const met = new Set(steps.map((step) => step.policy));
  const last = steps.at(-1);
  const stopped = last !== undefined && last.result !== 'passed';
  const rest = stopped ? ORDER.slice(ORDER.indexOf(last.policy) + 1).filter((policy) => !met.has(policy)) : [];
  return (
    <ol class="trail" aria-label="Policies that the call met">
      {steps.map((step, at) => (
        <Step key={at} step={step} />
      ))}
      {rest.length > 0 ? (
        <li class="trail-step trail-rest">
          <Icon name="dot" size={15} />
          <span class="trail-not-reached">not reached: {rest.map(policyWords).join(', ')}</span>
        </li>
      ) : null}
    </ol>
  );
}

function Step({ step }: { step: TrailStep }) {
  const shown = RESULTS[step.result] ?? { words: step.result, icon: 'dot' };
  const { measure } = step;
  return (
    <li class={`trail-step trail-${step.result}`}>
      <Icon name={shown.icon} size={15} />
      <span class="trail-policy">{policyWords(step.policy)}</span>
      <span class="trail-result">
        {shown.words}
        {measure ? (
          <span class="trail-measure num">{`${format.count(measure.used)} of ${format.count(measure.limit)} ${measure.of}`}</span>
        ) : null}
      </span>
    </li>
  );
}

/** The name of a policy as it is read: `rate_limit` as "rate limit". */
export function policyWords(policy: string): string {
  return policy.replace(/_/g, ' ');
}
