// A write that the person approves; every run shows one message on the page.
export async function execute({ args, context }) {
  await context.messaging.send({ type: 'booking', room: args.room, people: args.people });
  return { ok: true, data: { booked: args.room, people: args.people } };
}
