// Asks the archive, which may take long, and says what it exported.
export async function execute({ args, context }) {
  await context.kb.get({ ids: [args.what] });
  return { ok: true, data: { exported: args.what } };
}
