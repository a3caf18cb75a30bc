// A write that fails in a way that may pass, and that must not be repeated blindly.
import { ErrorType, ToolError } from 'aileron';

export function execute() {
  throw new ToolError(ErrorType.TRANSIENT, 'the bank does not answer', { partialSideEffects: false });
}
