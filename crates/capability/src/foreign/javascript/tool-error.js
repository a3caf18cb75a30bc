/** The error that a handler throws to tell the fault and whether another attempt can help. */
export class ToolError extends Error {
  constructor(type, message, options = {}) {
    super(message);
    this.name = 'ToolError';
    this.type = type;
    const { retryable, partialSideEffects, idempotencyRequired, suggestion, details } = options ?? {};
    Object.assign(this, { retryable, partialSideEffects, idempotencyRequired, suggestion, details });
  }
}
