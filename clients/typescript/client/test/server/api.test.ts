// The operations of the API and the event stream against the real server.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  Aileron,
  type Chat,
  type ConnectionState,
  dataOf,
  isToolPart,
  type ServerEvent,
  toUIMessages,
  withConfirmations,
} from "../../src/index.js";
import { TestServer } from "./server.js";

let server: TestServer;
let client: Aileron;

beforeAll(async () => {
  server = await TestServer.start();
  client = new Aileron({ baseUrl: server.url });
});
afterAll(() => server.stop());

/** A chat in which the booking of a meeting waits for approval. */
async function bookingChat(): Promise<Chat> {
  const chat = client.chat();
  await chat.send("Book a meeting with Mira Holt on Friday at 10 for the lighting review");
  await chat.send("the first one");
  return chat;
}

async function searchChat(): Promise<Chat> {
  const chat = client.chat();
  await chat.send("Who runs the lighting review?");
  return chat;
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 10 });

test("the server says who the caller is and what it runs", async () => {
  expect(await client.me()).toMatchObject({ user: null, role: "operator", signIn: "none" });
  expect(await client.server()).toMatchObject({ chat: { provider: "offline", offline: true }, voice: { offline: true } });
});

test("an open confirmation is listed, answered and then listed as decided", async () => {
  const { id } = await bookingChat();
  const [asked] = (await client.confirmations({ state: "open", conversation: id })).confirmations;
  expect(asked).toMatchObject({ conversationId: id, toolId: "calendar_create_event", mine: true, state: "open" });

  const decision = await client.answerConfirmation({ conversationId: id, token: asked!.token! }, true);
  expect(decision.is).toBe("approved");
  const [decided] = (await client.confirmations({ state: "decided", conversation: id })).confirmations;
  expect(decided).toMatchObject({ id: asked!.id, state: "approved", decision: { channel: "click" } });
  expect(decided!.token).toBeUndefined();
  expect((await client.confirmations({ state: "open", conversation: id })).confirmations).toEqual([]);
});

test("events tell what happens, in order", async () => {
  const events: ServerEvent[] = [];
  const subscription = client.events({ onEvent: (event) => events.push(event) });
  await until(() => expect(events.map(({ type }) => type)).toEqual(["hello"]));
  const { id } = await bookingChat();
  await until(() => expect(events.at(-1)!.type).toBe("turn_ended"));
  subscription.close();

  const mine = events.filter(({ conversationId }) => conversationId === id);
  expect(mine[0]).toMatchObject({ type: "conversation_began", mode: "text" });
  expect(mine).toContainEqual(expect.objectContaining({ type: "call_answered", toolId: "kb_search", ok: true }));
  const asked = mine.find(({ type }) => type === "confirmation_requested");
  expect(asked).toMatchObject({ toolId: "calendar_create_event" });
  expect(mine.map(({ time }) => time)).toEqual(mine.map(({ time }) => time).toSorted((a, b) => a - b));
});

test("events that were missed while the connection was lost are delivered", async () => {
  const events: ServerEvent[] = [];
  const first = client.events({ onEvent: (event) => events.push(event) });
  await until(() => expect(events).toHaveLength(1));
  first.close();
  const { id } = await searchChat();
  const second = client.events({ onEvent: (event) => events.push(event), lastEventId: first.lastEventId! });
  await until(() => expect(events.at(-1)).toMatchObject({ type: "turn_ended", conversationId: id }));
  second.close();
  expect(events).toContainEqual(expect.objectContaining({ type: "conversation_began", conversationId: id }));
});

test("turns show calls with the decisions of the policies", async () => {
  const { id } = await searchChat();
  const { turns } = await client.turns(id);
  expect(turns).toHaveLength(1);
  expect(turns[0]!.calls.map(({ toolId, outcome }) => [toolId, outcome])).toEqual([
    ["kb_search", "completed"],
    ["kb_get", "completed"],
  ]);
  expect(turns[0]!.calls[0]!.trail).toContainEqual(expect.objectContaining({ policy: "budgets", result: "passed" }));
  const turn = await client.turn(id, 1);
  expect(turn.calls).toEqual(turns[0]!.calls);
  expect(turn.context?.parts.map(({ name }) => name)).toContain("tools");
});

