// Draws inline Markdown: text, emphasis, code, links and citations.
import type { ComponentChildren } from 'preact';
import type { Inline } from './inline';

/** A line end of the text: a break in a chat, a space in a document, by the style of the whole. */
function LineEnd() {
  return (
    <>
      {' '}
      <br />
    </>
  );
}

export function inlines(content: Inline[], record: ((id: string) => ComponentChildren) | undefined): ComponentChildren {
  return content.map((part, at) => {
    switch (part.is) {
      case 'text':
        return part.text;
      case 'break':
        return <LineEnd key={at} />;
      case 'code':
        return <code key={at}>{part.text}</code>;
      case 'strong':
        return <strong key={at}>{inlines(part.content, record)}</strong>;
      case 'emphasis':
        return <em key={at}>{inlines(part.content, record)}</em>;
      case 'strike':
        return <s key={at}>{inlines(part.content, record)}</s>;
      case 'link':
        return (
          <a key={at} href={part.address} target="_blank" rel="noopener noreferrer">
            {inlines(part.content, record)}
          </a>
        );
      case 'record':
        return record?.(part.id) ?? `[${part.id}]`;
    }
  });
}
