// The chunks of the AI SDK's UI message stream, version 1.

import type { TaskStatus } from "../api-types.js";
import { AileronError } from "../error.js";

type Provider = { providerMetadata?: unknown };
type ToolFlags = Provider & { providerExecuted?: boolean; dynamic?: boolean; title?: string };

export type Chunk =
  | { type: "start"; messageId?: string; messageMetadata?: unknown }
  | { type: "finish"; finishReason?: string; messageMetadata?: unknown }
  | { type: "abort"; reason?: string }
  | { type: "error"; errorText: string }
  | { type: "message-metadata"; messageMetadata: unknown }
  | { type: "start-step" }
  | { type: "finish-step" }
  | ({ type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string } & Provider)
  | ({ type: "text-delta" | "reasoning-delta"; id: string; delta: string } & Provider)
  | ({ type: "tool-input-start"; toolCallId: string; toolName: string } & ToolFlags)
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | ({ type: "tool-input-available"; toolCallId: string; toolName: string; input: unknown } & ToolFlags)
  | ({ type: "tool-input-error"; toolCallId: string; toolName: string; input: unknown; errorText: string } & ToolFlags)
  | { type: "tool-approval-request"; toolCallId: string; approvalId: string }
  | ({ type: "tool-output-available"; toolCallId: string; output: unknown; preliminary?: boolean } & ToolFlags)
  | ({ type: "tool-output-error"; toolCallId: string; errorText: string } & ToolFlags)
  | { type: "tool-output-denied"; toolCallId: string }
  | ({ type: "source-url"; sourceId: string; url: string; title?: string } & Provider)
  | ({ type: "source-document"; sourceId: string; mediaType: string; title: string; filename?: string } & Provider)
  | ({ type: "file"; url: string; mediaType: string } & Provider)
  | DataChunk;

export interface DataChunk {
  type: `data-${string}`;
  id?: string;
  data: unknown;
  transient?: boolean;
}

export const badStream = (found: string): AileronError =>
  new AileronError("BAD_STREAM", `the answer is not a valid message stream: found ${found}`);

export function parseChunk(text: string): Chunk {
  try {
    const chunk = JSON.parse(text) as Chunk | null;
    if (typeof chunk?.type === "string") return chunk;
  } catch {
    // Reported below.
  }
  throw badStream(text.slice(0, 80));
}

export const isDataChunk = (chunk: Chunk): chunk is DataChunk => chunk.type.startsWith("data-");

/** The data of the server's own chunks, by the name after `data-`. */
export interface AileronData {
  confirmation: { token: string; tool: string; args: unknown; preview: string; expires: number };
  confirmed: { tool: string; output?: unknown; error?: { type: string; message: string } };
  /** A call that became a task, by the task's id: it runs, or this is its result. */
  task: { toolCallId: string; tool: string; status: TaskStatus; output?: unknown; error?: { type: string; message: string } };
  decided: { decided: "approved" | "not_approved" };
  message: { toolCallId: string; message: ToolMessage };
  progress: { toolCallId: string; phase: "started" | "running"; update?: unknown };
  partial: { toolCallId: string; index: number; data: unknown };
  effect:
    | { effect: "start_voice" }
    | { effect: "block_user"; until: number }
    | { effect: "not_confirmed"; why: string }
    | { effect: "suppress_transcript"; value: boolean };
}

/** Content from a tool for the person, such as `{type: "image", url, caption, alt}`. */
export interface ToolMessage {
  type: string;
  [field: string]: unknown;
}
