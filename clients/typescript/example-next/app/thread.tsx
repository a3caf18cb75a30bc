// The messages of text and voice, in one shape.

import { isToolPart, type ToolPart, toolName, type UIMessage, type UIPart } from "@aileron/client";

export function Thread({ messages }: { messages: readonly UIMessage[] }) {
  return (
    <ol aria-live="polite">
      {messages.map(({ id, role, parts }) => (
        <li key={id}>
          <strong>{role === "user" ? "You" : "Agent"}</strong>
          {parts.map((part, index) => (
            <Part key={index} part={part} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function Part({ part }: { part: UIPart }) {
  if (part.type === "text") return <p>{part.text}</p>;
  if (part.type === "source-url") return <a href={part.url}>{part.title}</a>;
  return isToolPart(part) ? <Call part={part} /> : null;
}

const Call = ({ part }: { part: ToolPart }) => (
  <p>
    <code>{toolName(part)}</code> {part.state}
  </p>
);
