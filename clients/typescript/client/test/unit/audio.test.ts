// The browser's audio with fake devices: permissions, choice, loss and return of a microphone.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BrowserAudio, type Microphone, microphones } from "../../src/index.js";

class FakeTrack extends EventTarget {
  enabled = true;
  isStopped = false;
  constructor(readonly label: string) {
    super();
  }
  getSettings = () => ({ deviceId: this.label });
  stop(): void {
    this.isStopped = true;
  }
}

class FakePort {
  onmessage?: (event: { data: unknown }) => void;
  sent: { type: string }[] = [];
  postMessage(message: { type: string }): void {
    this.sent.push(message);
  }
}

class FakeNode {
  static all: Record<string, FakeNode> = {};
  port = new FakePort();
  constructor(_: unknown, name: string) {
    FakeNode.all[name] = this;
  }
  connect(): void {}
  disconnect(): void {}
}

class FakeContext {
  static last: FakeContext;
  state = "running";
  modules: string[] = [];
  destination = {};
  onstatechange?: () => void;
  audioWorklet = { addModule: async (url: URL | string) => void this.modules.push(String(url)) };
  constructor() {
    FakeContext.last = this;
  }
  createMediaStreamSource = () => new FakeNode(undefined, "source");
  async resume(): Promise<void> {}
  async close(): Promise<void> {
    this.state = "closed";
  }
}

class FakeDevices extends EventTarget {
  names = ["desk", "headset"];
  failure: Error | undefined;
  asked: MediaTrackConstraints[] = [];
  opened: FakeTrack[] = [];

  async getUserMedia({ audio }: { audio: MediaTrackConstraints }): Promise<unknown> {
    this.asked.push(audio);
    const wanted = (audio.deviceId as { exact: string } | undefined)?.exact ?? this.names[0];
    if (this.failure) throw this.failure;
    if (wanted === undefined || !this.names.includes(wanted)) throw named("NotFoundError");
    const track = new FakeTrack(wanted);
    this.opened.push(track);
    return { getAudioTracks: () => [track], getTracks: () => [track] };
  }

  async enumerateDevices(): Promise<unknown[]> {
    return [...this.names.map((deviceId) => ({ kind: "audioinput", deviceId })), { kind: "videoinput", deviceId: "camera" }];
  }
}

const named = (name: string): Error => Object.assign(new Error("no"), { name });

let devices: FakeDevices;
let audio: BrowserAudio;
let states: Microphone[];
let frames: number;
let speech: [boolean, boolean][];

const listener = {
  onFrame: () => (frames += 1),
  onSpeech: (isSpeech: boolean, interrupts: boolean) => speech.push([isSpeech, interrupts]),
  onPlaying: () => undefined,
  onMicrophone: (microphone: Microphone) => states.push(microphone),
  onLevels: () => undefined,
};

beforeEach(() => {
  devices = new FakeDevices();
  states = [];
  speech = [];
  frames = 0;
  audio = new BrowserAudio({ worklet: "/audio-worklet.js" });
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("AudioWorkletNode", FakeNode);
  vi.stubGlobal("navigator", { mediaDevices: devices });
});
afterEach(() => vi.unstubAllGlobals());

const start = (deviceId?: string | null): Promise<void> => audio.start(listener, deviceId);
const last = (): Microphone | undefined => states.at(-1);
const frame = (): void => FakeNode.all["aileron-capture"]!.port.onmessage?.({ data: { type: "frame", pcm: new ArrayBuffer(2), level: -20 } });

test("the microphone is opened with echo cancellation, and the worklet from its address", async () => {
  await start("headset");
  expect(devices.asked).toEqual([
    { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1, deviceId: { exact: "headset" } },
  ]);
  expect(FakeContext.last.modules).toEqual(["/audio-worklet.js"]);
  expect(last()).toEqual({ is: "on", deviceId: "headset", label: "headset" });
});

test.each([
  ["NotAllowedError", "mic_denied"],
  ["NotFoundError", "no_device"],
  ["OverconstrainedError", "no_device"],
  ["NotReadableError", "device_busy"],
  ["SecurityError", "not_secure"],
])("%s is the fault %s, and nothing stays open", async (name, code) => {
  devices.failure = named(name);
  await expect(start()).rejects.toMatchObject({ code });
  expect(FakeContext.last.state).toBe("closed");
});

test("a page without access to devices says so", async () => {
  vi.stubGlobal("navigator", {});
  await expect(start()).rejects.toMatchObject({ code: "not_secure" });
  await start(null);
  expect(last()).toEqual({ is: "off" });
});

