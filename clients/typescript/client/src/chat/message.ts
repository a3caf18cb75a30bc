// The messages of a chat in the shape of the AI SDK's `UIMessage`, and how to tell their parts apart.

import type { AileronData } from "./chunk.js";

export interface UIMessage {
  id: string;
  role: "user" | "assistant";
  metadata?: MessageMetadata;
  parts: UIPart[];
}

/** Metadata of the server; other fields are kept. */
export interface MessageMetadata {
  conversationId?: string;
  registryVersion?: string;
  provider?: string;
  usage?: { inputTokens: number; outputTokens: number; cachedTokens: number; reasoningTokens: number };
  /** The turn, number and time of a message from the history. */
  turn?: number;
  number?: number;
  time?: number;
  /** The words are a transcript of speech. */
  spoken?: boolean;
  [field: string]: unknown;
}

export interface TextPart {
  type: "text";
  text: string;
  state?: "streaming" | "done";
  providerMetadata?: unknown;
}

export interface ReasoningPart {
  type: "reasoning";
  id?: string;
  text: string;
  state?: "streaming" | "done";
  providerMetadata?: unknown;
}

export type ToolState =
  | "input-streaming"
  | "input-available"
  | "approval-requested"
  | "approval-responded"
  | "output-available"
  | "output-error"
  | "output-denied";

export interface ToolPart {
  type: `tool-${string}` | "dynamic-tool";
  /** Only of a `dynamic-tool`. */
  toolName?: string;
  toolCallId: string;
  state: ToolState;
  input?: unknown;
  rawInput?: unknown;
  output?: unknown;
  errorText?: string;
  preliminary?: boolean;
  providerExecuted?: boolean;
  title?: string;
  approval?: { id: string; approved?: boolean; reason?: string };
  callProviderMetadata?: unknown;
  resultProviderMetadata?: unknown;
}

export interface SourceUrlPart {
  type: "source-url";
  sourceId: string;
  url: string;
  title?: string;
  providerMetadata?: unknown;
}

export interface SourceDocumentPart {
  type: "source-document";
  sourceId: string;
  mediaType: string;
  title: string;
  filename?: string;
  providerMetadata?: unknown;
}

export interface FilePart {
  type: "file";
  mediaType: string;
  url: string;
  filename?: string;
  providerMetadata?: unknown;
}

export interface DataPart {
  type: `data-${string}`;
  id?: string;
  data: unknown;
}

export type UIPart =
  | TextPart
  | ReasoningPart
  | ToolPart
  | SourceUrlPart
  | SourceDocumentPart
  | FilePart
  | DataPart
  | { type: "step-start" };

export const isToolPart = (part: UIPart): part is ToolPart =>
  part.type === "dynamic-tool" || part.type.startsWith("tool-");

export const isSourcePart = (part: UIPart): part is SourceUrlPart | SourceDocumentPart =>
  part.type === "source-url" || part.type === "source-document";

export const toolName = (part: ToolPart): string =>
  part.type === "dynamic-tool" ? (part.toolName ?? "") : part.type.slice("tool-".length);

/** The data of a part `data-<name>` of the server, or nothing if the part is another one. */
export function dataOf<Name extends keyof AileronData>(part: UIPart, name: Name): AileronData[Name] | undefined {
  return part.type === `data-${name}` ? ((part as DataPart).data as AileronData[Name]) : undefined;
}

/** The text of a message, without reasoning. */
export function textOf(message: UIMessage): string {
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
