// The pieces of a result that is not complete, the newest at the end. They are for the person; the model gets the whole result.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from '../../../ui/visible';
import type { Piece } from '../state/call-facts';

/** Characters of a piece that are shown. */
const LONGEST = 2000;

export function CallPieces({ pieces }: { pieces: readonly Piece[] }) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [pieces]);
  return (
    <ol class="call-pieces" ref={list} aria-label="So far" tabIndex={0}>
      {pieces.map(({ index, data }) => (
        <li key={index}>{visible(pieceText(data))}</li>
      ))}
    </ol>
  );
}

export function pieceText(data: unknown): string {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
