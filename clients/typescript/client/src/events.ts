// The event stream `GET /v1/events`: reads it with fetch, reconnects and continues after the last event.

import type { ServerEvent } from "./api-types.js";
import { Backoff, type BackoffOptions } from "./backoff.js";
import { AileronError, isAbort } from "./error.js";
import type { Http } from "./http.js";
import { notify } from "./notify.js";
import { readSse, type SseEvent } from "./sse.js";

/** The server sends a comment every 15 seconds; a longer silence means that the connection is dead. */
const SILENCE_MS = 40_000;

/** A connection that lasted this long was of use; the next attempt after it waits little. */
const USEFUL_MS = 5_000;

/** A page that was hidden for longer than this checks its connection when it is shown. */
const HIDDEN_MS = 60_000;

export type ConnectionState =
  | { is: "connecting" }
  | { is: "open" }
  /** A new attempt follows at `retryAt`, or when the machine is online again. */
  | { is: "waiting"; attempt: number; retryAt: number; error: AileronError }
  /** No further attempt: signed out, not allowed, or closed by the caller. */
  | { is: "closed"; error?: AileronError };

export interface EventsOptions extends BackoffOptions {
  onEvent: (event: ServerEvent) => void;
  onState?: (state: ConnectionState) => void;
  /** Continue after this event, from an earlier subscription. */
  lastEventId?: string;
}

export interface EventSubscription {
  readonly state: ConnectionState;
  readonly lastEventId: string | undefined;
  /** Connects at once instead of waiting. */
  retry(): void;
  close(): void;
}

export function subscribe(http: Http, options: EventsOptions): EventSubscription {
  const stream = new EventStream(http, options);
  stream.start();
  return stream;
}

class EventStream implements EventSubscription {
  state: ConnectionState = { is: "connecting" };
  lastEventId: string | undefined;
  private readonly backoff: Backoff;
  private connection: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private hiddenAt: number | undefined;

  constructor(
    private readonly http: Http,
    private readonly options: EventsOptions,
  ) {
    this.backoff = new Backoff(options);
    this.lastEventId = options.lastEventId;
  }

  start(): void {
    globalThis.addEventListener?.("online", this.retry);
    globalThis.document?.addEventListener("visibilitychange", this.onVisibility);
    void this.connect();
  }

  readonly retry = (): void => {
    if (this.state.is === "waiting") void this.connect();
  };

  close(error?: AileronError): void {
    if (this.state.is === "closed") return;
    globalThis.removeEventListener?.("online", this.retry);
    globalThis.document?.removeEventListener("visibilitychange", this.onVisibility);
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.connection?.abort();
    this.move(error ? { is: "closed", error } : { is: "closed" });
  }

  private readonly onVisibility = (): void => {
    if (document.visibilityState === "hidden") {
      this.hiddenAt = Date.now();
      return;
    }
    const hiddenFor = this.hiddenAt === undefined ? 0 : Date.now() - this.hiddenAt;
    this.hiddenAt = undefined;
    if (this.state.is === "waiting") this.retry();
    // Browsers stop timers of hidden pages, so the silence of a dead connection was not noticed.
    else if (this.state.is === "open" && hiddenFor > HIDDEN_MS) this.connection?.abort();
  };

  private async connect(): Promise<void> {
    clearTimeout(this.timer);
    this.move({ is: "connecting" });
    const connection = new AbortController();
    this.connection = connection;
    const began = Date.now();
    try {
      await this.read(connection);
      throw new AileronError("NETWORK", "the server closed the event stream");
    } catch (cause) {
      clearTimeout(this.silence);
      if (Date.now() - began >= USEFUL_MS) this.backoff.reset();
      this.fail(cause);
    }
  }

  private async read(connection: AbortController): Promise<void> {
    const headers: Record<string, string> = {};
    if (this.lastEventId !== undefined) headers["last-event-id"] = this.lastEventId;
    this.watchSilence(connection);
    const response = await this.http.send("/v1/events", {
      accept: "text/event-stream",
      headers,
      signal: connection.signal,
    });
    if (!response.body) throw new AileronError("NETWORK", "the event stream has no body");
    this.move({ is: "open" });
    for await (const events of readSse(response.body)) {
      this.watchSilence(connection);
      for (const event of events) this.deliver(event);
    }
  }

  private deliver(event: SseEvent): void {
    if (event.id) this.lastEventId = event.id;
    const data = parseObject(event.data);
    if (data) notify(() => this.options.onEvent({ ...data, type: event.event } as ServerEvent));
  }

  private watchSilence(connection: AbortController): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => connection.abort(), SILENCE_MS);
  }

  private fail(cause: unknown): void {
    if (this.state.is === "closed") return;
    const error = isAbort(cause) ? new AileronError("NETWORK", "the event stream was silent") : AileronError.of(cause);
    const isFinal = error.status === 401 || error.status === 403 || error.status === 404;
    if (isFinal && error.retryAfter === undefined) this.close(error);
    else this.wait(error);
  }

  private wait(error: AileronError): void {
    if (this.state.is === "closed") return;
    const delay = Math.max(this.backoff.next(), error.retryAfter ?? 0);
    this.timer = setTimeout(() => void this.connect(), delay);
    this.move({ is: "waiting", attempt: this.backoff.count, retryAt: Date.now() + delay, error });
  }

  private move(state: ConnectionState): void {
    this.state = state;
    notify(() => this.options.onState?.(state));
  }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
