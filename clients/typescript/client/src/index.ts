// The public interface of `@aileron/client`.

export { Aileron, type AuditFilter } from "./aileron.js";
export type * from "./api-types.js";
export { Backoff, type BackoffOptions } from "./backoff.js";
export { Chat, type ChatOptions, type ChatSnapshot } from "./chat/chat.js";
export { type AileronData, type Chunk, type DataChunk, isDataChunk, type ToolMessage } from "./chat/chunk.js";
export { toUIMessages, withConfirmations } from "./chat/history.js";
export {
  type DataPart,
  dataOf,
  type FilePart,
  isSourcePart,
  isToolPart,
  type MessageMetadata,
  type ReasoningPart,
  type SourceDocumentPart,
  type SourceUrlPart,
  textOf,
  type TextPart,
  toolName,
  type ToolPart,
  type ToolState,
  type UIMessage,
  type UIPart,
} from "./chat/message.js";
export { MessageReducer } from "./chat/reduce.js";
export { AileronError, NETWORK } from "./error.js";
export { newId } from "./new-id.js";
export type { ConnectionState, EventsOptions, EventSubscription } from "./events.js";
export type { AileronOptions, Http, HttpRequest, Query, RequestOptions } from "./http.js";
export * from "./voice/index.js";