test("conversations are listed with their title", async () => {
  const { id } = await searchChat();
  const { conversations } = await client.conversations({ limit: 5 });
  expect(conversations[0]).toMatchObject({ id, title: "Who runs the lighting review?" });
});

test("a recorded conversation is a script and can be decided again", async () => {
  const { id } = await searchChat();
  expect(await client.script(id)).toContain("Who runs the lighting review?");
  const replay = await client.replay(id);
  expect(replay.calls.map(({ toolId, same }) => [toolId, same])).toEqual([
    ["kb_search", true],
    ["kb_get", true],
  ]);
});

test("a dry run decides without running", async () => {
  const { calls } = await client.dryRun({
    mode: "text",
    calls: [
      { toolId: "kb_search", args: { query: "light" } },
      { toolId: "kb_search", args: { query: 7 } },
    ],
  });
  expect(calls.map(({ decision }) => decision)).toEqual(["run", "refuse"]);
});

test("calls run outside of the built-in agent", async () => {
  const { id } = await client.beginConversation({ mode: "text" });
  await client.beginTurn(id, { input: "written" });
  const { answers } = await client.calls(id, { callId: "call-1234567", toolId: "kb_search", args: { query: "light" } });
  expect(answers[0]!.response).toMatchObject({ ok: true, meta: { toolId: "kb_search" } });
});

test("the audit log is filtered, verified and exported", async () => {
  const { id } = await searchChat();
  const { records } = await vi.waitFor(async () => {
    const page = await client.audit({ conversation: id });
    expect(page.records).toHaveLength(2);
    return page;
  });
  expect(records[0]).toMatchObject({ toolId: "kb_get", outcome: "completed" });
  expect(await client.auditRecord(records[0]!.seq)).toMatchObject({ hash: records[0]!.hash });
  expect(await client.verifyAudit()).toMatchObject({ ok: true });
  const lines = (await (await client.exportAudit({ conversation: id })).text()).trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(records.map(({ seq }) => seq).toReversed());
});

test("tools and registries are described", async () => {
  const { tools, registryVersion } = await client.tools({ mode: "text" });
  expect(tools.find(({ id }) => id === "kb_search")).toMatchObject({ category: "retrieval", sideEffects: "read_only" });
  const detail = await client.tool("kb_search");
  expect(detail.documentation.length).toBeGreaterThan(100);
  expect(Object.keys(detail.declarations)).toContain("openai");
  const { registries } = await client.registries();
  expect(registries).toContainEqual(expect.objectContaining({ version: registryVersion, current: true }));
  expect((await client.registryDiff(registryVersion, registryVersion)).changes).toEqual([]);
});

test("figures count the calls", async () => {
  await searchChat();
  await vi.waitFor(async () => {
    const { points, calls, tools } = await client.series({ minutes: 5 });
    expect(calls.completed).toHaveLength(points);
    expect(tools.find(({ toolId }) => toolId === "kb_search")?.calls).toBeGreaterThan(0);
  }, 15_000);
});

test("a conversation that is loaded again asks its open question", async () => {
  const { id } = await bookingChat();
  const [{ messages }, { confirmations }] = await Promise.all([client.messages(id), client.confirmations({ state: "open", conversation: id })]);
  const chat = client.chat({ id, messages: withConfirmations(toUIMessages(messages), confirmations) });
  const parts = chat.snapshot.messages.at(-1)!.parts;
  expect(parts.find(isToolPart)).toMatchObject({ state: "approval-requested" });
  const request = parts.map((part) => dataOf(part, "confirmation")).find((data) => data !== undefined);
  expect(request?.preview).toContain("Create this event");

  await chat.answer(request!.token, true);
  expect(chat.snapshot.messages.at(-1)!.parts.find(isToolPart)).toMatchObject({ state: "output-available" });
});

test("the event stream continues after the server was restarted, and says that events may be missing", async () => {
  const events: ServerEvent[] = [];
  const states: ConnectionState["is"][] = [];
  const subscription = client.events({
    firstMs: 20,
    onEvent: (event) => events.push(event),
    onState: ({ is }) => states.push(is),
  });
  await until(() => expect(events).toHaveLength(1));
  await server.restart();
  await until(() => expect(events.some(({ type }) => type === "reset")).toBe(true));
  subscription.close();
  expect(states).toContain("waiting");
});
