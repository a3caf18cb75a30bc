// One chat: sends messages and answers to confirmations, and keeps the messages and the status up to date.

import type { Messages } from "../api-types.js";
import { AileronError, isAbort } from "../error.js";
import type { Http } from "../http.js";
import { newId } from "../new-id.js";
import { notify } from "../notify.js";
import { readSse } from "../sse.js";
import { type DataChunk, isDataChunk, parseChunk } from "./chunk.js";
import { STORED_PREFIX, toUIMessages } from "./history.js";
import { isToolPart, type UIMessage, type UIPart } from "./message.js";
import { closeParts, MessageReducer } from "./reduce.js";

/** How often a broken stream is resumed before it counts as lost. */
const MAX_RESUMES = 3;
const RESUME_DELAY_MS = 300;

export interface ChatSnapshot {
  /** `submitted`: sent, no answer yet. `error`: the last request failed; `error` says why. */
  status: "ready" | "submitted" | "streaming" | "error";
  messages: UIMessage[];
  error?: AileronError;
}

export interface ChatOptions {
  /** The conversation. The first message creates it; without one, a new id is made here. */
  id?: string;
  /** The registry of a new conversation, where a rule of the server allows the person to ask for it. */
  registry?: string;
  messages?: UIMessage[];
  onChange?: (snapshot: ChatSnapshot) => void;
  /** Every `data-*` chunk, also transient ones such as `data-progress` and `data-effect`. */
  onData?: (chunk: DataChunk) => void;
  /** The end of an answer. `aborted` is the reason if it is incomplete. */
  onFinish?: (end: { message: UIMessage; finishReason?: string; aborted?: string }) => void;
}

interface ChatRequest {
  trigger: "submit-message" | "regenerate-message";
  messageId?: string;
  messages: unknown[];
}

/** The end of a stream that was complete. */
interface StreamEnd {
  finishReason?: string;
  aborted?: string;
}

export class Chat {
  readonly id: string;
  private current: ChatSnapshot;
  private readonly listeners = new Set<() => void>();
  private request: AbortController | undefined;
  /** The request that runs; it never fails. */
  private running: Promise<void> = Promise.resolve();
  private answering: Promise<void> = Promise.resolve();
  /** The person's answers to confirmations, by token, until the server has them. */
  private readonly answers = new Map<string, boolean>();

  constructor(
    private readonly http: Http,
    private readonly options: ChatOptions = {},
  ) {
    this.id = options.id ?? newId();
    this.current = { status: "ready", messages: options.messages ?? [] };
  }

  /** The current state. The object is replaced with every change. */
  get snapshot(): ChatSnapshot {
    return this.current;
  }

  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sends a message. With `messageId`, the message of that id and everything after it is replaced. */
  async send(text: string, { messageId }: { messageId?: string } = {}): Promise<void> {
    const { messages } = this.current;
    const index = messageId === undefined ? messages.length : messages.findIndex(({ id }) => id === messageId);
    if (index < 0) throw new AileronError("UNKNOWN_MESSAGE", `there is no message ${messageId}`);
    if (messageId?.startsWith(STORED_PREFIX)) {
      throw new AileronError("UNKNOWN_MESSAGE", "a message from the history cannot be replaced; send another one");
    }
    const message: UIMessage = { id: messageId ?? newId(), role: "user", parts: [{ type: "text", text }] };
    this.setMessages([...messages.slice(0, index), message]);
    const request: ChatRequest = { trigger: "submit-message", messages: [message] };
    await this.run(messageId === undefined ? request : { ...request, messageId }, emptyAnswer());
  }

  /** Answers a message of the person again: the one before the given answer, or the last one. */
  async regenerate(messageId?: string): Promise<void> {
    const { messages } = this.current;
    const index = messageId === undefined ? messages.length - 1 : messages.findIndex(({ id }) => id === messageId);
    const asked = messages.slice(0, index + 1).findLastIndex(({ role }) => role === "user");
    if (asked < 0) throw new AileronError("UNKNOWN_MESSAGE", "there is no message to answer again");
    const kept = messages.slice(0, asked + 1);
    const stored = messages[asked]?.id.startsWith(STORED_PREFIX) === true;
    if (stored && messages.slice(asked + 1).some(({ role }) => role === "user")) {
      throw new AileronError("UNKNOWN_MESSAGE", "of the stored messages only the last one can be answered again");
    }
    this.setMessages(kept);
    // The server does not know the ids of stored messages; without a message it answers its last one again.
    const request: ChatRequest = { trigger: "regenerate-message", messages: stored ? [] : kept.slice(-1) };
    await this.run(messageId === undefined ? request : { ...request, messageId }, emptyAnswer());
  }

