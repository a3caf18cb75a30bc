import { ErrorType, ToolError } from 'aileron';

// Each attempt looks first. While that fails it has another tool search and gives up for now; once
// it works it has a third tool read. So attempts at one call make different calls.
export async function execute({ args, context }) {
  const reached = await context.kb.get({ ids: [`flaky ${args.record}`] }).then(() => true, () => false);
  if (!reached) {
    await context.tools.call('kb_search', { query: 'Atlas' });
    throw new ToolError(ErrorType.TRANSIENT, 'the record cannot be reached', { retryable: true });
  }
  const read = await context.tools.call('kb_get', { ids: [args.record] });
  return { ok: true, data: { by: read.meta.toolId, title: read.data.results[0].title } };
}
