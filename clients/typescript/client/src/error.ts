// The one error type of the client: an error answer of the server, or a failed connection.

/** The `code` of an error that no answer of the server caused. */
export const NETWORK = "NETWORK";

export class AileronError extends Error {
  override readonly name = "AileronError";

  constructor(
    /** A code of the server such as `BLOCKED`, or `NETWORK`. */
    readonly code: string,
    message: string,
    /** The HTTP status; 0 if there was no response. */
    readonly status: number = 0,
    /** Milliseconds after which a new attempt makes sense. */
    readonly retryAfter?: number,
    /** The other fields of the server's error, such as `until` of `BLOCKED`. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  static of(cause: unknown): AileronError {
    if (cause instanceof AileronError) return cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    return new AileronError(NETWORK, `the server cannot be reached: ${why}`);
  }

  /** Reads an error response: the JSON form of the API, or a plain sentence. */
  static async read(response: Response): Promise<AileronError> {
    const body = await response.text().catch(() => "");
    const retryAfter = retryAfterMs(response.headers.get("retry-after"));
    const error = jsonError(body);
    const code = typeof error.code === "string" ? error.code : `HTTP_${response.status}`;
    const message = typeof error.message === "string" ? error.message : body.trim() || response.statusText || code;
    return new AileronError(code, message, response.status, retryAfter, error);
  }
}

export const isAbort = (cause: unknown): boolean => cause instanceof Error && cause.name === "AbortError";

function jsonError(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = (parsed as { error?: unknown } | null)?.error;
    return typeof error === "object" && error !== null ? { ...error } : {};
  } catch {
    return {};
  }
}

/** `Retry-After` is a number of seconds or a date. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
