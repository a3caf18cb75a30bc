import { ErrorType, ToolError } from '../_core/error-types.js';

export async function execute({ args, context }) {
  const { duration_seconds, farewell_message } = args;
  const timeoutUntil = Date.now() + duration_seconds * 1000;
  try {
    await context.messaging.send({
      type: 'timeout',
      durationSeconds: duration_seconds,
      timeoutUntil,
      farewellMessage: farewell_message,
    });
  } catch (error) {
    throw new ToolError(ErrorType.TRANSIENT, 'the page was not told', { retryable: true });
  }
  context.audit.log('user_timeout', { client: context.clientId, timeoutUntil });
  return {
    ok: true,
    data: { timeoutUntil, duration: duration_seconds },
    intents: [
      { type: 'END_VOICE_SESSION', after: 'farewell_spoken' },
      { type: 'SUPPRESS_AUDIO', value: true },
    ],
  };
}
