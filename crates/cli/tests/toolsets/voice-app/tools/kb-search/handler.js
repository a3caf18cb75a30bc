import { ErrorType } from '../_core/error-types.js';

export async function execute({ args, context }) {
  if (!context.session.isActive) {
    return { ok: false, error: { type: ErrorType.SESSION_INACTIVE, message: 'session ended', retryable: false } };
  }
  const hits = await context.kb.search({ query: args.query, namespace: 'studio', topK: args.top_k });
  context.audit.log('kb_search', { client: context.clientId, tools: context.session.toolsVersion });
  return {
    ok: true,
    data: { results: hits.map((hit) => ({ id: hit.id, title: hit.title, score: hit.score })) },
    meta: { toolId: context.tool.id, responseSchemaVersion: context.meta.responseSchemaVersion },
  };
}
