// Markdown: renders text of models, tools and guides as elements. Built from a parsed tree, never from HTML.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { CopyButton } from '../copy-button';
import { memo } from '../memo';
import { RestButton, usePieces } from '../use-pieces';
import { visible } from '../visible';
import { type Block, parseMarkdown } from './parse';
import { inlines } from './inlines';
import { Table } from './table';

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
  const { pieces, ...rest } = usePieces(text, 'markdown');
  return (
    <div class={breaks ? 'markdown markdown-breaks' : 'markdown'} dir="auto">
      {pieces.map((piece, at) => (
        <Piece key={at} text={piece} isLater={at > 0} record={record} headings={headings} />
      ))}
      <RestButton {...rest} />
    </div>
  );
}

/** Later pieces of a long text are laid out when they come near the screen. */
const Piece = memo(function Piece({ text, isLater, ...drawing }: Drawing & { text: string; isLater: boolean }) {
  const blocks = useMemo(() => parseMarkdown(visible(text)), [text]);
  const content = <Blocks blocks={blocks} {...drawing} />;
  return isLater ? <div class="markdown-piece">{content}</div> : content;
});

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
