// One voice session: connects microphone, playback and server, and keeps the conversation across lost connections.

import { Backoff } from "../backoff.js";
import type { UIMessage } from "../chat/message.js";
import { AileronError } from "../error.js";
import type { Http } from "../http.js";
import { newId } from "../new-id.js";
import { notify } from "../notify.js";
import { type AudioLevels, type AudioListener, BrowserAudio, type BrowserAudioOptions, type VoiceAudio } from "./audio.js";
import { endsConnection, parseServerMessage, type VoiceClientMessage, type VoiceErrorCode, type VoiceServerMessage } from "./protocol.js";
import { endOf, endOfRefusal, type Microphone, type MicrophoneFault, type VoiceEnd, type VoiceState } from "./state.js";
import { VoiceThread } from "./thread.js";

/** How long a lost server is tried again. */
const GIVE_UP_MS = 120_000;

/** After an interruption, audio that is still under way is dropped until the server confirms it, at most this long. */
const IN_FLIGHT_MS = 700;

/** How long the server may take to close a session that was stopped. */
const STOP_MS = 5_000;

/** Bytes that may wait to be sent: two seconds of audio. More is stale, and is dropped. */
const MAX_WAITING_BYTES = 64_000;

/** A connection that has accepted nothing for this long is dead. */
const STALLED_MS = 8_000;

export interface VoiceOptions extends BrowserAudioOptions {
  /** The conversation to continue; a new one without it. One that is held in text is moved to voice. */
  conversationId?: string;
  provider?: string;
  /** The registry of a new conversation, where a rule of the server allows the person to ask for it. */
  registry?: string;
  /** The microphone; the system's choice if absent or not connected, none if `null` (text in, speech out). */
  deviceId?: string | null;
  /** Whether speech of the person silences the reply before the server notices it; on unless set. */
  bargeIn?: boolean;
  onChange?: (snapshot: VoiceSnapshot) => void;
  /** Levels between 0 and 1, many times a second. */
  onLevels?: (levels: AudioLevels) => void;
  audio?: VoiceAudio;
  WebSocket?: typeof globalThis.WebSocket;
}

/** A problem after which the session continues, such as `reply_failed`. */
export interface VoiceNotice {
  code: VoiceErrorCode;
  message: string;
}

export interface VoiceSnapshot {
  state: VoiceState;
  conversationId?: string;
  provider?: string;
  /** Limitations of the provider, to be shown. */
  notes: readonly string[];
  microphone: Microphone;
  /** The speaker of the moment. */
  floor: "person" | "model" | "nobody";
  /** The messages of this session, spoken and written. */
  messages: readonly UIMessage[];
  notice?: VoiceNotice;
}

export class Voice {
  private current: VoiceSnapshot;
  private readonly listeners = new Set<() => void>();
  private readonly audio: VoiceAudio;
  private readonly backoff = new Backoff({ maxMs: 8_000 });
  private readonly thread = new VoiceThread(`voice-${newId()}`);
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lostSince: number | undefined;
  private blockedUntil: number | undefined;
  private dropUntil = 0;
  private stalledSince: number | undefined;
  private starts = 0;
  private hasMoved = false;
  private isSpeech = false;
  private isPlaying = false;

  /** `client` is an `Aileron`, or anything with its `http`. */
  constructor(
    private readonly client: { readonly http: Http },
    private readonly options: VoiceOptions = {},
  ) {
    this.audio = options.audio ?? new BrowserAudio(options);
    const { conversationId } = options;
    this.current = {
      state: { is: "idle" },
      notes: [],
      microphone: { is: "off" },
      floor: "nobody",
      messages: [],
      ...(conversationId !== undefined && { conversationId }),
    };
  }

