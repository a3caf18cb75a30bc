// Turns the fault of a capability (an error with a `code`) into the error the model is told about.
// A code that is not listed here is a defect, so it is left to become INTERNAL.
import { ErrorType, ToolError } from 'aileron';

const FAULTS = {
  TIMEOUT: { type: ErrorType.TRANSIENT, retryable: true, mayHaveHappened: true },
  UNAVAILABLE: { type: ErrorType.TRANSIENT, retryable: true, mayHaveHappened: false },
  RATE_LIMIT: { type: ErrorType.RATE_LIMIT, retryable: true, mayHaveHappened: false },
  AUTH: { type: ErrorType.AUTH, retryable: false, mayHaveHappened: false },
  CONFLICT: { type: ErrorType.CONFLICT, retryable: false, mayHaveHappened: false },
  REFUSED: { type: ErrorType.PERMANENT, retryable: false, mayHaveHappened: false },
  UNUSABLE: { type: ErrorType.PERMANENT, retryable: false, mayHaveHappened: true },
};

/** Runs a call that changes nothing outside. */
export function reading(what, call) {
  return guarded(what, call, false);
}

/** Runs a call that may change something outside, so a timeout, or an answer nobody can use, leaves the outcome open. */
export function writing(what, call) {
  return guarded(what, call, true);
}

async function guarded(what, call, writes) {
  try {
    return await call();
  } catch (fault) {
    throw asToolError(what, fault, writes);
  }
}

function asToolError(what, fault, writes) {
  const known = FAULTS[fault?.code];
  if (!known) return fault;
  const open = writes && known.mayHaveHappened;
  return new ToolError(known.type, `could not ${what}: ${reasonOf(fault, open)}`, {
    retryable: known.retryable && !open,
    partialSideEffects: open,
  });
}

function reasonOf(fault, open) {
  const reason = fault.message || fault.code.toLowerCase();
  return open ? `${reason}; it may have happened all the same` : reason;
}
