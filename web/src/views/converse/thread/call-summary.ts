// One line about a call: the argument that matters and the result in a word. Pure, so that it can be tested.
import { format } from '../../../ui/format';

const FIRST = ['query', 'question', 'text', 'prompt', 'subject', 'title', 'name', 'message', 'url', 'path', 'id', 'ids', 'image', 'reason'];
const ERRORS: Record<string, string> = {
  VALIDATION: 'invalid arguments',
  NOT_FOUND: 'not found',
  INTERNAL: 'failed',
  MODE_RESTRICTED: 'not in this mode',
  BUDGET_EXCEEDED: 'no calls left in this turn',
  CONFIRMATION_REQUIRED: 'waits for you',
  LOOP_DETECTED: 'repeated too often',
  RATE_LIMIT: 'called too often',
  UNAVAILABLE: 'not available',
  DENIED: 'declined',
  CANCELLED: 'cancelled',
  OUTCOME_UNKNOWN: 'outcome unknown',
  SESSION_INACTIVE: 'session ended',
  TRANSIENT: 'temporary failure',
  PERMANENT: 'cannot be done',
  CONFLICT: 'conflict',
};

/** The argument that says most about the call, as text. */
export function mainArgument(args: unknown): string {
  if (!isRecord(args)) return args === undefined ? '' : brief(args);
  const names = Object.keys(args);
  const name =
    FIRST.find((candidate) => candidate in args && !isEmpty(args[candidate])) ??
    names.find((candidate) => typeof args[candidate] === 'string') ??
    names[0];
  if (name === undefined) return '';
  const value = args[name];
  if (Array.isArray(value)) return value.length === 1 ? brief(value[0]) : `${format.count(value.length)} ${name}`;
  return typeof value === 'string' ? `“${value}”` : `${name}: ${brief(value)}`;
}

/** The result in a word or two, such as `5 results`. */
export function resultWord(output: unknown): string {
  if (Array.isArray(output)) return format.plural(output.length, 'item');
  if (!isRecord(output)) return output === undefined || output === null ? 'done' : brief(output);
  const lists = Object.entries(output).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [name, list] = lists.find(([key]) => key === 'results') ?? lists.sort((one, other) => other[1].length - one[1].length)[0] ?? [];
  if (name !== undefined && list !== undefined) return counted(list.length, name);
  const flag = Object.entries(output).find(([, value]) => value === true);
  return flag ? flag[0].replaceAll('_', ' ') : 'done';
}

/** The kind of an error such as `RATE_LIMITED: try later`, in words. */
export function errorWord(errorText: string): string {
  const type = /^([A-Z][A-Z_]+)\b/.exec(errorText)?.[1];
  if (type === undefined) return 'failed';
  return ERRORS[type] ?? type.toLowerCase().replaceAll('_', ' ');
}

/** The meaning of an outcome such as `refused:budgets`, in words. */
export function outcomeWord(outcome: string): string {
  const [kind, policy] = outcome.split(':');
  if (kind === 'refused' && policy) return `refused by ${policy.replaceAll('_', ' ')}`;
  return (kind ?? outcome).replaceAll('_', ' ');
}

function counted(count: number, name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${format.count(count)} ${count === 1 ? words.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : words}`;
}

function brief(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
