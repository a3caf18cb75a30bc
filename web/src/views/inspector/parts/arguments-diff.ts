// Which arguments were not used as the model sent them: defaults that were filled in, values that were clamped.
import type { CallRecord } from '@aileron/client';

/** Path of a value, as the JSON view writes it, to the reason why it differs. */
export type ArgumentMarks = Record<string, string>;

/** The arguments as sent, or as used if an agent elsewhere made the call: the history has only calls of our own agents. */
export function knownArguments(call: CallRecord): unknown {
  return call.argsSent ?? call.argsUsed ?? {};
}

export function argumentMarks(call: CallRecord): ArgumentMarks {
  if (call.argsSent === undefined || call.argsUsed === undefined) return {};
  const marks: ArgumentMarks = {};
  compare(call.argsSent, call.argsUsed, '', marks);
  for (const clamp of call.clamped ?? []) {
    const pointer = pointerOf(clamp);
    if (pointer !== undefined) marks[pointer] = clampWords(clamp);
  }
  return marks;
}

function compare(sent: unknown, used: unknown, path: string, marks: ArgumentMarks): void {
  if (isObject(sent) && isObject(used)) {
    for (const [name, value] of Object.entries(used)) {
      const here = path ? `${path}.${name}` : name;
      if (Object.hasOwn(sent, name)) compare(sent[name], value, here, marks);
      else marks[here] = 'default';
    }
  } else if (Array.isArray(sent) && Array.isArray(used)) {
    used.forEach((value, at) => at < sent.length && compare(sent[at], value, path ? `${path}.${at}` : String(at), marks));
  } else if (JSON.stringify(sent) !== JSON.stringify(used) && path) {
    marks[path] = `sent as ${JSON.stringify(sent)}`;
  }
}

/** A clamp is reported with a JSON Pointer, `/filters/type`. */
function pointerOf(clamp: unknown): string | undefined {
  const pointer = typeof clamp === 'string' ? clamp : isObject(clamp) ? clamp.pointer : undefined;
  if (typeof pointer !== 'string') return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function clampWords(clamp: unknown): string {
  return isObject(clamp) && 'from' in clamp ? `clamped from ${JSON.stringify(clamp.from)}` : 'clamped';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
