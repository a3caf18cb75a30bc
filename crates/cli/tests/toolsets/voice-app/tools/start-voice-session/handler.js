export async function execute({ args, context }) {
  const { voice } = context.capabilities;
  if (voice || context.session.state.voice === 'active') {
    return { ok: false, error: { type: 'CONFLICT', message: 'voice is already on', retryable: false } };
  }
  return { ok: true, data: { action: 'start_voice_session', reason: args.reason ?? null } };
}
