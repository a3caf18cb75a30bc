// Applies the chunks of a UI message stream to one message, as the AI SDK does.
// The message is replaced, never changed: parts that a chunk does not touch keep their identity.

import { badStream, type Chunk, isDataChunk } from "./chunk.js";
import { isToolPart, type MessageMetadata, type ToolPart, type UIMessage, type UIPart } from "./message.js";
import { parsePartialJson } from "./partial-json.js";

type StreamedPart = Extract<UIPart, { type: "text" | "reasoning" }>;

export class MessageReducer {
  finishReason: string | undefined;
  private current: UIMessage;
  /** The positions of text and reasoning parts that are still written, by `type` and id of the stream. */
  private open = new Map<string, number>();
  private partialInputs = new Map<string, string>();

  /** `base` is the message that the stream continues, or an empty one. */
  constructor(base: UIMessage) {
    this.current = base;
  }

  get message(): UIMessage {
    return this.current;
  }

  apply(chunk: Chunk): void {
    if (isDataChunk(chunk)) return this.data(chunk);
    switch (chunk.type) {
      case "start":
        if (chunk.messageId !== undefined) this.current = { ...this.current, id: chunk.messageId };
        return this.metadata(chunk.messageMetadata);
      case "finish":
        this.finishReason = chunk.finishReason;
        return this.metadata(chunk.messageMetadata);
      case "message-metadata":
        return this.metadata(chunk.messageMetadata);
      case "start-step":
        return this.push({ type: "step-start" });
      case "finish-step":
        return this.open.clear();
      case "text-start":
        return this.startText({ type: "text", text: "", state: "streaming" }, chunk);
      case "reasoning-start":
        return this.startText({ type: "reasoning", id: chunk.id, text: "", state: "streaming" }, chunk);
      case "text-delta":
      case "reasoning-delta":
        return this.updateText(chunk, (part) => ({ ...part, text: part.text + chunk.delta }));
      case "text-end":
      case "reasoning-end":
        this.updateText(chunk, (part) => ({ ...part, state: "done" }));
        this.open.delete(textKey(chunk));
        return;
      case "tool-input-start":
        this.partialInputs.set(chunk.toolCallId, "");
        return this.callInput(chunk, { state: "input-streaming" });
      case "tool-input-delta":
        return this.inputDelta(chunk.toolCallId, chunk.inputTextDelta);
      case "tool-input-available":
        return this.callInput(chunk, { state: "input-available", input: chunk.input });
      case "tool-input-error":
        return this.inputError(chunk);
      case "tool-approval-request":
        return this.updateCall(chunk.toolCallId, { state: "approval-requested", approval: { id: chunk.approvalId } });
      case "tool-output-available":
        return this.output(chunk, { state: "output-available", output: chunk.output, preliminary: chunk.preliminary });
      case "tool-output-error":
        return this.output(chunk, { state: "output-error", errorText: chunk.errorText });
      case "tool-output-denied":
        return this.updateCall(chunk.toolCallId, { state: "output-denied" });
      case "source-url":
      case "source-document":
      case "file":
        return this.push({ ...chunk });
      case "abort":
      case "error":
        return;
    }
  }

  private metadata(metadata: unknown): void {
    if (!isObject(metadata)) return;
    this.current = { ...this.current, metadata: merge(this.current.metadata ?? {}, metadata) as MessageMetadata };
  }

  private push(part: UIPart): void {
    this.current = { ...this.current, parts: [...this.current.parts, part] };
  }

  private replace(index: number, part: UIPart): void {
    this.current = { ...this.current, parts: this.current.parts.with(index, part) };
  }

  private startText(part: StreamedPart, chunk: { id: string; providerMetadata?: unknown }): void {
    this.open.set(`${part.type} ${chunk.id}`, this.current.parts.length);
    this.push(defined<StreamedPart>({ ...part, providerMetadata: chunk.providerMetadata }));
  }

  private updateText(
    chunk: { type: string; id: string; providerMetadata?: unknown },
    change: (part: StreamedPart) => StreamedPart,
  ): void {
    const index = this.open.get(textKey(chunk));
    if (index === undefined) throw badStream(`${chunk.type} for ${chunk.id}, which was not started`);
    const part = change(this.current.parts[index] as StreamedPart);
    const { providerMetadata = part.providerMetadata } = chunk;
    this.replace(index, defined<StreamedPart>({ ...part, providerMetadata }));
  }

