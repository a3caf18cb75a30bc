// Calls another tool through the same gate, and tells what came of it.
export async function execute({ args, context }) {
  const answer = await context.tools.call(args.tool, JSON.parse(args.arguments));
  return { ok: true, data: { ok: answer.ok, error: answer.error?.type ?? 'none' } };
}
