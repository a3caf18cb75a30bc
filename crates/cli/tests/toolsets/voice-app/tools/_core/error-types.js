// Error types and the error that handlers throw.
export const ErrorType = {
  VALIDATION: 'VALIDATION',
  SESSION_INACTIVE: 'SESSION_INACTIVE',
  TRANSIENT: 'TRANSIENT',
  PERMANENT: 'PERMANENT',
  CONFLICT: 'CONFLICT',
};

export class ToolError extends Error {
  constructor(type, message, options = {}) {
    super(message);
    this.name = 'ToolError';
    this.type = type;
    this.retryable = options.retryable || false;
    this.partialSideEffects = options.partialSideEffects || false;
  }
}
