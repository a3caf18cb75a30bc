// Asks the conversation to close its voice session; what the page shows travels in the data.
import { IntentType } from 'aileron';
import { requireActiveSession } from '../_lib/session.js';

export async function execute({ args, context }) {
  requireActiveSession(context, 'end the voice session');
  const { reason, after } = args;
  const data = { reason, after };
  if (args.closing_message) data.closingMessage = args.closing_message;
  if (args.text_response) data.textResponse = args.text_response;
  return { ok: true, data, intents: [{ type: IntentType.END_VOICE_SESSION, after }] };
}
