// Asks the conversation to move from text to voice, with a first sentence if one was given.
import { ErrorType, IntentType, ToolError } from 'aileron';
import { requireActiveSession } from '../_lib/session.js';

export async function execute({ args, context }) {
  requireActiveSession(context, 'start voice');
  if (context.voice.isActive()) throw alreadyOn();
  const message = args.opening_message;
  const start = { type: IntentType.START_VOICE_SESSION };
  if (!message) return { ok: true, data: { requested: true }, intents: [start] };
  return {
    ok: true,
    data: { requested: true, openingMessage: message },
    intents: [start, { type: IntentType.SET_PENDING_MESSAGE, message }],
  };
}

function alreadyOn() {
  return new ToolError(ErrorType.CONFLICT, 'voice is already on', {
    retryable: false,
    partialSideEffects: false,
    suggestion: 'go on talking',
  });
}
