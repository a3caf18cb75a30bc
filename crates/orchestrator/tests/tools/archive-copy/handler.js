// Asks the archive, which may take long, and shows one message when it is through.
export async function execute({ args, context }) {
  await context.kb.get({ ids: [args.what] });
  await context.messaging.send({ type: 'archive', did: 'copied', what: args.what });
  return { ok: true, data: { copied: args.what } };
}
