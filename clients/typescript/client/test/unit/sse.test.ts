// The parser of server-sent events.

import { expect, test } from "vitest";
import { SseParser } from "../../src/sse.js";

const STREAM = ': comment\nid: 7\nevent: hello\ndata: {"now":1}\n\ndata: one\ndata: two\n\nevent: empty\n\nid\ndata:no space\r\n\r\ndata: ä€\r\r';

const EVENTS = [
  { id: "7", event: "hello", data: '{"now":1}' },
  { id: "7", event: "message", data: "one\ntwo" },
  { id: "", event: "message", data: "no space" },
];

test("fields, comments, several data lines and all line ends are read", () => {
  const parser = new SseParser();
  expect(parser.push(STREAM)).toEqual(EVENTS);
  // The last line end could still become CR LF.
  expect(parser.push("\n")).toEqual([{ id: "", event: "message", data: "ä€" }]);
});

test("pieces of any size give the same events", () => {
  for (const size of [1, 2, 3, 7]) {
    const parser = new SseParser();
    const events = [];
    for (let at = 0; at < STREAM.length; at += size) events.push(...parser.push(STREAM.slice(at, at + size)));
    expect(events).toEqual(EVENTS);
  }
});
