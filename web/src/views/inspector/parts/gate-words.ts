// The policies in words: what each decides, and what its result and its number mean.
import type { TrailStep } from '@aileron/client';
import { format } from '../../../ui/format';

const POLICIES: Record<string, { name: string; passed: string }> = {
  known_tool: { name: 'known tool', passed: 'is in the registry' },
  conversation_state: { name: 'conversation', passed: 'active, not blocked' },
  duplicates: { name: 'duplicates', passed: 'first time' },
  mode: { name: 'mode', passed: 'allowed in this mode' },
  availability: { name: 'availability', passed: 'available' },
  permission: { name: 'permission', passed: 'permitted' },
  rate_limit: { name: 'rate limit', passed: 'within the limit' },
  tasks: { name: 'tasks', passed: 'within the limit' },
  budgets: { name: 'budgets', passed: 'within the budget' },
  loops: { name: 'loops', passed: 'no repetition' },
  arguments: { name: 'arguments', passed: 'valid' },
  clamp: { name: 'limits of the mode', passed: 'applied' },
  confirmation: { name: 'confirmation', passed: 'not needed or given' },
  nesting: { name: 'nesting', passed: 'not too deep' },
  ledger: { name: 'ledger', passed: 'recorded' },
};

export function policyName(policy: string): string {
  return POLICIES[policy]?.name ?? policy.replaceAll('_', ' ');
}

/** The decision of a step, with the number it decided by. */
export function stepWords(step: TrailStep): string {
  const measured = step.measure
    ? `${format.count(step.measure.used)} of ${format.count(step.measure.limit)} ${step.measure.of.replaceAll('_', ' ')}`
    : '';
  switch (step.result) {
    case 'passed':
      return measured || (POLICIES[step.policy]?.passed ?? 'passed');
    case 'refused':
      return measured ? `refused: ${measured}` : 'refused';
    case 'asked':
      return 'asks the person';
    case 'duplicate':
      return 'a repetition: answered from the first call';
    case 'undecided':
      return measured ? `decided later: ${measured}` : 'decided when the call starts';
  }
}
