// Chat against the real server: a tool call with a citation, confirmations, resume, stop, regenerate.

import { afterAll, beforeAll, expect, test } from "vitest";
import { Aileron, AileronError, type Chat, type DataChunk, dataOf, isSourcePart, isToolPart, textOf, toUIMessages } from "../../src/index.js";
import { TestServer } from "./server.js";

let server: TestServer;
let client: Aileron;

beforeAll(async () => {
  server = await TestServer.start();
  client = new Aileron({ baseUrl: server.url });
});
afterAll(() => server.stop());

const answer = (chat: Chat) => {
  const message = chat.snapshot.messages.at(-1);
  if (message?.role !== "assistant") throw new Error("no answer");
  return message;
};

const states = (chat: Chat): string[] => answer(chat).parts.filter(isToolPart).map(({ type, state }) => `${type} ${state}`);

/** A chat in which the booking of a meeting waits for approval, and the token of that confirmation. */
async function bookingChat(): Promise<{ chat: Chat; token: string }> {
  const chat = client.chat();
  await chat.send("Book a meeting with Mira Holt on Friday at 10 for the lighting review");
  await chat.send("the first one");
  const request = answer(chat).parts.map((part) => dataOf(part, "confirmation")).find((data) => data !== undefined);
  if (!request) throw new Error("no confirmation was requested");
  return { chat, token: request.token };
}

test("an answer comes with its tool calls and sources", async () => {
  const data: DataChunk[] = [];
  const statuses = new Set<string>();
  const chat = client.chat({
    onData: (chunk) => data.push(chunk),
    onChange: ({ status }) => statuses.add(status),
  });
  await chat.send("Who runs the lighting review?");

  expect(chat.snapshot.status).toBe("ready");
  expect([...statuses]).toEqual(["ready", "submitted", "streaming"]);
  expect(states(chat)).toEqual(["tool-kb_search output-available", "tool-kb_get output-available"]);
  expect(textOf(answer(chat))).toContain("Mira Holt");
  expect(answer(chat).parts.filter(isSourcePart)[0]).toMatchObject({ sourceId: "person:mira_holt", title: "Mira Holt" });
  expect(answer(chat).metadata).toMatchObject({ conversationId: chat.id, provider: "offline" });
  expect(data.filter(({ type }) => type === "data-progress")).toHaveLength(2);
});

test("an approved booking continues in the same message", async () => {
  const { chat, token } = await bookingChat();
  expect(states(chat)).toEqual(["tool-calendar_create_event approval-requested"]);
  const { id } = answer(chat);

  await chat.answer(token, true);

  expect(chat.snapshot.error).toBeUndefined();
  expect(answer(chat).id).toBe(id);
  expect(states(chat)).toEqual(["tool-calendar_create_event output-available"]);
});

test("a declined booking is denied", async () => {
  const { chat, token } = await bookingChat();
  await chat.answer(token, false);
  expect(states(chat)).toEqual(["tool-calendar_create_event output-denied"]);
});

test("an answer over the API decides the confirmation once", async () => {
  const { chat, token } = await bookingChat();
  const decision = await client.answerConfirmation({ conversationId: chat.id, token }, true);
  expect(decision.is).toBe("approved");
  const other = client.answerConfirmation({ conversationId: chat.id, token }, false);
  await expect(other).rejects.toMatchObject({ code: "ALREADY_DECIDED", status: 409 });
});

test("the history gives the same parts as the stream", async () => {
  const chat = client.chat();
  await chat.send("Who runs the lighting review?");
  const { messages } = await client.messages(chat.id);
  const shape = (parts: { type: string }[]): string[] =>
    parts.map(({ type }) => type).filter((type) => !type.startsWith("source-"));
  expect(toUIMessages(messages).map(({ role, parts }) => [role, shape(parts)])).toEqual(
    chat.snapshot.messages.map(({ role, parts }) => [role, shape(parts)]),
  );
});

test("regenerate answers the last message again", async () => {
  const chat = client.chat();
  await chat.send("Who runs the lighting review?");
  const first = answer(chat).id;
  await chat.regenerate();
  expect(chat.snapshot.error).toBeUndefined();
  expect(chat.snapshot.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(answer(chat).id).not.toBe(first);
});

test("an edited message replaces the one before", async () => {
  const chat = client.chat();
  await chat.send("Who runs the lighting review?");
  const [asked] = chat.snapshot.messages;
  await chat.send("What does a node hour cost?", { messageId: asked!.id });
  expect(chat.snapshot.error).toBeUndefined();
  expect(chat.snapshot.messages).toHaveLength(2);
  expect(textOf(chat.snapshot.messages[0]!)).toBe("What does a node hour cost?");
});

test("an answer whose connection broke is completed", async () => {
  let broken = false;
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (broken || init?.method !== "POST") return response;
    broken = true;
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(value!.slice(0, Math.floor(value!.length / 2)));
      },
      pull(controller) {
        controller.error(new TypeError("the connection was lost"));
      },
    });
    return new Response(body, response);
  };
  const chat = new Aileron({ baseUrl: server.url, fetch: cutting }).chat();
  await chat.send("Who runs the lighting review?");
  expect(broken).toBe(true);
  expect(chat.snapshot.status).toBe("ready");
  expect(chat.snapshot.messages).toHaveLength(2);
  expect(states(chat)).toEqual(["tool-kb_search output-available", "tool-kb_get output-available"]);
  expect(textOf(answer(chat))).toContain("Mira Holt");
});

test("resume without a running answer changes nothing", async () => {
  const chat = client.chat();
  await chat.send("Hello!");
  const { messages } = chat.snapshot;
  await chat.resume();
  expect(chat.snapshot).toEqual({ status: "ready", messages });
});

test("errors have the server's code", async () => {
  await expect(client.conversation("no-such-conversation")).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  const chat = client.chat({ id: "x".repeat(1000) });
  await chat.send("Hello!");
  expect(chat.snapshot.status).toBe("error");
  expect(chat.snapshot.error).toBeInstanceOf(AileronError);
  expect(chat.snapshot.error).toMatchObject({ code: "INVALID_REQUEST", status: 400 });
});

test("a server that is not there is a network error", async () => {
  const chat = new Aileron({ baseUrl: "http://127.0.0.1:9" }).chat();
  await chat.send("Hello!");
  expect(chat.snapshot.error).toMatchObject({ code: "NETWORK", status: 0 });
});
