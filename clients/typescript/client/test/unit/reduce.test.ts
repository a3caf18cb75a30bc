// The message reducer, compared with the official implementation in the package `ai`.

import { readUIMessageStream, type UIMessage as OfficialMessage, type UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { AileronError, type Chunk, MessageReducer, type UIMessage } from "../../src/index.js";
import { parsePartialJson } from "../../src/chat/partial-json.js";

const EMPTY: UIMessage = { id: "", role: "assistant", parts: [] };

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function reduced(chunks: Chunk[], base: UIMessage = EMPTY): UIMessage {
  const reducer = new MessageReducer(base);
  for (const chunk of chunks) reducer.apply(chunk);
  return reducer.message;
}

/** The last message of the official implementation. */
async function official(chunks: Chunk[], base?: UIMessage): Promise<unknown> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk);
      controller.close();
    },
  });
  let last: unknown;
  const message = structuredClone(base) as OfficialMessage | undefined;
  for await (const state of readUIMessageStream({ stream, ...(message && { message }) })) last = structuredClone(state);
  return last;
}

const search = { toolCallId: "c1", toolName: "kb_search" };
const STREAMS: Record<string, Chunk[]> = {
  "text and reasoning": [
    { type: "start", messageId: "m1", messageMetadata: { provider: "offline", deep: { a: 1 } } },
    { type: "start-step" },
    { type: "reasoning-start", id: "t1" },
    { type: "reasoning-delta", id: "t1", delta: "so" },
    { type: "reasoning-end", id: "t1" },
    { type: "text-start", id: "t2" },
    { type: "text-delta", id: "t2", delta: "Hello" },
    { type: "text-delta", id: "t2", delta: " there", providerMetadata: { x: { y: 1 } } },
    { type: "text-end", id: "t2" },
    { type: "finish-step" },
    { type: "finish", finishReason: "stop", messageMetadata: { usage: { inputTokens: 3 }, deep: { b: 2 } } },
  ],
  "a call with streamed arguments": [
    { type: "start", messageId: "m1" },
    { type: "start-step" },
    { type: "tool-input-start", ...search },
    { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"query": "lig' },
    { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: 'ht", "top' },
    { type: "tool-input-available", ...search, input: { query: "light" } },
    { type: "tool-output-available", toolCallId: "c1", output: { part: 1 }, preliminary: true },
    { type: "tool-output-available", toolCallId: "c1", output: { results: [] } },
    { type: "finish-step" },
    { type: "finish" },
  ],
  "calls that fail": [
    { type: "start", messageId: "m1" },
    { type: "start-step" },
    { type: "tool-input-start", ...search },
    { type: "tool-input-available", ...search, input: {} },
    { type: "tool-input-error", toolCallId: "c2", toolName: "kb_get", input: "{", errorText: "no JSON" },
    { type: "tool-output-error", toolCallId: "c1", errorText: "VALIDATION: no" },
    { type: "finish-step" },
  ],
  "a dynamic tool": [
    { type: "start", messageId: "m1" },
    { type: "tool-input-start", ...search, dynamic: true, title: "Search" },
    { type: "tool-input-available", ...search, dynamic: true, input: { query: "x" } },
    { type: "tool-output-available", toolCallId: "c1", output: 1, providerMetadata: { p: {} } },
  ],
  "a confirmation": [
    { type: "start", messageId: "m1" },
    { type: "start-step" },
    { type: "tool-input-start", ...search },
    { type: "tool-input-available", ...search, input: {} },
    { type: "data-confirmation", id: "c1", data: { token: "t" } },
    { type: "tool-approval-request", approvalId: "t", toolCallId: "c1" },
    { type: "finish-step" },
  ],
  "a declined call of an earlier step": [
    { type: "start", messageId: "m1" },
    { type: "start-step" },
    { type: "tool-input-start", ...search },
    { type: "tool-input-available", ...search, input: {} },
    { type: "tool-approval-request", approvalId: "t", toolCallId: "c1" },
    { type: "finish-step" },
    { type: "start-step" },
    { type: "tool-output-denied", toolCallId: "c1" },
    { type: "text-start", id: "t1" },
  ],
  "the same call id in two steps": [
    { type: "start", messageId: "m1" },
    { type: "start-step" },
    { type: "tool-input-available", ...search, input: { query: "a" } },
    { type: "tool-output-available", toolCallId: "c1", output: 1 },
    { type: "start-step" },
    { type: "tool-input-available", ...search, input: { query: "b" } },
    { type: "tool-output-available", toolCallId: "c1", output: 2 },
  ],
  "data that is replaced, and transient data": [
    { type: "start", messageId: "m1" },
    { type: "data-progress", data: 1, transient: true },
    { type: "data-confirmed", id: "c1", data: { a: 1 } },
    { type: "data-message", data: { toolCallId: "c1", message: { type: "image" } } },
    { type: "data-confirmed", id: "c1", data: { b: 2 } },
    { type: "data-message", data: 2 },
  ],
  "sources and files": [
    { type: "start", messageId: "m1" },
    { type: "source-url", sourceId: "a", url: "https://example.com", title: "A" },
    { type: "source-document", sourceId: "b", mediaType: "text/plain", title: "B" },
    { type: "file", url: "/v1/images/1", mediaType: "image/png" },
    { type: "message-metadata", messageMetadata: { list: [1] } },
    { type: "message-metadata", messageMetadata: { list: [2] } },
  ],
};

describe("the message is the one of the official implementation", () => {
  test.each(Object.entries(STREAMS))("%s", async (_, chunks) => {
    for (let length = 1; length <= chunks.length; length += 1) {
      // The official implementation shows steps only with the next change.
      const some: Chunk[] = [...chunks.slice(0, length), { type: "message-metadata", messageMetadata: { shown: true } }];
      expect(json(reduced(some))).toEqual(json(await official(some)));
    }
  });

  test("a message that continues after an approval", async () => {
    const asked = reduced(STREAMS["a confirmation"]!);
    const parts = asked.parts.map((part) =>
      "approval" in part ? { ...part, state: "approval-responded" as const, approval: { id: "t", approved: true } } : part,
    );
    const chunks: Chunk[] = [
      { type: "start", messageMetadata: { provider: "offline" } },
      { type: "start-step" },
      { type: "tool-output-available", toolCallId: "c1", output: { id: 1 } },
      { type: "text-start", id: "t1" },
      { type: "text-delta", id: "t1", delta: "Done." },
    ];
    const base = { ...asked, parts };
    expect(json(reduced(chunks, base))).toEqual(json(await official(chunks, base)));
  });
});

test("parts that a chunk does not touch keep their identity", () => {
  const reducer = new MessageReducer(EMPTY);
  for (const chunk of STREAMS["text and reasoning"]!.slice(0, 6)) reducer.apply(chunk);
  const before = reducer.message;
  reducer.apply({ type: "text-delta", id: "t2", delta: "!" });
  expect(reducer.message).not.toBe(before);
  expect(reducer.message.parts[1]).toBe(before.parts[1]);
  expect(before.parts[2]).toMatchObject({ text: "" });
});

test("a stream that refers to unknown parts is refused", () => {
  const chunks: Chunk[] = [
    { type: "text-delta", id: "t9", delta: "x" },
    { type: "tool-output-available", toolCallId: "c9", output: 1 },
    { type: "tool-input-delta", toolCallId: "c9", inputTextDelta: "{" },
  ];
  for (const chunk of chunks) expect(() => reduced([chunk])).toThrow(AileronError);
});

test("metadata cannot change prototypes", () => {
  reduced([
    { type: "start", messageMetadata: { a: {} } },
    { type: "finish", messageMetadata: JSON.parse('{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 1}}}') as unknown },
  ]);
  expect("polluted" in {}).toBe(false);
});

test("every beginning of a JSON text is read as far as it goes", () => {
  const value = { a: 'x "y" \\ \u00e9', b: [1, -2.5e3, true, null, { c: [] }], d: "" };
  const text = JSON.stringify(value);
  for (let length = 1; length <= text.length; length += 1) expect(parsePartialJson(text.slice(0, length))).toBeTypeOf("object");
  expect(parsePartialJson(text)).toEqual(value);
  expect(parsePartialJson('{"a": "x", "b": [1, 2')).toEqual({ a: "x", b: [1, 2] });
  expect(parsePartialJson('{"a": tr')).toEqual({});
  expect(parsePartialJson('{"a": "x\\u00e')).toEqual({ a: "x" });
  expect(parsePartialJson("nonsense")).toBeUndefined();
});
