// The thread of a voice session: transcripts in order, also late ones, calls and confirmations.

import { expect, test } from "vitest";
import { dataOf, isToolPart, type UIMessage, type VoiceServerMessage, VoiceThread } from "../../src/index.js";

const meta = { toolId: "kb_search", registryVersion: "1", responseSchemaVersion: "1", callId: "c1" };
const user = (text: string, final = true): VoiceServerMessage => ({ type: "transcript", role: "user", text, final });
const model = (text: string, final = false): VoiceServerMessage => ({ type: "transcript", role: "assistant", text, final });

function thread(...messages: VoiceServerMessage[]): UIMessage[] {
  const thread = new VoiceThread("v");
  for (const message of messages) thread.apply(message);
  return [...thread.messages];
}

const lines = (messages: UIMessage[]): string[] =>
  messages.map(({ role, parts, metadata }) => {
    const texts = parts.flatMap((part) => (part.type === "text" ? [part.text + (part.state === "streaming" ? "…" : "")] : []));
    return `${role}: ${texts.join(" | ")}${metadata?.interrupted ? " (interrupted)" : ""}`;
  });

test("deltas are appended, replaced and completed", () => {
  expect(
    lines(
      thread(
        user("who", false),
        { type: "transcript", role: "user", text: "Who runs", final: false, replaces: true },
        user("Who runs it?"),
        model("Mira"),
        model(" Holt."),
      ),
    ),
  ).toEqual(["user: Who runs it?", "assistant: Mira Holt.…"]);
});

test("messages say whether they were spoken", () => {
  const thread = new VoiceThread("v");
  thread.apply(user("Who runs it?"));
  thread.apply(model("Mira Holt."));
  thread.write("Thank you");
  expect(thread.messages.map(({ metadata }) => metadata?.spoken)).toEqual([true, true, undefined]);
});

test("a late transcript is shown before the answer to it", () => {
  expect(lines(thread(model("Mira"), user("Who runs it?"), model(" Holt."), { type: "turn_complete" }))).toEqual([
    "user: Who runs it?",
    "assistant: Mira Holt.",
  ]);
});

test("the answer after a complete turn is another message", () => {
  expect(
    lines(thread(user("One?"), model("One.", true), model("More.", true), { type: "turn_complete" }, user("Two?"), model("Two.", true))),
  ).toEqual(["user: One?", "assistant: One. | More.", "user: Two?", "assistant: Two."]);
});

test("barge-in closes the answer", () => {
  expect(lines(thread(user("One?"), model("It is"), { type: "interrupted" }, user("Stop.")))).toEqual([
    "user: One?",
    "assistant: It is (interrupted)",
    "user: Stop.",
  ]);
});

test("a late barge-in belongs to the reply that is still played", () => {
  expect(lines(thread(user("One?"), model("It is.", true), { type: "turn_complete" }, { type: "interrupted" }))).toEqual([
    "user: One?",
    "assistant: It is. (interrupted)",
  ]);
});

test("calls are parts of the answer, also when their result is late", () => {
  const messages = thread(
    user("One?"),
    { type: "tool", callId: "c1", toolId: "kb_search", phase: "started" },
    { type: "tool", callId: "c2", toolId: "kb_get", phase: "started" },
    model("Soon.", true),
    { type: "turn_complete" },
    user("Two?"),
    { type: "tool", callId: "c1", toolId: "kb_search", phase: "finished", response: { ok: true, data: { a: 1 }, meta } },
    {
      type: "tool",
      callId: "c2",
      toolId: "kb_get",
      phase: "refused",
      by: "budgets",
      response: {
        ok: false,
        error: { type: "BUDGET_EXCEEDED", message: "no more", retryable: false, partialSideEffects: false, idempotencyRequired: false },
        meta,
      },
    },
  );
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(messages[1]!.parts.filter(isToolPart)).toMatchObject([
    { type: "tool-kb_search", toolCallId: "c1", state: "output-available", output: { a: 1 } },
    { type: "tool-kb_get", toolCallId: "c2", state: "output-error", errorText: "BUDGET_EXCEEDED: no more" },
  ]);
});

test("a confirmation is asked once and closed by its id", () => {
  const request: VoiceServerMessage = { type: "confirmation_request", token: "id.signature", expires: 9, tool: "book", args: {}, preview: "Book?" };
  const messages = thread(request, { ...request, again: true }, { type: "confirmation_closed", tokenId: "id", how: "approved" });
  const found = messages.flatMap(({ parts }) => parts.flatMap((part) => dataOf(part, "confirmation") ?? []));
  expect(found).toEqual([{ token: "id.signature", expires: 9, tool: "book", args: {}, preview: "Book?", again: true, closed: "approved" }]);
});

test("written text begins a message of the person", () => {
  const thread = new VoiceThread("v");
  thread.apply(model("Hello"));
  thread.write("Hi!");
  thread.apply(model("How are you?"));
  expect(lines([...thread.messages])).toEqual(["assistant: Hello", "user: Hi!", "assistant: How are you?…"]);
});
