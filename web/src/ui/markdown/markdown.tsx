// Markdown: renders text of models, tools and guides as elements. Built from a parsed tree, never from HTML.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { CopyButton } from '../copy-button';
import { format } from '../format';
import { visible } from '../visible';
import type { Inline } from './inline';
import { type Block, parseMarkdown } from './parse';

const LONG = 20_000;

export interface MarkdownProps {
  text: string;
  /** Draws a citation such as `[person:ada]`; without it, or if it returns nothing, the id is shown as text. */
  record?: (id: string) => ComponentChildren;
  /** Lines end where they end in the text, as in a chat; otherwise they flow, as in a document. */
  breaks?: boolean;
  /** The level of the first heading, so that the outline of the page stays in order. */
  headings?: number;
}

export function Markdown({ text, record, breaks = false, headings = 3 }: MarkdownProps) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? text : text.slice(0, LONG);
  const tree = useMemo(() => parseMarkdown(visible(shown)), [shown]);
  return (
    <div class={breaks ? 'markdown markdown-breaks' : 'markdown'} dir="auto">
      <Blocks blocks={tree} record={record} headings={headings} />
      {shown.length < text.length ? (
        <button type="button" class="json-more" onClick={() => setWhole(true)}>
          … show {format.count(text.length - shown.length)} more characters
        </button>
      ) : null}
    </div>
  );
}

interface Drawing {
  record?: (id: string) => ComponentChildren;
  headings: number;
}

function Blocks({ blocks, ...drawing }: Drawing & { blocks: Block[] }) {
  return (
    <>
      {blocks.map((block, at) => (
        <BlockElement key={at} block={block} {...drawing} />
      ))}
    </>
  );
}

function BlockElement({ block, record, headings }: Drawing & { block: Block }) {
  switch (block.is) {
    case 'paragraph':
      return <p>{inlines(block.content, record)}</p>;
    case 'heading': {
      const Heading = `h${Math.min(6, headings + block.level - 1)}` as 'h3';
      return <Heading class={`markdown-h${block.level}`}>{inlines(block.content, record)}</Heading>;
    }
    case 'code':
      return (
        <div class="markdown-code">
          <CopyButton text={block.text} label="Copy the code" />
          <pre tabIndex={0}>
            <code>{block.text}</code>
          </pre>
        </div>
      );
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} record={record} headings={headings} />
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{itemContent(item, { record, headings })}</li>);
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return <Table block={block} record={record} />;
    case 'rule':
      return <hr />;
  }
}

/** An item of one paragraph is drawn without the paragraph, so that lists stay tight. */
function itemContent(blocks: Block[], drawing: Drawing): ComponentChildren {
  const [first, ...rest] = blocks;
  if (first?.is !== 'paragraph') return <Blocks blocks={blocks} {...drawing} />;
  return (
    <>
      {inlines(first.content, drawing.record)}
      <Blocks blocks={rest} {...drawing} />
    </>
  );
}

function Table({ block, record }: { block: Extract<Block, { is: 'table' }>; record?: Drawing['record'] }) {
  return (
    <div class="markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              <th key={at}>{inlines(cell, record)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{inlines(cell, record)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A line end of the text: a break in a chat, a space in a document, by the style of the whole. */
function LineEnd() {
  return (
    <>
      {' '}
      <br />
    </>
  );
}

function inlines(content: Inline[], record: Drawing['record']): ComponentChildren {
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
