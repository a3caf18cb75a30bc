// A server with sign-in: tokens in requests and WebSockets, people apart, roles, and the end of a sign-in.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import WebSocket from "ws";
import { Aileron, type AileronError, Voice } from "../../src/index.js";
import { FakeAudio } from "../fake-audio.js";
import { TestServer } from "./server.js";

const ADA = "token-of-ada-0123456789abcdef";
const BEN = "token-of-ben-0123456789abcdef";
const OLGA = "token-of-olga-0123456789abcdef";
const VERA = "token-of-vera-0123456789abcdef";

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start({ AILERON_TOKENS: `ada ${ADA}; ben ${BEN}; olga ${OLGA} operator; vera ${VERA} viewer` });
});
afterAll(() => server.stop());

const as = (token: string | null): Aileron => new Aileron({ baseUrl: server.url, token: () => token });

async function voiceOf(client: Aileron): Promise<Voice> {
  const voice = new Voice(client, { audio: new FakeAudio(), WebSocket: WebSocket as unknown as typeof globalThis.WebSocket });
  await voice.start();
  return voice;
}

test("the token says who the caller is", async () => {
  expect(await as(ADA).me()).toMatchObject({ user: "ada", role: "person", signIn: "token" });
  expect(await as(OLGA).me()).toMatchObject({ user: "olga", role: "operator" });
  expect(await as(VERA).me()).toMatchObject({ user: "vera", role: "viewer" });
});

test("a request without a valid token reports that the person is signed out", async () => {
  const signedOut: AileronError[] = [];
  const client = new Aileron({ baseUrl: server.url, token: "expired", onSignedOut: (error) => signedOut.push(error) });
  const chat = client.chat();
  await chat.send("Hello!");
  expect(chat.snapshot.error).toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  expect(signedOut).toHaveLength(1);

  const events = client.events({ onEvent: () => undefined });
  await vi.waitFor(() => expect(events.state).toMatchObject({ is: "closed", error: { status: 401 } }));
});

test("voice is opened with the token, and ends without it", async () => {
  const voice = await voiceOf(as(ADA));
  await vi.waitFor(() => expect(voice.snapshot.state).toEqual({ is: "live" }));
  await voice.stop();

  const refused = await voiceOf(as("expired"));
  await vi.waitFor(() => expect(refused.snapshot.state).toMatchObject({ is: "ended", end: { code: "signed_out" } }));
});

test("people see their own conversations, operators and viewers all of them", async () => {
  const chat = as(ADA).chat();
  await chat.send("Hello!");
  await expect(as(BEN).conversation(chat.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const token of [OLGA, VERA]) {
    const { conversations } = await as(token).conversations({ all: true });
    expect(conversations.map(({ id, user }) => [id, user])).toContainEqual([chat.id, "ada"]);
  }
  await expect(as(VERA).endConversation(chat.id)).rejects.toMatchObject({ status: 403 });
});

test("only the person is given the token of their confirmation", async () => {
  const chat = as(ADA).chat();
  await chat.send("Book a meeting with Mira Holt on Friday at 10 for the lighting review");
  await chat.send("the first one");
  const asked = async (token: string) => (await as(token).confirmations({ state: "open" })).confirmations;
  expect(await asked(ADA)).toMatchObject([{ conversationId: chat.id, mine: true, token: expect.any(String) as string }]);
  expect(await asked(BEN)).toEqual([]);
  const [seen] = await asked(OLGA);
  expect(seen).toMatchObject({ conversationId: chat.id, user: "ada", mine: false });
  expect(seen!.token).toBeUndefined();
});
