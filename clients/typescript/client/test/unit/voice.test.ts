// A voice session against a fake server: every state and fault, reconnects and dropped audio.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Aileron, type VoiceEnd, Voice, type VoiceServerMessage } from "../../src/index.js";
import { FakeAudio } from "../fake-audio.js";

class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  binaryType = "";
  bufferedAmount = 0;
  sent: (string | ArrayBuffer)[] = [];
  onopen?: () => void;
  onclose?: () => void;
  onmessage?: (event: { data: string | ArrayBuffer }) => void;

  constructor(
    readonly url: URL,
    readonly protocols: string[],
  ) {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(message: VoiceServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  audio(bytes: number): void {
    this.onmessage?.({ data: new ArrayBuffer(bytes) });
  }

  send(data: string | ArrayBuffer): void {
    this.sent.push(data);
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  get messages(): unknown[] {
    return this.sent.filter((data) => typeof data === "string").map((data) => JSON.parse(data as string) as unknown);
  }
}

const READY: VoiceServerMessage = { type: "ready", conversationId: "v-1", registryVersion: "1", tools: [], provider: "offline" };

let audio: FakeAudio;
let voice: Voice;
let answer: () => Response;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  audio = new FakeAudio();
  answer = () => Response.error();
  const fetch = (): Promise<Response> => (answer().type === "error" ? Promise.reject(new TypeError("no route")) : Promise.resolve(answer()));
  const client = new Aileron({ baseUrl: "https://agent.example", token: () => "secret", fetch });
  voice = new Voice(client, { audio, WebSocket: FakeSocket as unknown as typeof WebSocket });
});
afterEach(() => {
  void voice.stop();
  vi.useRealTimers();
});

async function live(): Promise<FakeSocket> {
  await voice.start();
  FakeSocket.last.open();
  FakeSocket.last.say(READY);
  return FakeSocket.last;
}

const refused = (status: number, error: object, headers = {}): Response => Response.json({ error }, { status, headers });

test("the token is sent as a subprotocol, and `start` is the first message", async () => {
  const socket = await live();
  expect(socket.url.href).toBe("wss://agent.example/v1/voice");
  expect(socket.protocols).toEqual(["aileron", "aileron.bearer.secret"]);
  expect(socket.messages).toEqual([{ type: "start" }]);
  expect(voice.snapshot).toMatchObject({ state: { is: "live" }, conversationId: "v-1", provider: "offline" });
});

test("frames of the microphone are sent only while the session is live", async () => {
  await voice.start();
  FakeSocket.last.open();
  audio.listener!.onFrame(new ArrayBuffer(640));
  FakeSocket.last.say(READY);
  audio.listener!.onFrame(new ArrayBuffer(640));
  expect(FakeSocket.last.sent.filter((data) => data instanceof ArrayBuffer)).toHaveLength(1);
});

test("a microphone that cannot be opened ends the session before it begins", async () => {
  audio.fault = { code: "mic_denied", message: "denied" };
  await voice.start();
  expect(voice.snapshot.state).toEqual({ is: "ended", end: audio.fault });
  expect(FakeSocket.all).toEqual([]);
});

test("a session that was stopped while the microphone opened does not connect", async () => {
  const starting = voice.start();
  void voice.stop();
  await starting;
  expect(FakeSocket.all).toEqual([]);
  expect(audio.isOpen).toBe(false);
});

describe("a lost connection", () => {
  test("is opened again with the same conversation", async () => {
    const first = await live();
    first.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(voice.snapshot.state).toMatchObject({ is: "reconnecting", to: "server", attempt: 1 });
    await vi.advanceTimersByTimeAsync(300);
    expect(FakeSocket.last).not.toBe(first);
    FakeSocket.last.open();
    expect(FakeSocket.last.messages).toEqual([{ type: "start", conversationId: "v-1" }]);
    FakeSocket.last.say(READY);
    expect(voice.snapshot.state).toEqual({ is: "live" });
  });

  test("is given up after two minutes", async () => {
    (await live()).close();
    for (let seconds = 0; seconds < 140; seconds += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      if (FakeSocket.last.readyState === 0) FakeSocket.last.close();
    }
    expect(voice.snapshot.state).toMatchObject({ is: "ended", end: { code: "server_gone" } });
    expect(audio.isOpen).toBe(false);
  });

  test("is tried at once when asked", async () => {
    (await live()).close();
    await vi.advanceTimersByTimeAsync(0);
    voice.retry();
    expect(FakeSocket.all).toHaveLength(2);
  });
});

