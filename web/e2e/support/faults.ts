// Lines of the console that a test provokes.

/** Faults that an unreachable server causes. */
export const UNREACHABLE: RegExp[] = [
  /ERR_CONNECTION_(REFUSED|RESET|CLOSED)/,
  /ERR_SOCKET_NOT_CONNECTED/,
  /ERR_INCOMPLETE_CHUNKED_ENCODING/,
  /ERR_EMPTY_RESPONSE/,
];
