// A page of another site that uses the hooks of `@aileron/react`; the tests in Chromium use it as a person would. `?server=` is the
// address of the server.

import { Aileron, isToolPart, textOf, toolName, type UIMessage } from "@aileron/client";
import { useAileronChat, useApprovals, useVoice } from "@aileron/react";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";

const client = new Aileron({ baseUrl: new URLSearchParams(location.search).get("server") ?? "" });

function Thread({ name, messages }: { name: string; messages: readonly UIMessage[] }) {
  return (
    <ol aria-label={name}>
      {messages.map((message) => (
        <li key={message.id}>
          {message.role}: {textOf(message)}
          {message.parts.filter(isToolPart).map((part) => (
            <code key={part.toolCallId}>{`${toolName(part)} ${part.state}`}</code>
          ))}
        </li>
      ))}
    </ol>
  );
}

function Chat() {
  const { messages, status, chat } = useAileronChat(client, { id: "react-chat" });
  const { confirmations, error, answer } = useApprovals(client);
  return (
    <section aria-label="Chat">
      <form action={(form) => void chat.send(String(form.get("text")))}>
        <input aria-label="Message" name="text" />
      </form>
      <output>{status}</output>
      <Thread name="Chat messages" messages={messages} />
      {error && <p role="alert">{error.message}</p>}
      <ul aria-label="Approvals">
        {confirmations?.map((each) => (
          <li key={each.id}>
            {each.preview}
            <button onClick={() => void answer(each, true)}>Approve</button>
            <button onClick={() => void answer(each, false)}>Decline</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Talk() {
  const voice = useVoice(client);
  return (
    <section aria-label="Voice">
      <button onClick={() => void voice.start()}>Talk</button>
      <button onClick={() => voice.interrupt()}>Interrupt</button>
      <output>{`${voice.state.is}, ${voice.floor}`}</output>
      <Thread name="Voice messages" messages={voice.messages} />
    </section>
  );
}

function Page() {
  const [isTalking, setTalking] = useState(true);
  return (
    <>
      <Chat />
      {isTalking && <Talk />}
      <button onClick={() => setTalking(false)}>Leave voice</button>
    </>
  );
}

createRoot(document.getElementById("page")!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
