// Blocks the person: tells the page, leaves an audit note, asks the conversation to close.
import { IntentType } from 'aileron';
import { writing } from '../_lib/capability.js';
import { requireActiveSession } from '../_lib/session.js';

export async function execute({ args, context }) {
  requireActiveSession(context, 'block the person');
  const duration = args.duration_seconds;
  const timeoutUntil = context.now() + duration * 1000;
  await writing('announce the block', () => context.messaging.send(announcement(args, timeoutUntil)));
  context.audit.log('user_timeout', { duration, timeoutUntil, reason: args.reason });
  return {
    ok: true,
    data: { timeoutUntil, duration, reason: args.reason },
    intents: intents(context.mode, timeoutUntil),
  };
}

function announcement(args, timeoutUntil) {
  return {
    type: 'timeout',
    durationSeconds: args.duration_seconds,
    timeoutUntil,
    farewellMessage: args.farewell_message,
  };
}

/** Text has no session to end and no audio to silence. */
function intents(mode, until) {
  const block = { type: IntentType.BLOCK_USER, until };
  if (mode !== 'voice') return [block];
  return [
    block,
    { type: IntentType.END_VOICE_SESSION, after: 'farewell_spoken' },
    { type: IntentType.SUPPRESS_AUDIO, value: true },
  ];
}
