// Reads nothing real: who may call it is what matters.
export function execute({ args, context }) {
  return { ok: true, data: { name: args.name, readBy: context.user.id } };
}
