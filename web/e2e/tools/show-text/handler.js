// Returns its argument, as text and as a record.
export async function execute({ args }) {
  return { ok: true, data: { text: args.text, results: [{ id: 'doc:payload', title: args.text, snippet: args.text, url: args.text }] } };
}
