// Its confirmation rule fails when the weight is left out.
export function execute({ args }) {
  return { ok: true, data: { sent: args.to } };
}
