export async function execute({ args }) {
  return { ok: true, data: [args.query] };
}