  /**
   * Answers the confirmation with this token; the answer of the model continues in the same message. While another
   * answer is read, this one waits for its end.
   */
  async answer(token: string, approved: boolean): Promise<void> {
    if (!this.askedWith(token)) {
      throw new AileronError("UNKNOWN_CONFIRMATION", "no message of this chat asks for that confirmation");
    }
    this.answers.set(token, approved);
    this.setMessages(this.current.messages.map((message) => this.withAnswers(message)));
    this.answering = this.answering.then(() => this.running).then(() => this.sendAnswer(token));
    await this.answering;
  }

  private async sendAnswer(token: string): Promise<void> {
    const asked = this.askedWith(token);
    if (!asked) return;
    const parts = asked.parts.filter((part) => isToolPart(part) && part.approval?.id === token);
    await this.run({ trigger: "submit-message", messageId: asked.id, messages: [{ ...asked, parts }] }, asked);
    this.answers.delete(token);
  }

  private askedWith(token: string): UIMessage | undefined {
    return this.current.messages.findLast(({ parts }) => parts.some((part) => isToolPart(part) && part.approval?.id === token));
  }

  private withAnswers(message: UIMessage): UIMessage {
    if (this.answers.size === 0) return message;
    return { ...message, parts: message.parts.map((part) => answeredPart(part, this.answers)) };
  }

  /** Reads the answer that is running at the server, if there is one. */
  async resume(): Promise<void> {
    await this.exclusive(async (signal) => {
      const response = await this.openStream(signal);
      if (!response) return undefined;
      const last = this.current.messages.at(-1);
      return this.readAnswer(response, last?.role === "assistant" ? last : emptyAnswer(), signal);
    });
  }

  /** Continues with the results of tasks that the model does not have, if there are any. */
  async followUp(): Promise<void> {
    await this.exclusive(async (signal) => {
      const response = await this.http.send("/api/chat", {
        method: "POST",
        accept: "text/event-stream, application/json",
        body: { id: this.id, trigger: "task-results" },
        signal,
      });
      return response.status === 204 ? undefined : this.readAnswer(response, emptyAnswer(), signal);
    });
  }

  /** Stops the answer at the server; what was written so far stays. */
  async stop(): Promise<void> {
    if (!this.request) return;
    const running = this.request;
    await this.http.send(this.streamPath(), { method: "DELETE" }).catch(() => running.abort());
  }

  /** Stops reading. The server continues for a short time, so that `resume` can follow. */
  close(): void {
    this.request?.abort();
  }

  /** Replaces the messages, for example with those of the history. */
  setMessages(messages: UIMessage[]): void {
    this.change({ ...this.current, messages });
  }

  clearError(): void {
    if (this.current.status === "error") this.change({ status: "ready", messages: this.current.messages });
  }

  private run(body: ChatRequest, base: UIMessage): Promise<void> {
    const { registry } = this.options;
    return this.exclusive(async (signal) => {
      const response = await this.http.send("/api/chat", {
        method: "POST",
        accept: "text/event-stream, application/json",
        body: { id: this.id, ...(registry !== undefined && { registry }), ...body },
        signal,
      });
      return this.readAnswer(response, base, signal);
    });
  }

  /** Runs one request at a time: a newer one ends the reading of the one before. */
  private exclusive(work: (signal: AbortSignal) => Promise<StreamEnd | undefined>): Promise<void> {
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    this.running = this.perform(request, work);
    return this.running;
  }

  private async perform(request: AbortController, work: (signal: AbortSignal) => Promise<StreamEnd | undefined>): Promise<void> {
    this.change({ status: "submitted", messages: this.current.messages });
    let error: AileronError | undefined;
    let end: StreamEnd | undefined;
    try {
      end = await work(request.signal);
    } catch (cause) {
      if (!isAbort(cause)) error = AileronError.of(cause);
    }
    if (this.request !== request) return;
    this.request = undefined;
    const messages = this.current.messages.map(closeParts);
    this.change(error ? { status: "error", messages, error } : { status: "ready", messages });
    const message = messages.at(-1);
    if (end && message) notify(() => this.options.onFinish?.({ message, ...end }));
  }

