// Never reached by a person without a level: the rule of the tool cannot be evaluated then.
export function execute({ args }) {
  return { ok: true, data: { done: args.errand } };
}
