// Says who travels where.
export async function execute({ args }) {
  return { ok: true, data: { plan: `${args.traveller.name}: ${args.legs.map((leg) => `${leg.to} by ${leg.by}`).join(', ')}` } };
}
