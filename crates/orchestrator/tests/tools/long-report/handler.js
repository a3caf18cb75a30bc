// Returns more than a model should read, if asked to.
export function execute({ args }) {
  return { ok: true, data: { report: 'lorem ipsum '.repeat(Math.ceil(args.chars / 12)).slice(0, args.chars) } };
}