  /** Reads an answer to its end, also across lost connections. */
  private async readAnswer(response: Response, base: UIMessage, signal: AbortSignal): Promise<StreamEnd> {
    const isNew = !this.current.messages.some(({ id }) => id === base.id);
    for (let resumes = 0; ; resumes += 1) {
      const end = await this.readStream(response, base, isNew, signal).catch((cause: unknown) => {
        if (isAbort(cause) || cause instanceof AileronError) throw cause;
        return undefined;
      });
      if (end) return end;
      signal.throwIfAborted();
      if (resumes === MAX_RESUMES) throw lost();
      await new Promise((resolve) => setTimeout(resolve, RESUME_DELAY_MS * 2 ** resumes));
      const next = await this.openStream(signal);
      if (!next) return this.readStored(base, signal);
      response = next;
    }
  }

  /** Takes the answer from the history: it ended while the connection was lost. */
  private async readStored(base: UIMessage, signal: AbortSignal): Promise<StreamEnd> {
    const path = `/v1/conversations/${encodeURIComponent(this.id)}/messages`;
    const { messages } = await this.http.json<Messages>(path, { query: { limit: 100 }, signal });
    const stored = toUIMessages(messages).at(-1);
    if (stored?.role !== "assistant") throw lost();
    const shown = this.current.messages.at(-1);
    this.show(stored, shown?.role === "assistant" ? shown.id : base.id);
    return {};
  }

  private async readStream(
    response: Response,
    base: UIMessage,
    isNew: boolean,
    signal: AbortSignal,
  ): Promise<StreamEnd | undefined> {
    if (!response.body) throw new AileronError("BAD_STREAM", "the answer has no body");
    // The place of the answer: the message that continues, or after all others.
    let shownId = isNew ? undefined : base.id;
    let answer = new MessageReducer(base);
    for await (const events of readSse(response.body)) {
      signal.throwIfAborted();
      let end: StreamEnd | undefined;
      for (const { data } of events) {
        if (data === "[DONE]") {
          end ??= {};
          break;
        }
        const chunk = parseChunk(data);
        if (chunk.type === "error") {
          this.show(answer.message, shownId);
          throw new AileronError("ANSWER_FAILED", chunk.errorText);
        }
        if (chunk.type === "start" && chunk.messageId !== undefined) answer = new MessageReducer(emptyAnswer());
        answer.apply(chunk);
        if (isDataChunk(chunk)) notify(() => this.options.onData?.(chunk));
        if (chunk.type === "abort") end = { aborted: chunk.reason ?? "aborted" };
        else if (chunk.type === "finish") end = chunk.finishReason ? { finishReason: chunk.finishReason } : {};
      }
      shownId = this.show(answer.message, shownId);
      if (end) return end;
    }
    return undefined;
  }

  /** Shows the answer in place of the message with this id, or after the last one. */
  private show(answer: UIMessage, shownId: string | undefined): string {
    const { messages } = this.current;
    const message = this.withAnswers(answer);
    const index = messages.findIndex(({ id }) => id === shownId || id === message.id);
    const shown = index < 0 ? [...messages, message] : messages.map((other, at) => (at === index ? message : other));
    this.change({ status: "streaming", messages: shown });
    return message.id;
  }

  private async openStream(signal: AbortSignal): Promise<Response | undefined> {
    const response = await this.http.send(this.streamPath(), { accept: "text/event-stream, application/json", signal });
    return response.status === 204 ? undefined : response;
  }

  private streamPath(): string {
    return `/api/chat/${encodeURIComponent(this.id)}/stream`;
  }

  private change(snapshot: ChatSnapshot): void {
    this.current = snapshot;
    notify(() => this.options.onChange?.(snapshot));
    this.listeners.forEach(notify);
  }
}

const emptyAnswer = (): UIMessage => ({ id: newId(), role: "assistant", parts: [] });

const lost = (): AileronError =>
  new AileronError("NETWORK", "the connection was lost before the answer was complete; load the conversation again");

function answeredPart(part: UIPart, answers: ReadonlyMap<string, boolean>): UIPart {
  if (!isToolPart(part) || part.state !== "approval-requested" || !part.approval) return part;
  const { id } = part.approval;
  const approved = answers.get(id);
  return approved === undefined ? part : { ...part, state: "approval-responded", approval: { id, approved } };
}
