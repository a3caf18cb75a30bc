// Voice against the real server, offline: text in, tones out, interruption, text and voice in one conversation.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import WebSocket from "ws";
import { Aileron, isToolPart, textOf, toUIMessages, Voice, type VoiceOptions } from "../../src/index.js";
import { FakeAudio } from "../fake-audio.js";
import { TestServer } from "./server.js";

let server: TestServer;
let client: Aileron;
let audio: FakeAudio;
let voice: Voice;

beforeAll(async () => {
  server = await TestServer.start();
  client = new Aileron({ baseUrl: server.url });
});
afterAll(() => server.stop());
beforeEach(() => {
  audio = new FakeAudio();
});
afterEach(() => voice.stop());

async function open(options: VoiceOptions = {}): Promise<void> {
  voice = new Voice(client, { audio, WebSocket: WebSocket as unknown as typeof globalThis.WebSocket, ...options });
  await voice.start();
  await until(() => expect(voice.snapshot.state).toEqual({ is: "live" }));
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 10 });

const turnIsComplete = (): Promise<void> => until(() => expect(audio.completed).toBeGreaterThan(0));

test("a written question is answered with tools, words and sound", async () => {
  await open();
  expect(voice.snapshot).toMatchObject({ provider: "offline", microphone: { is: "on" } });
  expect(voice.snapshot.notes.length).toBeGreaterThan(0);
  voice.write("Who runs the lighting review?");
  await turnIsComplete();

  const [question, answer] = voice.snapshot.messages;
  expect(textOf(question!)).toBe("Who runs the lighting review?");
  expect(answer!.parts.filter(isToolPart).map(({ type, state }) => `${type} ${state}`)).toEqual([
    "tool-kb_search output-available",
    "tool-kb_get output-available",
  ]);
  expect(textOf(answer!)).toContain("Mira Holt");
  expect(audio.played).toBeGreaterThan(24_000);
  expect(voice.snapshot.floor).toBe("model");
});

test("a click silences the reply at once, and the server confirms it", async () => {
  await open();
  voice.write("Who runs the lighting review?");
  await turnIsComplete();
  const before = audio.clears;
  voice.interrupt();
  expect(audio.clears).toBe(before + 1);
  await until(() => expect(voice.snapshot.messages.at(-1)!.metadata).toMatchObject({ interrupted: true }));
  expect(audio.clears).toBe(before + 2);
});

test("speech over the reply interrupts it at the server", async () => {
  await open();
  voice.write("Who runs the lighting review?");
  await turnIsComplete();
  audio.listener!.onSpeech(true, true);
  expect(voice.snapshot.floor).toBe("person");
  await until(() => expect(voice.snapshot.messages.at(-1)!.metadata).toMatchObject({ interrupted: true }));
});

test("microphone audio is accepted; the offline provider says once that it takes none", async () => {
  await open();
  for (let frame = 0; frame < 10; frame += 1) audio.listener!.onFrame(new ArrayBuffer(640));
  await until(() => expect(voice.snapshot.notice).toMatchObject({ code: "audio_unsupported" }));
  expect(voice.snapshot.state).toEqual({ is: "live" });
});

test("a conversation goes from text to voice and back", async () => {
  const chat = client.chat();
  await chat.send("Who runs the lighting review?");
  await open({ conversationId: chat.id });
  expect(voice.snapshot.conversationId).toBe(chat.id);
  voice.write("What does a node hour cost?");
  await turnIsComplete();
  const stopped = voice.stop();
  expect(voice.snapshot.state).toMatchObject({ is: "ended", end: { code: "ended", reason: "stopped" } });
  await stopped;

  await chat.send("Thank you!");
  expect(chat.snapshot.error).toBeUndefined();
  const history = toUIMessages((await client.messages(chat.id)).messages);
  expect(history.filter(({ role }) => role === "user").map(textOf)).toEqual([
    "Who runs the lighting review?",
    "What does a node hour cost?",
    "Thank you!",
  ]);
});

test("a second connection takes the session over", async () => {
  await open();
  const first = voice;
  await open({ conversationId: first.snapshot.conversationId!, audio: new FakeAudio() });
  await until(() => expect(first.snapshot.state).toMatchObject({ is: "ended", end: { code: "taken_over" } }));
});

test("a conversation that has ended is refused", async () => {
  const { id } = await client.beginConversation({ mode: "voice" });
  await client.endConversation(id);
  voice = new Voice(client, { audio, conversationId: id, WebSocket: WebSocket as unknown as typeof globalThis.WebSocket });
  await voice.start();
  await until(() => expect(voice.snapshot.state).toMatchObject({ is: "ended", end: { code: "refused", reason: "conversation_ended" } }));
  expect(audio.isOpen).toBe(false);
});

test("the conversation continues after the server was restarted", async () => {
  await open();
  voice.write("Who runs the lighting review?");
  await turnIsComplete();
  const { conversationId, messages } = voice.snapshot;
  await server.restart();
  await until(() => expect(voice.snapshot.state).toEqual({ is: "live" }));
  expect(voice.snapshot.conversationId).toBe(conversationId);
  expect(voice.snapshot.messages).toEqual(messages);
  voice.write("What does a node hour cost?");
  await until(() => expect(textOf(voice.snapshot.messages.at(-1)!)).toContain("euro"));
});
