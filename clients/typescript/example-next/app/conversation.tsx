// One conversation: text, voice and approvals.

import { useChat } from "@ai-sdk/react";
import type { Confirmation, UIMessage } from "@aileron/client";
import { useApprovals, useVoice } from "@aileron/react";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useEffect, useState } from "react";
import { client, SERVER } from "./aileron";
import { Thread } from "./thread";

const transport = new DefaultChatTransport({ api: `${SERVER}/api/chat` });

export function Conversation({ id }: { id: string }) {
  const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses;
  const chat = useChat({ id, transport, sendAutomaticallyWhen });
  const voice = useVoice(client, { conversationId: id });
  const approvals = useApprovals(client);
  const [text, setText] = useState("");
  const isVoice = voice.state.is !== "idle" && voice.state.is !== "ended";
  const messages = chat.messages as UIMessage[];

  // The spoken messages stay in the thread after the voice session.
  useEffect(() => {
    if (voice.state.is === "ended") chat.setMessages((before) => [...before, ...(voice.messages as typeof before)]);
  }, [voice.state.is]);

  const send = () => {
    if (isVoice) voice.write(text);
    else void chat.sendMessage({ text });
    setText("");
  };

  // An answer in this chat lets the agent continue; others go to the server alone.
  const answer = (confirmation: Confirmation, approved: boolean) => {
    const { token = "" } = confirmation;
    const isHere = chat.messages.some(({ parts }) => parts.some((part) => isToolUIPart(part) && part.approval?.id === token));
    if (isHere) void chat.addToolApprovalResponse({ id: token, approved });
    else void approvals.answer(confirmation, approved);
  };

  return (
    <main>
      <Thread messages={isVoice ? [...messages, ...voice.messages] : messages} />
      {chat.error && <p role="alert">{chat.error.message}</p>}
      {voice.state.is === "ended" && voice.state.end.code !== "ended" && <p role="alert">{voice.state.end.message}</p>}
      {approvals.confirmations?.map((confirmation) => (
        <section key={confirmation.id} aria-label="Approval">
          <p>{confirmation.preview}</p>
          <button onClick={() => answer(confirmation, true)}>Approve</button>
          <button onClick={() => answer(confirmation, false)}>Decline</button>
        </section>
      ))}
      <form action={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} required />
        <button>Send</button>
        <button type="button" onClick={() => void (isVoice ? voice.stop() : voice.start())}>
          {isVoice ? "Stop voice" : "Start voice"}
        </button>
        {isVoice && <output>{`${voice.state.is}; ${voice.floor} speaks`}</output>}
      </form>
    </main>
  );
}