  get snapshot(): VoiceSnapshot {
    return this.current;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Opens the microphone, then the session. Call it from a click: browsers play sound only after one. */
  async start(): Promise<void> {
    if (!this.is("idle") && !this.is("ended")) return;
    if (!this.options.WebSocket && !globalThis.WebSocket) {
      throw new AileronError("NO_WEBSOCKET", "this platform has no WebSocket; give one in the options");
    }
    this.change({ state: { is: "connecting" } });
    this.lostSince = undefined;
    this.hasMoved = false;
    this.starts += 1;
    const start = this.starts;
    try {
      await this.audio.start(this.audioListener, this.options.deviceId);
    } catch (cause) {
      if (start === this.starts) this.end(asFault(cause));
      return;
    }
    if (start !== this.starts) return;
    if (!this.is("connecting")) return void this.audio.stop();
    this.audio.setBargeIn(this.options.bargeIn ?? true);
    globalThis.addEventListener?.("online", this.retry);
    this.connect();
  }

  /**
   * Ends the session; the microphone is off at once. The promise resolves when the server has stored what was said:
   * from then on, a conversation that began in text continues there.
   */
  stop(): Promise<void> {
    if (this.is("idle")) return Promise.resolve();
    const { socket } = this;
    let hasStopped = Promise.resolve();
    if (socket && this.send({ type: "stop" })) {
      hasStopped = closed(socket);
      this.socket = undefined;
    }
    this.end({ code: "ended", reason: "stopped", message: "the voice session has ended" });
    return hasStopped;
  }

  /** Silences the reply at once. */
  interrupt(): void {
    this.audio.clear();
    this.interrupted();
  }

  /** Writes in place of speaking. It interrupts the reply. */
  write(text: string): boolean {
    if (!this.send({ type: "text", text })) return false;
    this.audio.clear();
    this.thread.write(text);
    this.change({ messages: this.thread.messages });
    return true;
  }

  confirm(token: string, approve: boolean): boolean {
    return this.send({ type: "confirm", token, approve });
  }

  setMuted(muted: boolean): void {
    this.audio.setMuted(muted);
  }

  async setDevice(deviceId: string): Promise<void> {
    try {
      await this.audio.setDevice(deviceId);
    } catch (cause) {
      this.change({ microphone: { is: "failed", fault: asFault(cause) } });
    }
  }

  /** Connects at once instead of waiting for the next attempt. */
  readonly retry = (): void => {
    const { state } = this.current;
    if (state.is === "reconnecting" && state.retryAt !== undefined) this.connect();
  };

  private readonly audioListener: AudioListener = {
    onFrame: (pcm) => this.sendAudio(pcm),
    onSpeech: (isSpeech, interrupts) => {
      this.isSpeech = isSpeech;
      if (interrupts) this.interrupted();
      this.changeFloor();
    },
    onPlaying: (isPlaying) => {
      this.isPlaying = isPlaying;
      this.changeFloor();
    },
    onMicrophone: (microphone) => this.change({ microphone }),
    onLevels: (levels) => this.options.onLevels?.(levels),
  };

  private connect(): void {
    clearTimeout(this.timer);
    const url = new URL(this.client.http.url("/v1/voice"), globalThis.location?.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const token = this.client.http.token();
    const WebSocket = this.options.WebSocket ?? globalThis.WebSocket;
    const socket = new WebSocket(url, token === null ? [] : ["aileron", `aileron.bearer.${token}`]);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      const { conversationId } = this.current;
      const { provider, registry } = this.options;
      this.send({
        type: "start",
        ...(provider !== undefined && { provider }),
        ...(conversationId !== undefined && { conversationId }),
        ...(registry !== undefined && { registry }),
      });
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (this.socket !== socket) return;
      if (typeof data === "string") this.receive(parseServerMessage(data));
      else if (Date.now() >= this.dropUntil) this.audio.play(data);
    };
    // `close` follows; without a listener, the WebSocket of Node would end the process.
    socket.onerror = () => undefined;
    socket.onclose = () => {
      if (this.socket === socket) void this.lost(isOpen);
    };
  }

  private receive(message: VoiceServerMessage | undefined): void {
    if (!message) return;
    if (this.thread.apply(message)) this.change({ messages: this.thread.messages });
    switch (message.type) {
      case "ready":
        return this.ready(message);
      case "interrupted":
        this.dropUntil = 0;
        return this.audio.clear();
      case "turn_complete":
        this.dropUntil = 0;
        return this.audio.complete();
      case "timeout":
        this.blockedUntil = message.timeoutUntil;
        return;
      case "ended":
        // A server that restarts takes the conversation up again.
        if (message.reason !== "shutdown") this.end(endOf(message, this.blockedUntil));
        return;
      case "error":
        return this.fault(message);
    }
  }

  private ready({ conversationId, provider, notes = [] }: Extract<VoiceServerMessage, { type: "ready" }>): void {
    this.lostSince = undefined;
    this.backoff.reset();
    const { notice: _, ...rest } = this.current;
    this.replace({ ...rest, state: { is: "live" }, conversationId, provider, notes });
  }

  private fault({ code, message }: VoiceNotice): void {
    const { conversationId } = this.current;
    if (code === "other_mode" && conversationId !== undefined && !this.hasMoved) void this.moveToVoice(conversationId);
    else if (code === "reconnecting") this.change({ state: { is: "reconnecting", to: "provider", attempt: 1 } });
    else if (code === "provider_unavailable" || code === "unknown_provider") this.end({ code: "provider_down", message });
    else if (endsConnection(code)) this.end({ code: "refused", reason: code, message });
    else this.change({ notice: { code, message } });
  }

  private async moveToVoice(conversationId: string): Promise<void> {
    this.hasMoved = true;
    this.socket = undefined;
    try {
      const path = `/v1/conversations/${encodeURIComponent(conversationId)}/mode`;
      await this.client.http.send(path, { method: "PUT", body: { mode: "voice" } });
    } catch (cause) {
      const error = AileronError.of(cause);
      return this.end(endOfRefusal(error) ?? { code: "refused", reason: error.code, message: error.message });
    }
    if (!this.is("ended")) this.connect();
  }

  /** The connection is gone without a reason: asks the server for one, and tries again if there is none. */
  private async lost(wasOpen: boolean): Promise<void> {
    this.socket = undefined;
    this.audio.clear();
    this.lostSince ??= Date.now();
    const error = wasOpen ? undefined : await this.refusal();
    if (this.is("ended")) return;
    const end = error && endOfRefusal(error);
    if (end) return this.end(end);
    if (Date.now() - this.lostSince > GIVE_UP_MS) {
      return this.end({ code: "server_gone", message: "the server cannot be reached; try again later" });
    }
    const delay = Math.max(this.backoff.next(), error?.retryAfter ?? 0);
    this.timer = setTimeout(() => this.connect(), delay);
    this.change({ state: { is: "reconnecting", to: "server", attempt: this.backoff.count, retryAt: Date.now() + delay } });
  }

  /** Browsers do not say why a WebSocket was refused; an ordinary request to the same address does. */
  private async refusal(): Promise<AileronError> {
    return this.client.http.send("/v1/voice").then(
      () => new AileronError("NETWORK", "the server refused the connection"),
      (cause: unknown) => AileronError.of(cause),
    );
  }

  private interrupted(): void {
    if (this.send({ type: "interrupt" })) this.dropUntil = Date.now() + IN_FLIGHT_MS;
  }

  private end(end: VoiceEnd): void {
    if (this.is("ended")) return;
    clearTimeout(this.timer);
    globalThis.removeEventListener?.("online", this.retry);
    const { socket } = this;
    this.socket = undefined;
    socket?.close(1000);
    void this.audio.stop();
    this.isSpeech = this.isPlaying = false;
    this.change({ state: { is: "ended", end }, floor: "nobody", messages: this.thread.messages });
  }

  private send(message: VoiceClientMessage): boolean {
    const { socket } = this;
    if (socket?.readyState !== 1) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  private is(state: VoiceState["is"]): boolean {
    return this.current.state.is === state;
  }

  private sendAudio(pcm: ArrayBuffer): void {
    const { socket } = this;
    if (!socket || !this.is("live")) return;
    if (socket.bufferedAmount <= MAX_WAITING_BYTES) {
      this.stalledSince = undefined;
      return socket.send(pcm);
    }
    this.stalledSince ??= Date.now();
    if (Date.now() - this.stalledSince < STALLED_MS) return;
    this.stalledSince = undefined;
    // A dead connection may take minutes to close, so its end is not waited for.
    this.socket = undefined;
    socket.close();
    void this.lost(true);
  }

  private changeFloor(): void {
    const floor = this.isSpeech ? "person" : this.isPlaying ? "model" : "nobody";
    if (floor !== this.current.floor) this.change({ floor });
  }

  private change(change: Partial<VoiceSnapshot>): void {
    this.replace({ ...this.current, ...change });
  }

  private replace(snapshot: VoiceSnapshot): void {
    this.current = snapshot;
    notify(() => this.options.onChange?.(snapshot));
    this.listeners.forEach(notify);
  }
}

/** Waits until the server closes the connection, which it does after `stop`. */
function closed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.close(), STOP_MS);
    socket.onmessage = null;
    socket.onclose = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

const isFault = (cause: unknown): cause is MicrophoneFault =>
  typeof cause === "object" && cause !== null && !(cause instanceof Error) && "code" in cause;

function asFault(cause: unknown): MicrophoneFault {
  if (isFault(cause)) return cause;
  return { code: "device_busy", message: `the audio cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}` };
}
