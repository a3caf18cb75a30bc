// Breaks, and quotes what nobody may see while it does so.
export function execute({ args }) {
  if (args.breaks === 'handler') throw new TypeError(`${args.name} has no line of their own`);
  return { ok: true, data: { phones: { [args.name]: 5550123 } } };
}
