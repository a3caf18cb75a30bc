// Asks the archive, which may take long, and reports when it begins to read.
export async function execute({ args, context }) {
  await context.kb.get({ ids: [args.what] });
  context.progress({ step: 'read' });
  return { ok: true, data: { read: args.what } };
}
