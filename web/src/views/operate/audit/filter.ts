// The filter of the audit log as the address has it, and as the API wants it. Pure.
import type { AuditFilter } from '@aileron/client';

const TEXTS = ['conversation', 'user', 'tool', 'outcome', 'error', 'call'] as const;
const TIMES = ['since', 'until'] as const;

export function filterOf(query: URLSearchParams): AuditFilter {
  const filter: AuditFilter = {};
  for (const name of TEXTS) {
    const value = query.get(name);
    if (value) filter[name] = value;
  }
  for (const name of TIMES) {
    const value = Number(query.get(name) ?? NaN);
    if (query.get(name) && Number.isSafeInteger(value) && value >= 0) filter[name] = value;
  }
  return filter;
}

/** The address of the log with a filter, for links from figures. */
export function auditPath(filter: AuditFilter): string {
  const query = new URLSearchParams();
  for (const name of [...TEXTS, ...TIMES]) {
    const value = filter[name];
    if (value !== undefined) query.set(name, String(value));
  }
  return `/operate/audit${query.size > 0 ? `?${query}` : ''}`;
}

/** An instant as the value of a `datetime-local` field, in the person's zone. */
export function toLocal(at: number | undefined): string {
  if (at === undefined) return '';
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The instant that a `datetime-local` field holds, as the address has it. */
export function fromLocal(text: string): string {
  const at = new Date(text).getTime();
  return Number.isNaN(at) ? '' : String(at);
}

/** The words of an outcome: `refused:rate_limit` as "refused by rate limit". */
export function outcomeWords(outcome: string): string {
  const [word = '', policy] = outcome.split(':');
  return `${word.replace(/_/g, ' ')}${policy === undefined ? '' : ` by ${policy.replace(/_/g, ' ')}`}`;
}

export type OutcomeTone = 'passed' | 'refused' | 'neutral';

const FAILED = new Set(['timed_out', 'panicked', 'process_died', 'failed']);

export function outcomeTone(outcome: string, error: string | undefined): OutcomeTone {
  if (outcome === 'completed' || outcome === 'replayed') return error === undefined ? 'passed' : 'refused';
  return outcome.startsWith('refused:') || FAILED.has(outcome) ? 'refused' : 'neutral';
}
