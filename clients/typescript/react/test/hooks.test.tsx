// The hooks in a real React tree, against a fake server of a few operations.
// @vitest-environment happy-dom

import { Aileron, type Confirmation, textOf, type UIMessage } from "@aileron/client";
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeAudio } from "../../client/test/fake-audio.js";
import { type Approvals, type AileronChat, useAileronChat, useApprovals, useVoice, type VoiceControl } from "../src/index.js";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const waiting = (id: string): Confirmation => ({
  id,
  conversationId: "c",
  user: null,
  mine: true,
  callId: `call-${id}`,
  toolId: "calendar_create_event",
  registryVersion: "1",
  turn: 1,
  args: {},
  preview: "Create this event?",
  askedAt: 0,
  expires: 1,
  state: "open",
  token: `${id}.signature`,
});

let root: Root;
let open: Confirmation[];
let answers: [string, unknown][];
let sendEvent: (event: string) => void;
let closedStreams: number;
let client: Aileron;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const fetch: typeof globalThis.fetch = async (input, init) => {
  const path = String(input);
  if (path.startsWith("/v1/confirmations")) return Response.json({ confirmations: open, open: open.length });
  if (path === "/v1/events") {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        sendEvent = (event) => controller.enqueue(encode(`event: ${event}\ndata: {"time":1}\n\n`));
        init?.signal?.addEventListener("abort", () => (closedStreams += 1));
      },
    });
    return new Response(body);
  }
  if (path === "/api/chat") {
    const chunks = [{ type: "start", messageId: "m" }, { type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: "Hello." }, { type: "finish" }];
    return new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""));
  }
  answers.push([path, JSON.parse(String(init?.body))]);
  open = open.filter(({ token }) => !path.endsWith(`/${token}`));
  return Response.json({ is: "approved", answers: [] });
};

beforeEach(() => {
  open = [waiting("a")];
  answers = [];
  closedStreams = 0;
  client = new Aileron({ fetch });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => act(async () => root.unmount()));

/** Renders a component that uses the hook, and returns what the hook returned last. */
async function use<T>(hook: () => T): Promise<() => T> {
  let latest: T;
  const Component = (): ReactNode => {
    latest = hook();
    return null;
  };
  await act(async () => root.render(<Component />));
  return () => latest;
}

test("approvals follow the event stream and are answered with their token", async () => {
  const approvals = await use<Approvals>(() => useApprovals(client));
  await vi.waitFor(() => expect(approvals().confirmations?.map(({ id }) => id)).toEqual(["a"]));

  open = [waiting("a"), waiting("b")];
  await act(async () => sendEvent("confirmation_requested"));
  await vi.waitFor(() => expect(approvals().confirmations?.map(({ id }) => id)).toEqual(["a", "b"]));

  await act(() => approvals().answer(waiting("a"), true));
  expect(answers).toEqual([["/v1/conversations/c/confirmations/a.signature", { approve: true, channel: "click" }]]);
  expect(approvals().confirmations?.map(({ id }) => id)).toEqual(["b"]);

  await act(async () => root.render(null));
  expect(closedStreams).toBe(1);
});

test("a response that was overtaken by a later one is not shown", async () => {
  const responses: ((ids: string[]) => void)[] = [];
  const slow: typeof globalThis.fetch = async (input, init) => {
    if (!String(input).startsWith("/v1/confirmations")) return fetch(input, init);
    return new Promise((resolve) => responses.push((ids) => resolve(Response.json({ confirmations: ids.map(waiting), open: ids.length }))));
  };
  client = new Aileron({ fetch: slow });
  const approvals = await use<Approvals>(() => useApprovals(client));
  await act(async () => sendEvent("confirmation_closed"));
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  await act(async () => responses[1]!(["b"]));
  await act(async () => responses[0]!(["a", "b"]));
  expect(approvals().confirmations?.map(({ id }) => id)).toEqual(["b"]);
});

test("chat messages are rendered as they come", async () => {
  const result = await use<AileronChat>(() => useAileronChat(client, { id: "c" }));
  await act(() => result().chat.send("Hi"));
  const lines = result().messages.map((message: UIMessage) => `${message.role}: ${textOf(message)}`);
  expect(lines).toEqual(["user: Hi", "assistant: Hello."]);
  expect(result().status).toBe("ready");
});

test("a voice session shows its state and ends with the component", async () => {
  const sockets: FakeSocket[] = [];
  class FakeSocket {
    readyState = 1;
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    constructor() {
      sockets.push(this);
    }
    send(): void {}
    close(): void {}
  }
  const audio = new FakeAudio();
  const voice = await use<VoiceControl>(() =>
    useVoice(client, { audio, WebSocket: FakeSocket as unknown as typeof WebSocket, conversationId: "c" }),
  );
  expect(voice().state).toEqual({ is: "idle" });

  await act(() => voice().start());
  expect(voice().state).toEqual({ is: "connecting" });
  const ready = { type: "ready", conversationId: "c", registryVersion: "1", tools: [], provider: "offline" };
  await act(async () => sockets[0]!.onmessage?.({ data: JSON.stringify(ready) }));
  expect(voice()).toMatchObject({ state: { is: "live" }, provider: "offline" });
  await act(async () => voice().write("Hello"));
  expect(voice().messages).toHaveLength(1);

  await act(async () => root.render(null));
  expect(audio.isOpen).toBe(false);
});
