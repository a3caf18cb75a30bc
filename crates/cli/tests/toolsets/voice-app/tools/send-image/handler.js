export async function execute({ args, context }) {
  context.ws.send(JSON.stringify({ type: 'image', url: args.image_url }));
  return { ok: true, data: { sent: true } };
}
