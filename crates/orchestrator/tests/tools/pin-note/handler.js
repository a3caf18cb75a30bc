// A write that can be counted: every run shows one message on the page.
export async function execute({ args, context }) {
  await context.messaging.send({ type: 'note', text: args.text, key: context.idempotencyKey });
  return { ok: true, data: { pinned: args.text } };
}
