// Turns the stored history of a conversation into the messages that a chat shows.

import type { Confirmation, Envelope, MessageEntry } from "../api-types.js";
import type { AileronData } from "./chunk.js";
import { isToolPart, type ToolPart, type UIMessage, type UIPart } from "./message.js";

/** Messages of the history have ids of this client, because the history does not contain those of the front end. */
export const STORED_PREFIX = "stored-";

/** The messages of the history. All answers of the model to one message of the person are one message. */
export function toUIMessages(entries: readonly MessageEntry[]): UIMessage[] {
  const messages: UIMessage[] = [];
  for (const entry of visible(entries)) {
    if (entry.from === "person") {
      messages.push(message(entry, "user", [{ type: "text", text: entry.text, state: "done" }]));
      continue;
    }
    let answer = messages.at(-1);
    if (answer?.role !== "assistant" || answer.metadata?.turn !== (entry.turn ?? undefined)) {
      answer = message(entry, "assistant", []);
      messages.push(answer);
    }
    if (entry.from === "model") addModel(answer, entry);
    else for (const { callId, response } of entry.answers) addResult(answer, messages, callId, response);
  }
  return messages.filter(({ parts }) => parts.length > 0);
}

type Visible = Exclude<MessageEntry, { from: "retracted" }>;
type ModelEntry = Extract<MessageEntry, { from: "model" }>;

function visible(entries: readonly MessageEntry[]): Visible[] {
  let kept: Visible[] = [];
  for (const entry of entries) {
    if (entry.from === "retracted") kept = kept.filter(({ number }) => number < entry.since);
    else kept.push(entry);
  }
  return kept;
}

function message(entry: Visible, role: UIMessage["role"], parts: UIPart[]): UIMessage {
  const { number, time, turn, spoken = false } = entry;
  const metadata = { number, time, ...(turn != null && { turn }), ...(spoken && { spoken }) };
  return { id: `${STORED_PREFIX}${number}`, role, metadata, parts };
}

function addModel(answer: UIMessage, entry: ModelEntry): void {
  // The words of a spoken answer may follow its calls.
  if (entry.spoken) answer.metadata = { ...answer.metadata, spoken: true };
  answer.parts.push({ type: "step-start" });
  if (entry.text) answer.parts.push({ type: "text", text: entry.text, state: "done" });
  for (const { callId, toolId, args } of entry.calls ?? []) {
    answer.parts.push({ type: `tool-${toolId}`, toolCallId: callId, state: "input-available", input: args });
  }
}

/** A late result belongs to the call of an earlier message. */
function addResult(answer: UIMessage, messages: UIMessage[], callId: string, response: Envelope): void {
  for (const { parts } of [answer, ...messages.toReversed()]) {
    const index = parts.findLastIndex((part) => "toolCallId" in part && part.toolCallId === callId);
    if (index < 0) continue;
    parts[index] = { ...(parts[index] as ToolPart), ...result(response) };
    return;
  }
  answer.parts.push({ type: `tool-${response.meta.toolId}`, toolCallId: callId, ...result(response) } as ToolPart);
}

function result({ ok, data, error }: Envelope): Partial<ToolPart> {
  if (ok) return { state: "output-available", output: data };
  if (error?.type === "CONFIRMATION_REQUIRED") return { state: "approval-requested", approval: { id: "" } };
  if (error?.type === "DENIED") return { state: "output-denied" };
  return { state: "output-error", errorText: error ? `${error.type}: ${error.message}` : "the call failed" };
}

/** Completes calls that wait for the person: the history contains neither their tokens nor unreported decisions. */
export function withConfirmations(messages: UIMessage[], confirmations: readonly Confirmation[]): UIMessage[] {
  const byCall = new Map(confirmations.map((confirmation) => [confirmation.callId, confirmation]));
  return messages.map((message) => {
    const parts = message.parts.flatMap((part) => {
      if (!isToolPart(part) || part.state !== "approval-requested") return [part];
      const confirmation = byCall.get(part.toolCallId);
      return confirmation ? confirmed(part, confirmation) : [part];
    });
    return { ...message, parts };
  });
}

function confirmed(part: ToolPart, confirmation: Confirmation): UIPart[] {
  const { token = "", toolId: tool, args, preview, expires, state } = confirmation;
  if (state === "open") {
    const data: AileronData["confirmation"] = { token, tool, args, preview, expires };
    return [
      { ...part, approval: { id: token } },
      { type: "data-confirmation", id: part.toolCallId, data },
    ];
  }
  if (state === "approved") return [{ ...part, state: "approval-responded", approval: { id: token, approved: true } }];
  return [{ ...part, state: "output-denied", approval: { id: token, approved: false, reason: state } }];
}
