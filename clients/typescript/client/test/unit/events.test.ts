// The event stream against a small server of our own, which breaks off, refuses and is silent.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Aileron, type ConnectionState, type EventSubscription, type ServerEvent } from "../../src/index.js";

let server: Server;
let requests: IncomingMessage[];
let handlers: ((response: ServerResponse) => void)[];
let subscription: EventSubscription;
let events: ServerEvent[];
let states: ConnectionState[];

beforeEach(async () => {
  requests = [];
  handlers = [];
  events = [];
  states = [];
  server = createServer((request, response) => {
    requests.push(request);
    (handlers.shift() ?? stream([]))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  subscription.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A stream with these events that stays open, or ends after them. */
const stream = (parts: string[], ends = false) => (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": connected\n\n");
  for (const part of parts) response.write(part);
  if (ends) response.end();
};

const event = (id: number, type: string, data: object): string => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

function subscribe(): void {
  const { port } = server.address() as AddressInfo;
  const client = new Aileron({ baseUrl: `http://127.0.0.1:${port}`, token: "secret" });
  subscription = client.events({
    firstMs: 10,
    onEvent: (received) => events.push(received),
    onState: (state) => states.push(state),
  });
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5000, interval: 5 });

test("events are delivered with their type, and the token is sent", async () => {
  handlers = [stream([event(1, "hello", { time: 5, now: 5 }), event(2, "unblocked", { time: 6, user: "ada" })])];
  subscribe();
  await until(() => expect(events).toHaveLength(2));
  expect(events).toEqual([
    { type: "hello", time: 5, now: 5 },
    { type: "unblocked", time: 6, user: "ada" },
  ]);
  expect(requests[0]!.headers).toMatchObject({ authorization: "Bearer secret", accept: "text/event-stream" });
  expect(requests[0]!.headers["last-event-id"]).toBeUndefined();
  expect(states.map(({ is }) => is)).toEqual(["connecting", "open"]);
});

test("a stream that ends is continued after its last event", async () => {
  handlers = [stream([event(7, "turn_ended", { time: 1 })], true), stream([event(8, "reset", { time: 2 })])];
  subscribe();
  await until(() => expect(events).toHaveLength(2));
  expect(requests[1]!.headers["last-event-id"]).toBe("7");
  expect(events[1]).toEqual({ type: "reset", time: 2 });
  expect(states.map(({ is }) => is)).toEqual(["connecting", "open", "waiting", "connecting", "open"]);
  expect(subscription.lastEventId).toBe("8");
});

test("a server that fails is tried again, later each time", async () => {
  const failing = (response: ServerResponse): void => void response.writeHead(500).end("broken");
  handlers = [failing, failing, failing, stream([event(1, "hello", { time: 1, now: 1 })])];
  subscribe();
  await until(() => expect(events).toHaveLength(1));
  expect(states.flatMap((state) => (state.is === "waiting" ? [state.attempt] : []))).toEqual([1, 2, 3]);
});

test("a wait ends when asked to retry", async () => {
  handlers = [(response) => void response.writeHead(503, { "retry-after": "60" }).end("full"), stream([event(1, "hello", { time: 1, now: 1 })])];
  subscribe();
  await until(() => expect(subscription.state.is).toBe("waiting"));
  expect(subscription.state).toMatchObject({ error: { status: 503, retryAfter: 60_000 } });
  subscription.retry();
  await until(() => expect(events).toHaveLength(1));
});

test("signed out is final", async () => {
  handlers = [(response) => void response.writeHead(401).end('{"error":{"code":"UNAUTHENTICATED","message":"sign in"}}')];
  subscribe();
  await until(() => expect(subscription.state).toMatchObject({ is: "closed", error: { code: "UNAUTHENTICATED" } }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(requests).toHaveLength(1);
});

test("nothing follows after close", async () => {
  subscribe();
  await until(() => expect(subscription.state.is).toBe("open"));
  subscription.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(states.at(-1)).toEqual({ is: "closed" });
  expect(requests).toHaveLength(1);
});

test("data that is not JSON is skipped", async () => {
  handlers = [stream(["event: hello\ndata: {\n\n", event(2, "turn_ended", { time: 2 })])];
  subscribe();
  await until(() => expect(events).toEqual([{ type: "turn_ended", time: 2 }]));
});

test("a silent connection is opened again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    subscribe();
    await vi.waitFor(() => expect(subscription.state.is).toBe("open"));
    await vi.advanceTimersByTimeAsync(41_000);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
  } finally {
    vi.useRealTimers();
  }
});
