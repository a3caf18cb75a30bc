// Searches the knowledge base and shapes each hit as evidence.
import { ErrorType, ToolError } from 'aileron';
import { reading } from '../_lib/capability.js';
import { parseInstant } from '../_lib/datetime.js';
import { requireActiveSession } from '../_lib/session.js';

const DEFAULT_FIELDS = ['snippet', 'metadata', 'url'];

export async function execute({ args, context }) {
  requireActiveSession(context, 'search');
  requireOrderedDates(args.filters?.date_range);
  const fields = wantedFields(args);
  const hits = await reading('search the knowledge base', () => context.kb.search(request(args, fields)));
  return { ok: true, data: { results: hits.map((hit) => evidence(hit, fields)) } };
}

/** A mode limit may have emptied the list; an empty list means the default one. */
function wantedFields({ return_fields: asked, include_snippets: snippets }) {
  const fields = asked?.length ? asked : DEFAULT_FIELDS;
  return snippets ? fields : fields.filter((field) => field !== 'snippet');
}

function request(args, fields) {
  return {
    query: args.query,
    namespace: args.namespace,
    filters: args.filters ?? {},
    topK: args.top_k,
    returnFields: fields,
    includeSnippets: fields.includes('snippet'),
  };
}

function evidence(hit, fields) {
  const { id, type, title, score, source_type, last_updated } = hit;
  const result = { id, type, title, score, source_type, last_updated };
  for (const field of fields) {
    const value = optionalField(hit, field);
    if (value !== undefined && value !== null) result[field] = value;
  }
  return result;
}

function optionalField(hit, field) {
  if (field === 'full_text') return hit.text;
  if (field === 'sources') return [source(hit)];
  return hit[field];
}

function source({ source_type, last_updated, url }) {
  return url ? { source_type, last_updated, url } : { source_type, last_updated };
}

function requireOrderedDates(range) {
  if (!range?.start || !range.end) return;
  if (parseInstant(range.start) <= parseInstant(range.end)) return;
  throw new ToolError(ErrorType.PERMANENT, 'expected date_range.start before date_range.end, found it after', {
    retryable: false,
    suggestion: 'swap the two dates',
  });
}