  /** The arguments of a call: updates its part in the current step, or adds one. */
  private callInput(
    chunk: Extract<Chunk, { toolCallId: string; toolName: string }>,
    change: { state: ToolPart["state"]; input?: unknown; rawInput?: unknown; errorText?: string },
  ): void {
    const index = this.findCall(chunk.toolCallId, this.stepStart(), chunk.dynamic === true);
    const { title, providerExecuted } = chunk;
    const identity: Pick<ToolPart, "type" | "toolName"> = chunk.dynamic
      ? { type: "dynamic-tool", toolName: chunk.toolName }
      : { type: `tool-${chunk.toolName}` };
    const before = index < 0 ? undefined : (this.current.parts[index] as ToolPart);
    const part = defined({
      toolCallId: chunk.toolCallId,
      title: title ?? before?.title,
      providerExecuted: providerExecuted ?? before?.providerExecuted,
      approval: before?.approval,
      callProviderMetadata: chunk.providerMetadata ?? before?.callProviderMetadata,
      ...identity,
      ...change,
    });
    if (index < 0) this.push(part);
    else this.replace(index, part);
  }

  private inputDelta(toolCallId: string, delta: string): void {
    const before = this.partialInputs.get(toolCallId);
    if (before === undefined) throw badStream(`tool-input-delta for ${toolCallId}, which was not started`);
    const rawInput = before + delta;
    this.partialInputs.set(toolCallId, rawInput);
    this.updateCall(toolCallId, { state: "input-streaming", input: parsePartialJson(rawInput), rawInput });
  }

  private inputError(chunk: Extract<Chunk, { type: "tool-input-error" }>): void {
    const existing = this.current.parts.slice(this.stepStart()).find((part) => isCall(part, chunk.toolCallId));
    const dynamic = existing ? existing.type === "dynamic-tool" : chunk.dynamic === true;
    const input = dynamic ? { input: chunk.input } : { rawInput: chunk.input };
    this.callInput({ ...chunk, dynamic }, { state: "output-error", errorText: chunk.errorText, ...input });
  }

  private output(chunk: Extract<Chunk, { type: "tool-output-available" | "tool-output-error" }>, change: Change): void {
    const { providerExecuted, providerMetadata: resultProviderMetadata } = chunk;
    const { state, ...rest } = change;
    this.updateCall(chunk.toolCallId, {
      output: undefined,
      errorText: undefined,
      preliminary: undefined,
      ...(providerExecuted !== undefined && { providerExecuted }),
      ...(resultProviderMetadata !== undefined && { resultProviderMetadata }),
      ...(state === "output-available" && { rawInput: undefined }),
      ...rest,
      state,
    });
  }

  private updateCall(toolCallId: string, change: Change): void {
    let index = this.findCall(toolCallId, this.stepStart());
    if (index < 0) index = this.current.parts.findLastIndex((part) => isCall(part, toolCallId));
    if (index < 0) throw badStream(`a result for the call ${toolCallId}, which was not started`);
    this.replace(index, defined({ ...(this.current.parts[index] as ToolPart), ...change }));
  }

  private findCall(toolCallId: string, from: number, dynamic?: boolean): number {
    return this.current.parts.findIndex(
      (part, index) =>
        index >= from && isCall(part, toolCallId) && (dynamic === undefined || dynamic === (part.type === "dynamic-tool")),
    );
  }

  private stepStart(): number {
    return this.current.parts.findLastIndex((part) => part.type === "step-start") + 1;
  }

  private data(chunk: Extract<Chunk, { data: unknown }>): void {
    if (chunk.transient) return;
    const index =
      chunk.id === undefined
        ? -1
        : this.current.parts.findIndex((part) => part.type === chunk.type && "id" in part && part.id === chunk.id);
    if (index < 0) this.push({ ...chunk });
    else this.replace(index, { ...this.current.parts[index], data: chunk.data } as UIPart);
  }
}

/** A change of a tool part; `undefined` removes a field. */
type Change = { [Field in keyof ToolPart]?: ToolPart[Field] | undefined } & { state: ToolPart["state"] };

const isCall = (part: UIPart, toolCallId: string): part is ToolPart => isToolPart(part) && part.toolCallId === toolCallId;

const textKey = ({ type, id }: { type: string; id: string }): string => `${type.slice(0, type.indexOf("-"))} ${id}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Optional<T> = T extends unknown ? { [Field in keyof T]: T[Field] | undefined } : never;

/** The object without fields that are `undefined`. */
function defined<T extends object>(value: Optional<T>): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

/** Merges objects deeply; arrays and other values are replaced. */
function merge(base: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base };
  for (const [key, value] of Object.entries(change)) {
    if (key === "__proto__" || value === undefined) continue;
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

/** Open text and reasoning parts of an interrupted message are complete: nothing follows. */
export function closeParts(message: UIMessage): UIMessage {
  const isOpen = (part: UIPart): part is StreamedPart =>
    (part.type === "text" || part.type === "reasoning") && part.state === "streaming";
  if (!message.parts.some(isOpen)) return message;
  return { ...message, parts: message.parts.map((part) => (isOpen(part) ? { ...part, state: "done" } : part)) };
}

