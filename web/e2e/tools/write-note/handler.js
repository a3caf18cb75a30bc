// Pretends to save a note.
export async function execute({ args }) {
  return { ok: true, data: { saved: args.title } };
}