test("a remembered microphone that is gone is replaced by the system's choice", async () => {
  await start("gone");
  expect(last()).toMatchObject({ is: "on", deviceId: "desk" });
  devices.names = [];
  await expect(new BrowserAudio().start(listener, "gone")).rejects.toMatchObject({ code: "no_device" });
});

test("a microphone that is unplugged is replaced by another", async () => {
  await start("headset");
  devices.names = ["desk"];
  devices.opened[0]!.dispatchEvent(new Event("ended"));
  await vi.waitFor(() => expect(last()).toEqual({ is: "on", deviceId: "desk", label: "desk" }));
});

test("without another microphone it is lost until one is connected", async () => {
  await start();
  devices.names = [];
  devices.opened[0]!.dispatchEvent(new Event("ended"));
  await vi.waitFor(() => expect(last()).toMatchObject({ is: "failed", fault: { code: "device_lost" } }));
  devices.names = ["new"];
  devices.dispatchEvent(new Event("devicechange"));
  await vi.waitFor(() => expect(last()).toEqual({ is: "on", deviceId: "new", label: "new" }));
});

test("an utterance ends with the microphone that heard it", async () => {
  await start();
  const { port } = FakeNode.all["aileron-capture"]!;
  port.onmessage?.({ data: { type: "speech", isSpeech: true, interrupts: false } });
  devices.opened[0]!.dispatchEvent(new Event("ended"));
  await vi.waitFor(() => expect(speech).toEqual([[true, false], [false, false]]));
  expect(port.sent.map(({ type }) => type)).toContain("reset");
});

test("another microphone takes the place of the one before", async () => {
  await start("desk");
  await audio.setDevice("headset");
  expect(devices.opened.map(({ label, isStopped }) => [label, isStopped])).toEqual([
    ["desk", true],
    ["headset", false],
  ]);
});

test("a microphone that cannot be opened leaves none until another is connected", async () => {
  await start("desk");
  await expect(audio.setDevice("gone")).rejects.toMatchObject({ code: "no_device" });
  expect(devices.opened[0]!.isStopped).toBe(true);
  devices.dispatchEvent(new Event("devicechange"));
  await vi.waitFor(() => expect(devices.opened).toHaveLength(2));
});

test("a muted microphone sends nothing", async () => {
  await start();
  frame();
  audio.setMuted(true);
  frame();
  expect([frames, devices.opened[0]!.enabled, last()?.is]).toEqual([1, false, "muted"]);
  audio.setMuted(false);
  frame();
  expect([frames, devices.opened[0]!.enabled, last()?.is]).toEqual([2, true, "on"]);
});

test("speech is reported, and its end also while the microphone is muted", async () => {
  await start();
  const hear = (isSpeech: boolean, interrupts: boolean): void =>
    FakeNode.all["aileron-capture"]!.port.onmessage?.({ data: { type: "speech", isSpeech, interrupts } });
  hear(true, true);
  audio.setMuted(true);
  hear(false, false);
  hear(true, true);
  expect(speech).toEqual([
    [true, true],
    [false, false],
  ]);
});

test("the playback of an interrupted reply is released, also while the microphone is muted", async () => {
  await start();
  const { port } = FakeNode.all["aileron-playback"]!;
  const speak = (): void => FakeNode.all["aileron-capture"]!.port.onmessage?.({ data: { type: "speech", isSpeech: true, interrupts: true } });
  speak();
  audio.setMuted(true);
  speak();
  expect(port.sent.filter(({ type }) => type === "clear")).toHaveLength(2);
});

test("a session that is stopped while the microphone opens leaves nothing open", async () => {
  const starting = start();
  await audio.stop();
  await starting;
  expect([devices.opened[0]!.isStopped, FakeContext.last.state]).toEqual([true, "closed"]);
});

test("audio that the system suspended is resumed", async () => {
  await start();
  const resume = vi.spyOn(FakeContext.last, "resume");
  FakeContext.last.state = "suspended";
  FakeContext.last.onstatechange?.();
  expect(resume).toHaveBeenCalled();
});

test("everything is closed at the end", async () => {
  await start();
  await audio.stop();
  expect([devices.opened[0]!.isStopped, FakeContext.last.state, last()?.is]).toEqual([true, "closed", "off"]);
});

test("microphones are listed without other devices", async () => {
  expect((await microphones()).map(({ deviceId }) => deviceId)).toEqual(["desk", "headset"]);
});
