// The messages of a voice session in the shape of a chat, so that one thread shows text and voice alike.

import type { Envelope } from "../api-types.js";
import type { DataPart, MessageMetadata, TextPart, ToolPart, UIMessage, UIPart } from "../chat/message.js";
import { isToolPart } from "../chat/message.js";
import type { VoiceServerMessage } from "./protocol.js";

type Of<Type extends VoiceServerMessage["type"]> = Extract<VoiceServerMessage, { type: Type }>;

export class VoiceThread {
  private current: readonly UIMessage[] = [];
  /** The utterance of the person that is still transcribed. */
  private utterance: string | undefined;
  /** The answer that is still given, and whether the person's words before it are known. */
  private answer: { id: string; hasQuestion: boolean } | undefined;
  private hasQuestion = false;
  private count = 0;

  constructor(private readonly prefix: string) {}

  get messages(): readonly UIMessage[] {
    return this.current;
  }

  /** Text that the person wrote; the server does not send it back. */
  write(text: string): void {
    this.closeAnswer();
    this.add("user", [{ type: "text", text, state: "done" }], { spoken: false });
    this.utterance = undefined;
    this.hasQuestion = true;
  }

  /** Returns whether the message changed the thread. */
  apply(message: VoiceServerMessage): boolean {
    switch (message.type) {
      case "transcript":
        if (message.role === "user") this.userTranscript(message);
        else this.assistantTranscript(message);
        return true;
      case "tool":
        this.tool(message);
        return true;
      case "confirmation_request": {
        const { type: _, ...data } = message;
        this.data("data-confirmation", message.token, data);
        return true;
      }
      case "confirmation_closed":
        return this.closeConfirmation(message);
      case "message":
        this.data("data-message", undefined, { toolCallId: message.callId, message: message.message });
        return true;
      case "interrupted":
        return this.interrupt();
      case "turn_complete":
        this.closeAnswer();
        this.hasQuestion = false;
        return true;
      default:
        return false;
    }
  }

  private userTranscript(transcript: Of<"transcript">): void {
    if (this.utterance === undefined) this.utterance = this.beginUtterance();
    this.update(this.utterance, (message) => withTranscript(message, transcript));
    if (transcript.final) this.utterance = undefined;
  }

  /** A transcript may arrive after the answer has begun; it then belongs before that answer. */
  private beginUtterance(): string {
    const { answer } = this;
    if (answer && !answer.hasQuestion) {
      answer.hasQuestion = true;
      return this.add("user", [], { before: answer.id });
    }
    this.closeAnswer();
    this.hasQuestion = true;
    return this.add("user", []);
  }

  private assistantTranscript(transcript: Of<"transcript">): void {
    this.update(this.openAnswer(), (message) => withTranscript(message, transcript));
  }

  private tool({ callId, toolId, ...message }: Of<"tool">): void {
    const owner = this.current.findLast(({ parts }) => parts.some((part) => isToolPart(part) && part.toolCallId === callId));
    this.update(owner?.id ?? this.openAnswer(), ({ parts, ...rest }) => {
      const index = parts.findIndex((part) => isToolPart(part) && part.toolCallId === callId);
      const before = parts[index] ?? { type: `tool-${toolId}`, toolCallId: callId };
      const change = "response" in message ? outcome(message.response) : { state: "input-available" };
      const part = { ...before, ...change } as ToolPart;
      return { ...rest, parts: index < 0 ? [...parts, part] : parts.with(index, part) };
    });
  }

  private data(type: DataPart["type"], id: string | undefined, data: unknown): void {
    const isThis = (part: UIPart): boolean => id !== undefined && part.type === type && "id" in part && part.id === id;
    const owner = this.current.findLast(({ parts }) => parts.some(isThis));
    this.update(owner?.id ?? this.openAnswer(), ({ parts, ...rest }) => {
      const part: DataPart = { type, data, ...(id !== undefined && { id }) };
      const index = parts.findIndex(isThis);
      return { ...rest, parts: index < 0 ? [...parts, part] : parts.with(index, part) };
    });
  }

  private closeConfirmation({ tokenId, how }: Of<"confirmation_closed">): boolean {
    const isThis = (part: UIPart): part is DataPart & { id: string } =>
      part.type === "data-confirmation" && "id" in part && (part.id === tokenId || part.id?.startsWith(`${tokenId}.`) === true);
    const owner = this.current.findLast(({ parts }) => parts.some(isThis));
    if (!owner) return false;
    this.update(owner.id, ({ parts, ...rest }) => ({
      ...rest,
      parts: parts.map((part) => (isThis(part) ? { ...part, data: { ...(part.data as object), closed: how } } : part)),
    }));
    return true;
  }

  private interrupt(): boolean {
    const last = this.current.at(-1);
    const id = this.answer?.id ?? (last?.role === "assistant" ? last.id : undefined);
    if (id === undefined) return false;
    const metadata: MessageMetadata = { interrupted: true };
    this.update(id, (message) => ({ ...message, metadata: { ...message.metadata, ...metadata } }));
    this.closeAnswer();
    this.hasQuestion = false;
    return true;
  }

  private openAnswer(): string {
    this.answer ??= { id: this.add("assistant", []), hasQuestion: this.hasQuestion };
    return this.answer.id;
  }

  private closeAnswer(): void {
    if (!this.answer) return;
    this.update(this.answer.id, (message) => ({
      ...message,
      parts: message.parts.map((part) => (part.type === "text" ? { ...part, state: "done" } : part)),
    }));
    this.answer = undefined;
  }

  private add(role: UIMessage["role"], parts: UIPart[], { spoken = true, before }: { spoken?: boolean; before?: string } = {}): string {
    this.count += 1;
    const metadata: MessageMetadata = { time: Date.now(), ...(spoken && { spoken }) };
    const message: UIMessage = { id: `${this.prefix}-${this.count}`, role, metadata, parts };
    const index = before === undefined ? -1 : this.current.findIndex(({ id }) => id === before);
    this.current = index < 0 ? [...this.current, message] : this.current.toSpliced(index, 0, message);
    return message.id;
  }

  private update(id: string, change: (message: UIMessage) => UIMessage): void {
    this.current = this.current.map((message) => (message.id === id ? change(message) : message));
  }
}

/** A delta is appended; a final text, or one that replaces, is the whole utterance. */
function withTranscript(message: UIMessage, { text, final, replaces }: Of<"transcript">): UIMessage {
  const last = message.parts.at(-1);
  const open = last?.type === "text" && last.state === "streaming" ? last : undefined;
  const part: TextPart = {
    type: "text",
    text: final || replaces ? text : (open?.text ?? "") + text,
    state: final ? "done" : "streaming",
  };
  return { ...message, parts: [...(open ? message.parts.slice(0, -1) : message.parts), part] };
}

function outcome({ ok, data, error }: Envelope): Partial<ToolPart> {
  if (ok) return { state: "output-available", output: data };
  if (error?.type === "CONFIRMATION_REQUIRED") return { state: "approval-requested" };
  if (error?.type === "DENIED") return { state: "output-denied" };
  return { state: "output-error", errorText: error ? `${error.type}: ${error.message}` : "the call failed" };
}
