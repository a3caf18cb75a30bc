// Promises a number and returns a word.
export function execute() {
  return { ok: true, data: { seats: 'twelve' } };
}
