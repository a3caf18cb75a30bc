// The messages of the WebSocket `/v1/voice`. Audio is sent in binary frames.

import type { ConfirmationRequest, Envelope } from "../api-types.js";
import type { ToolMessage } from "../chat/chunk.js";

export type VoiceClientMessage =
  | { type: "start"; provider?: string; conversationId?: string; registry?: string }
  | { type: "text"; text: string }
  | { type: "interrupt" }
  | { type: "confirm"; token: string; approve: boolean }
  | { type: "stop" };

export type VoiceServerMessage =
  | { type: "ready"; conversationId: string; registryVersion: string; tools: string[]; provider: string; notes?: string[] }
  | { type: "transcript"; role: "user" | "assistant"; text: string; final: boolean; replaces?: boolean }
  | ({ type: "tool"; callId: string; toolId: string } & ToolPhase)
  | ({ type: "confirmation_request"; again?: boolean } & ConfirmationRequest)
  | { type: "confirmation_closed"; tokenId: string; how: "approved" | "declined" | "expired" | "superseded" }
  | { type: "message"; callId: string; message: ToolMessage }
  | { type: "interrupted" }
  | { type: "turn_complete" }
  | { type: "timeout"; durationSeconds: number; timeoutUntil: number; farewellMessage: string }
  | { type: "ended"; reason: string; closingMessage?: string; textResponse?: string }
  | { type: "error"; code: VoiceErrorCode; message: string };

export type ToolPhase =
  | { phase: "started" }
  | { phase: "progress"; update: unknown }
  | { phase: "partial"; index: number; data: unknown }
  /** The model has its first answer; the call goes on as a task. */
  | { phase: "background"; taskId: string }
  | { phase: "finished" | "cancelled"; response: Envelope }
  | { phase: "refused"; by: string; response: Envelope };

export type VoiceErrorCode =
  | "not_started"
  | "already_started"
  | "start_timeout"
  | "bad_message"
  | "bad_audio"
  | "message_too_big"
  | "too_many_messages"
  | "too_many_faults"
  | "unknown_provider"
  | "provider_unavailable"
  | "unknown_conversation"
  | "too_many_conversations"
  | "other_mode"
  | "registry_gone"
  | "unknown_registry"
  | "registry_not_allowed"
  | "conversation_ended"
  | "conversation_unreadable"
  | "store_unavailable"
  | "confirmation_refused"
  | "reconnecting"
  | "upstream_lost"
  | "audio_unsupported"
  | "reply_failed"
  | "confirmation_pending";

/** Errors after which the session continues. All others end the connection. */
const HARMLESS: ReadonlySet<VoiceErrorCode> = new Set<VoiceErrorCode>([
  "bad_message",
  "bad_audio",
  "already_started",
  "confirmation_refused",
  "audio_unsupported",
  "reply_failed",
  "confirmation_pending",
  "reconnecting",
  "upstream_lost",
]);

export const endsConnection = (code: VoiceErrorCode): boolean => !HARMLESS.has(code);

export function parseServerMessage(frame: string): VoiceServerMessage | undefined {
  try {
    const message = JSON.parse(frame) as VoiceServerMessage | null;
    return typeof message?.type === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}
