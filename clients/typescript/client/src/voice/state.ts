// The states of a voice session and the faults that a person can read, each with a stable code.

import { AileronError } from "../error.js";

/** Why there is no microphone. */
export type MicrophoneFault =
  /** The person or the browser refused. */
  | { code: "mic_denied"; message: string }
  | { code: "no_device"; message: string }
  /** Another program uses it, or the system failed to open it. */
  | { code: "device_busy"; message: string }
  /** It was unplugged or switched off while in use, and there is no other. */
  | { code: "device_lost"; message: string }
  /** Browsers give access only over HTTPS or on localhost. */
  | { code: "not_secure"; message: string };

/** Why a session is over. */
export type VoiceEnd =
  | MicrophoneFault
  | { code: "ended"; message: string; reason: string; textResponse?: string }
  | { code: "signed_out"; message: string }
  | { code: "taken_over"; message: string }
  | { code: "blocked"; message: string; until?: number }
  | { code: "provider_down"; message: string }
  | { code: "server_gone"; message: string }
  /** The server refused the session; `reason` is its code, such as `other_mode` or `conversation_ended`. */
  | { code: "refused"; message: string; reason: string };

export type VoiceState =
  | { is: "idle" }
  /** The microphone is being opened, or the server is being reached for the first time. */
  | { is: "connecting" }
  | { is: "live" }
  /** The server or its provider is being reached again; the conversation stays. */
  | { is: "reconnecting"; to: "server" | "provider"; attempt: number; retryAt?: number }
  | { is: "ended"; end: VoiceEnd };

export type Microphone =
  | { is: "off" }
  | { is: "on"; deviceId: string; label: string }
  | { is: "muted"; deviceId: string; label: string }
  | { is: "failed"; fault: MicrophoneFault };

const fault = (code: MicrophoneFault["code"], message: string): MicrophoneFault => ({ code, message });

export const NOT_SECURE = fault("not_secure", "the microphone is available only over HTTPS or on localhost");
export const DEVICE_LOST = fault("device_lost", "the microphone was disconnected, and there is no other");

/** The fault behind an error of `getUserMedia`. */
export function microphoneFault(cause: unknown): MicrophoneFault {
  const name = cause instanceof Error ? cause.name : "";
  switch (name) {
    case "NotAllowedError":
      return fault("mic_denied", "the browser may not use the microphone; allow it in the page's permissions");
    case "SecurityError":
      return NOT_SECURE;
    case "NotFoundError":
    case "OverconstrainedError":
      return fault("no_device", "no microphone was found; connect one");
    default: {
      const why = cause instanceof Error ? cause.message : String(cause);
      return fault("device_busy", `the microphone cannot be opened: ${why}`);
    }
  }
}

/** The end that follows from the `ended` message of the server. */
export function endOf(
  { reason, closingMessage, textResponse }: { reason: string; closingMessage?: string; textResponse?: string },
  blockedUntil: number | undefined,
): VoiceEnd {
  switch (reason) {
    case "taken_over":
      return { code: "taken_over", message: "the conversation continues in another tab or device" };
    case "blocked":
      return {
        code: "blocked",
        message: closingMessage ?? "you are blocked for a while",
        ...(blockedUntil !== undefined && { until: blockedUntil }),
      };
    case "upstream_lost":
      return { code: "provider_down", message: closingMessage ?? "the connection to the voice provider was lost" };
    default:
      return {
        code: "ended",
        reason,
        message: closingMessage ?? `the voice session has ended (${reason})`,
        ...(textResponse !== undefined && { textResponse }),
      };
  }
}

/** The end that follows from an HTTP answer in place of a WebSocket; nothing if another attempt makes sense. */
export function endOfRefusal(error: AileronError): VoiceEnd | undefined {
  if (error.status === 401) return { code: "signed_out", message: error.message };
  if (error.code === "BLOCKED") {
    const { until } = error.details;
    return { code: "blocked", message: error.message, ...(typeof until === "number" && { until }) };
  }
  if (error.status === 403 || error.status === 404) return { code: "refused", reason: error.code, message: error.message };
  return undefined;
}
