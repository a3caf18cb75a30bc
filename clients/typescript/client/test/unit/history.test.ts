// The stored history as messages of a chat.

import { expect, test } from "vitest";
import { type MessageEntry, toUIMessages } from "../../src/index.js";

const entry = (number: number, turn: number, rest: object): MessageEntry => ({ number, time: number, turn, ...rest }) as MessageEntry;

test("messages say whether they were spoken, also if the words of an answer follow its calls", () => {
  const messages = toUIMessages([
    entry(1, 1, { from: "person", text: "written" }),
    entry(2, 1, { from: "model", text: "Written." }),
    entry(3, 2, { from: "person", text: "spoken", spoken: true }),
    entry(4, 2, { from: "model", text: "", calls: [{ callId: "c1", toolId: "look", args: {} }] }),
    entry(5, 2, { from: "model", text: "Spoken.", spoken: true }),
  ]);
  expect(messages.map(({ role, metadata }) => [role, metadata?.spoken])).toEqual([
    ["user", undefined],
    ["assistant", undefined],
    ["user", true],
    ["assistant", true],
  ]);
});
