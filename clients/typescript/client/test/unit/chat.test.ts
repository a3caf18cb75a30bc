// A chat against streams of our own: pieces, errors, aborts and answers that replace each other.

import { expect, test, vi } from "vitest";
import { Aileron, type Chat, type Chunk, isToolPart, textOf } from "../../src/index.js";

const encode = (chunks: (Chunk | "[DONE]")[]): Uint8Array =>
  new TextEncoder().encode(chunks.map((chunk) => `data: ${chunk === "[DONE]" ? chunk : JSON.stringify(chunk)}\n\n`).join(""));

const HELLO: Chunk[] = [
  { type: "start", messageId: "m1" },
  { type: "text-start", id: "t1" },
  { type: "text-delta", id: "t1", delta: "Hello" },
];

/** A chat whose requests are answered with these bodies, one after the other. */
function chatWith(...bodies: (Uint8Array[] | Response)[]): { chat: Chat; requests: unknown[] } {
  const requests: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    requests.push(init?.body === undefined ? init?.method : JSON.parse(String(init.body)));
    const body = bodies.shift();
    if (body instanceof Response) return body;
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const piece of body ?? []) {
          controller.enqueue(piece);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        controller.close();
      },
    });
    return new Response(stream);
  };
  return { chat: new Aileron({ fetch }).chat({ id: "c" }), requests };
}

const lines = (chat: Chat): string[] => chat.snapshot.messages.map((message) => `${message.role}: ${textOf(message)}`);

test("only the last message is sent", async () => {
  const { chat, requests } = chatWith([encode([...HELLO, { type: "finish" }, "[DONE]"])], [encode([{ type: "finish" }])]);
  await chat.send("One");
  await chat.send("Two");
  expect(requests[1]).toMatchObject({ id: "c", trigger: "submit-message", messages: [{ role: "user", parts: [{ text: "Two" }] }] });
});

test("chunks that are cut anywhere are read, and their text is complete at the end", async () => {
  const bytes = encode([...HELLO, { type: "text-delta", id: "t1", delta: " wörld" }, { type: "finish" }, "[DONE]"]);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.slice(at * 7, at * 7 + 7));
  const { chat } = chatWith(pieces);
  await chat.send("Hi");
  expect(lines(chat)).toEqual(["user: Hi", "assistant: Hello wörld"]);
  expect(chat.snapshot.messages[1]!.parts[0]).toMatchObject({ state: "done" });
});

test("an answer that fails keeps what was written", async () => {
  const { chat } = chatWith([encode([...HELLO, { type: "error", errorText: "the model failed" }])]);
  await chat.send("Hi");
  expect(chat.snapshot).toMatchObject({ status: "error", error: { code: "ANSWER_FAILED", message: "the model failed" } });
  expect(lines(chat)).toEqual(["user: Hi", "assistant: Hello"]);
  chat.clearError();
  expect(chat.snapshot.status).toBe("ready");
});

test("a chunk that is not JSON is a fault of the answer, and an exception of the page is not", async () => {
  const broken = chatWith([encode(HELLO), new TextEncoder().encode("data: {nonsense\n\n")]);
  await broken.chat.send("Hi");
  expect(broken.chat.snapshot.error).toMatchObject({ code: "BAD_STREAM" });
  expect(broken.requests).toHaveLength(1);

  const uncaught: unknown[] = [];
  const catchUncaught = (error: Error): void => void uncaught.push(error.message);
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", catchUncaught);
  const { chat } = chatWith([encode([...HELLO, { type: "finish" }])]);
  chat.subscribe(() => {
    throw new Error("of the page");
  });
  await chat.send("Hi");
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.removeListener("uncaughtException", catchUncaught);
  for (const listener of others) process.on("uncaughtException", listener);
  expect(lines(chat)).toEqual(["user: Hi", "assistant: Hello"]);
  expect(new Set(uncaught)).toEqual(new Set(["of the page"]));
});

test("an aborted answer is reported with its reason", async () => {
  const ends: unknown[] = [];
  const { chat } = chatWith([encode([...HELLO, { type: "abort", reason: "stopped" }])]);
  Object.assign((chat as unknown as { options: object }).options, { onFinish: (end: object) => ends.push(end) });
  await chat.send("Hi");
  expect(ends).toMatchObject([{ aborted: "stopped", message: { id: "m1" } }]);
});

test("stop asks the server, and reading continues until its abort", async () => {
  const { chat, requests } = chatWith([encode(HELLO), encode([]), encode([{ type: "abort", reason: "stopped" }])], new Response(null, { status: 204 }));
  const sent = chat.send("Hi");
  await new Promise((resolve) => setTimeout(resolve, 1));
  await chat.stop();
  await sent;
  expect(requests[1]).toBe("DELETE");
  expect(chat.snapshot.status).toBe("ready");
  expect(lines(chat)).toEqual(["user: Hi", "assistant: Hello"]);
});

