// The check a tool makes before it touches anything that belongs to a session.
import { ErrorType, ToolError } from 'aileron';

export function requireActiveSession(context, action) {
  if (context.session.isActive) return;
  throw new ToolError(ErrorType.SESSION_INACTIVE, `cannot ${action}: the session has ended`, {
    retryable: false,
    partialSideEffects: false,
  });
}
