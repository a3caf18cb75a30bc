// Says yes; how often it may be asked is what matters.
export function execute({ args }) {
  return { ok: true, data: { service: args.service, up: true } };
}