test("a plain sentence is the message of an error", async () => {
  const { chat } = chatWith(new Response("another answer is running", { status: 409, headers: { "retry-after": "2" } }));
  await chat.send("Hi");
  expect(chat.snapshot.error).toMatchObject({ status: 409, message: "another answer is running", retryAfter: 2000 });
});

test("a newer message ends the reading of the answer before", async () => {
  const slow = Array.from({ length: 50 }, () => encode([{ type: "text-delta", id: "t1", delta: "." }]));
  const { chat } = chatWith([encode(HELLO), ...slow], [encode([{ type: "start", messageId: "m2" }, { type: "finish" }])]);
  const first = chat.send("One");
  await new Promise((resolve) => setTimeout(resolve, 10));
  await chat.send("Two");
  await first;
  expect(chat.snapshot.status).toBe("ready");
  expect(chat.snapshot.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("a running answer is resumed in place of the one from the history", async () => {
  const { chat } = chatWith([encode([...HELLO, { type: "finish" }])]);
  chat.setMessages([
    { id: "stored-1", role: "user", parts: [{ type: "text", text: "Hi" }] },
    { id: "stored-2", role: "assistant", parts: [{ type: "text", text: "Hel" }] },
  ]);
  await chat.resume();
  expect(lines(chat)).toEqual(["user: Hi", "assistant: Hello"]);
});

test("answers to confirmations wait for the answer that is read, one after the other", async () => {
  const call = (id: string): Chunk[] => [
    { type: "tool-input-available", toolCallId: id, toolName: "book", input: {} },
    { type: "tool-approval-request", toolCallId: id, approvalId: `token-${id}` },
  ];
  const asking: Chunk[] = [{ type: "start", messageId: "m1" }, { type: "start-step" }, ...call("a"), ...call("b")];
  const output = (id: string): Uint8Array => encode([{ type: "start" }, { type: "tool-output-available", toolCallId: id, output: id }, { type: "finish" }]);
  const { chat, requests } = chatWith([encode(asking), encode([{ type: "text-start", id: "t" }]), encode([{ type: "finish" }])], [output("a")], [output("b")]);
  const states = (): unknown[] => chat.snapshot.messages.at(-1)!.parts.filter(isToolPart).map(({ state }) => state);
  const sent = chat.send("Book both");
  await vi.waitFor(() => expect(states()).toEqual(["approval-requested", "approval-requested"]));

  const answers = [chat.answer("token-a", true), chat.answer("token-b", true)];
  expect(states()).toEqual(["approval-responded", "approval-responded"]);
  expect(requests).toHaveLength(1);
  await sent;
  expect(states()).toEqual(["approval-responded", "approval-responded"]);
  await Promise.all(answers);
  expect(states()).toEqual(["output-available", "output-available"]);
  expect(requests.slice(1)).toMatchObject([
    { messages: [{ parts: [{ toolCallId: "a", approval: { id: "token-a", approved: true } }] }] },
    { messages: [{ parts: [{ toolCallId: "b", approval: { id: "token-b", approved: true } }] }] },
  ]);
});

test("messages and confirmations that are not there are refused", async () => {
  const { chat } = chatWith();
  await expect(chat.send("Hi", { messageId: "x" })).rejects.toMatchObject({ code: "UNKNOWN_MESSAGE" });
  await expect(chat.regenerate()).rejects.toMatchObject({ code: "UNKNOWN_MESSAGE" });
  await expect(chat.answer("x", true)).rejects.toMatchObject({ code: "UNKNOWN_CONFIRMATION" });
});

test("a stored message is answered again by its place, because the server does not know its id", async () => {
  const { chat, requests } = chatWith([encode([...HELLO, { type: "finish" }, "[DONE]"])]);
  const stored = (number: number, role: "user" | "assistant") => ({ id: `stored-${number}`, role, parts: [{ type: "text" as const, text: role }] });
  chat.setMessages([stored(1, "user"), stored(2, "assistant"), stored(3, "user"), stored(4, "assistant")]);
  await chat.regenerate();
  expect(requests[0]).toMatchObject({ trigger: "regenerate-message", messages: [] });
  await expect(chat.regenerate("stored-2")).rejects.toMatchObject({ code: "UNKNOWN_MESSAGE" });
  await expect(chat.send("Rather this", { messageId: "stored-1" })).rejects.toMatchObject({ code: "UNKNOWN_MESSAGE" });
});
