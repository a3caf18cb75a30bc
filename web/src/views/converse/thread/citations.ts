// The records that an answer cites: found in the results of its calls, numbered in the order of the text.
import { isSourcePart, isToolPart, type UIMessage } from '@aileron/client';

/** A record as a retrieval tool returned it; fields besides id and title depend on the tool. */
export interface EvidenceRecord {
  id: string;
  title: string;
  url?: string;
  /** The fullest version that a call returned. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Citations {
  /** Record id to its number, from 1. */
  numbers: ReadonlyMap<string, number>;
  records: ReadonlyMap<string, EvidenceRecord>;
  /** Sources of the answer whose ids do not occur in its text, as in voice. */
  unnamed: readonly string[];
}

const MENTION = /\[(?:record:)?([a-z][\w-]*:[\w.:/-]+)\](?!\()/gi;

/** All records that the calls of a message returned, by id. Later and longer versions add their fields. */
export function evidence(message: UIMessage): Map<string, EvidenceRecord> {
  const records = new Map<string, EvidenceRecord>();
  for (const part of message.parts) {
    if (isToolPart(part) && part.state === 'output-available') collect(part.output, records);
  }
  return records;
}

function collect(output: unknown, records: Map<string, EvidenceRecord>): void {
  const results = isObject(output) ? output.results : undefined;
  if (!Array.isArray(results)) return;
  for (const item of results) {
    if (!isObject(item) || typeof item.id !== 'string' || typeof item.title !== 'string') continue;
    const fields = { ...records.get(item.id)?.fields, ...item };
    records.set(item.id, { id: item.id, title: item.title, url: typeof fields.url === 'string' ? fields.url : undefined, fields });
  }
}

export function citationsOf(message: UIMessage): Citations {
  const records = evidence(message);
  const numbers = new Map<string, number>();
  for (const part of message.parts) {
    if (part.type !== 'text') continue;
    for (const [, id] of part.text.matchAll(MENTION)) {
      if (id !== undefined && !numbers.has(id) && records.has(id)) numbers.set(id, numbers.size + 1);
    }
  }
  const unnamed = numbers.size === 0 ? quoted(message, records) : [];
  for (const id of unnamed) numbers.set(id, numbers.size + 1);
  for (const part of message.parts) {
    if (!isSourcePart(part) || numbers.has(part.sourceId)) continue;
    if (!records.has(part.sourceId)) {
      records.set(part.sourceId, {
        id: part.sourceId,
        title: part.title ?? part.sourceId,
        url: 'url' in part ? part.url : undefined,
        fields: {},
      });
    }
    numbers.set(part.sourceId, numbers.size + 1);
    unnamed.push(part.sourceId);
  }
  return { numbers, records, unnamed };
}

/** An answer without any id, as in voice, cites a record by its title in quotation marks. */
function quoted(message: UIMessage, records: ReadonlyMap<string, EvidenceRecord>): string[] {
  const words = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (!/[“"]/.test(words)) return [];
  return [...records.values()].filter(({ title }) => words.includes(`“${title}”`) || words.includes(`"${title}"`)).map(({ id }) => id);
}

/** The newest version of a record among the messages that are loaded. */
export function findRecord(messages: readonly UIMessage[], id: string): EvidenceRecord | undefined {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    const found = message?.role === 'assistant' ? citationsOf(message).records.get(id) : undefined;
    if (found) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
