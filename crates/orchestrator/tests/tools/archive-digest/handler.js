// Has another tool search, which may take long, and shows one message when it is through.
export async function execute({ args, context }) {
  const found = await context.tools.call('kb_search', { query: args.query });
  await context.messaging.send({ type: 'archive', did: 'digested', what: args.query });
  return { ok: true, data: { searched: found.ok, error: found.error?.type ?? 'none' } };
}
