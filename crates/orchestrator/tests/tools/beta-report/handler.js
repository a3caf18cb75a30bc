// There for those who try things out.
export function execute({ args }) {
  return { ok: true, data: { report: `All about ${args.topic}.` } };
}
