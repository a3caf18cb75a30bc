// Reads records by id, in the order asked, and reports the ids nobody has.
import { reading } from '../_lib/capability.js';
import { requireActiveSession } from '../_lib/session.js';

const OPTIONAL = ['namespace', 'tags', 'url', 'metadata'];

export async function execute({ args, context }) {
  requireActiveSession(context, 'read records');
  const ids = [...new Set(args.ids)];
  const records = await reading('read the knowledge base', () => context.kb.get({ ids }));
  const byId = new Map(records.map((record) => [record.id, record]));
  const found = ids.filter((id) => byId.has(id));
  const missing = ids.filter((id) => !byId.has(id));
  return { ok: true, data: { results: found.map((id) => shape(byId.get(id), args.max_chars)), missing } };
}

function shape(record, maxChars) {
  const { id, type, title, source_type, last_updated } = record;
  const text = cut(record.text, maxChars);
  const result = { id, type, title, text, truncated: text !== record.text, source_type, last_updated };
  for (const field of OPTIONAL) {
    if (record[field] !== undefined && record[field] !== null) result[field] = record[field];
  }
  return result;
}

/** Cuts without leaving half of a surrogate pair behind. */
function cut(text, maxChars) {
  if (text.length <= maxChars) return text;
  return text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}
