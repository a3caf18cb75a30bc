// Turns anything that was thrown into words for the person: what happened, its code, and what to do.
export interface Fault {
  message: string;
  code?: string;
  status?: number;
  advice?: string;
}

const ADVICE: Record<string, string> = {
  UNAUTHENTICATED: 'Sign in again.',
  BLOCKED: 'Wait until the block ends, or ask an operator to lift it.',
  OPERATOR_ONLY: 'Ask an operator, or sign in with a token that has the scope `operator`.',
  VIEWER_ONLY: 'You may look but not act. Sign in as the person whose conversation this is.',
  REGISTRY_GONE: 'Its registry is no longer loaded. Start a new conversation; this one can still be read.',
  ENDED: 'Start a new conversation; this one can still be read.',
  BUSY: 'Another answer is being written in this conversation. Wait for it, or stop it there.',
  ALREADY_DONE: 'An action of this turn has been carried out and cannot be undone by another answer.',
  NO_MODEL: 'Set a provider key, or use the offline provider in the settings.',
  MODEL_BUSY: 'Try again in a moment.',
  MODEL_UNAVAILABLE: 'The provider cannot be reached. Try again in a moment.',
  MODEL_REFUSED: 'The provider refused the request. Check its key and its quota.',
  TOO_MANY_REQUESTS: 'Wait a moment, then try again.',
  TOO_MANY_CONVERSATIONS: 'Wait a moment, then try again.',
  HISTORY_UNWRITABLE: 'The store cannot be written. Check the disk of the server.',
};

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Works for the client library's errors (status, code, message), for network faults and for anything else. */
export function faultOf(error: unknown): Fault {
  const code = field(error, 'code');
  const status = field(error, 'status');
  const message = field(error, 'message');
  if (code === 'NETWORK' || (error instanceof TypeError && status === undefined)) {
    return { message: 'The server cannot be reached.', advice: 'Check that it runs and that this device is connected.' };
  }
  const fault: Fault = { message: typeof message === 'string' && message ? sentence(message) : 'An unknown error occurred.' };
  if (typeof status === 'number') fault.status = status;
  if (typeof code === 'string') {
    fault.code = code;
    const advice = ADVICE[code];
    if (advice) fault.advice = advice;
  }
  return fault;
}

/** The server's messages are lower case without a full stop; on the page they are sentences. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