test("a connection that accepts no audio is opened again", async () => {
  const socket = await live();
  const speak = (): void => audio.listener!.onFrame(new ArrayBuffer(640));
  socket.bufferedAmount = 100_000;
  speak();
  await vi.advanceTimersByTimeAsync(7_000);
  speak();
  expect(FakeSocket.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  speak();
  await vi.advanceTimersByTimeAsync(300);
  expect(FakeSocket.all).toHaveLength(2);
  expect(socket.sent.some((data) => data instanceof ArrayBuffer)).toBe(false);
});

test("a session that is stopped and started at once connects once", async () => {
  const first = voice.start();
  void voice.stop();
  const second = voice.start();
  await Promise.all([first, second]);
  expect(FakeSocket.all).toHaveLength(1);
  expect(audio.isOpen).toBe(true);
});

describe("a refused connection", () => {
  const cases: [string, () => Response, Partial<VoiceEnd>][] = [
    ["401", () => refused(401, { code: "UNAUTHENTICATED", message: "sign in" }), { code: "signed_out" }],
    ["a block", () => refused(403, { code: "BLOCKED", message: "blocked", until: 5 }), { code: "blocked", until: 5 }],
    ["another origin", () => refused(403, { code: "ORIGIN_REFUSED", message: "no" }), { code: "refused", reason: "ORIGIN_REFUSED" }],
  ];
  test.each(cases)("%s ends the session with the reason", async (_, response, end) => {
    answer = response;
    await voice.start();
    FakeSocket.last.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(voice.snapshot.state).toMatchObject({ is: "ended", end });
  });

  test("a full server is tried again when it says so", async () => {
    answer = () => refused(503, { code: "UNAVAILABLE", message: "full" }, { "retry-after": "5" });
    await voice.start();
    FakeSocket.last.close();
    await vi.advanceTimersByTimeAsync(4900);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.all).toHaveLength(2);
  });
});

describe("messages of the server", () => {
  const ends: [VoiceServerMessage[], Partial<VoiceEnd>][] = [
    [[{ type: "ended", reason: "taken_over" }], { code: "taken_over" }],
    [[{ type: "ended", reason: "idle" }], { code: "ended", reason: "idle" }],
    [[{ type: "error", code: "upstream_lost", message: "x" }, { type: "ended", reason: "upstream_lost" }], { code: "provider_down" }],
    [[{ type: "error", code: "provider_unavailable", message: "no key" }], { code: "provider_down", message: "no key" }],
    [[{ type: "error", code: "registry_gone", message: "x" }], { code: "refused", reason: "registry_gone" }],
    [
      [
        { type: "timeout", durationSeconds: 60, timeoutUntil: 99, farewellMessage: "Bye." },
        { type: "ended", reason: "blocked" },
      ],
      { code: "blocked", until: 99 },
    ],
  ];
  test.each(ends)("%j end the session", async (messages, end) => {
    const socket = await live();
    for (const message of messages) socket.say(message);
    expect(voice.snapshot.state).toMatchObject({ is: "ended", end });
    expect(audio.isOpen).toBe(false);
  });

  test("a stopping server is reached again", async () => {
    const socket = await live();
    socket.say({ type: "ended", reason: "shutdown" });
    socket.close();
    await vi.advanceTimersByTimeAsync(300);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("a provider that reconnects keeps the session", async () => {
    const socket = await live();
    socket.say({ type: "error", code: "reconnecting", message: "x" });
    expect(voice.snapshot.state).toMatchObject({ is: "reconnecting", to: "provider" });
    socket.say(READY);
    expect(voice.snapshot.state).toEqual({ is: "live" });
  });

  test("other errors are notices until the next `ready`", async () => {
    const socket = await live();
    socket.say({ type: "error", code: "reply_failed", message: "again" });
    expect(voice.snapshot).toMatchObject({ state: { is: "live" }, notice: { code: "reply_failed" } });
    socket.say(READY);
    expect(voice.snapshot.notice).toBeUndefined();
  });

  test("nonsense is ignored", async () => {
    const socket = await live();
    socket.onmessage?.({ data: "{" });
    socket.onmessage?.({ data: "null" });
    socket.onmessage?.({ data: '{"type":"later_version"}' });
    expect(voice.snapshot.state).toEqual({ is: "live" });
  });
});

describe("an interruption", () => {
  test("drops audio that is under way until the server confirms it", async () => {
    const socket = await live();
    socket.audio(100);
    voice.interrupt();
    expect(socket.messages.at(-1)).toEqual({ type: "interrupt" });
    socket.audio(100);
    expect(audio.played).toBe(100);
    socket.say({ type: "interrupted" });
    socket.audio(100);
    expect(audio.played).toBe(200);
  });

  test("does not silence the next reply if the server does not confirm it", async () => {
    const socket = await live();
    voice.interrupt();
    await vi.advanceTimersByTimeAsync(800);
    socket.audio(100);
    expect(audio.played).toBe(100);
  });
});

test("a microphone that cannot be opened is shown, and the session continues", async () => {
  await live();
  audio.fault = { code: "device_busy", message: "in use" };
  await voice.setDevice("headset");
  expect(voice.snapshot).toMatchObject({ state: { is: "live" }, microphone: { is: "failed", fault: { code: "device_busy" } } });
});

test("the person's answer to a confirmation is sent with its token", async () => {
  const socket = await live();
  expect(voice.confirm("id.signature", false)).toBe(true);
  expect(socket.messages.at(-1)).toEqual({ type: "confirm", token: "id.signature", approve: false });
});

test("nothing can be sent while the connection is lost", async () => {
  (await live()).close();
  expect([voice.write("hello"), voice.confirm("t", true)]).toEqual([false, false]);
  expect(voice.snapshot.messages).toEqual([]);
});

test("a session can be started again after its end", async () => {
  (await live()).say({ type: "ended", reason: "idle" });
  await live();
  expect(voice.snapshot.state).toEqual({ is: "live" });
});
