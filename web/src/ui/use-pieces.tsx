// A long text piece by piece: the first one at once, and after a click the others, one in each frame, so that the page answers
// meanwhile.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { format } from './format';
import { piecesOf, type Pieces } from './pieces';

/** Characters of a piece. */
const SIZE = 20_000;

export interface PiecesShown extends Pieces {
  isGrowing: boolean;
  showAll: () => void;
}

export function usePieces(text: string, form: 'plain' | 'markdown'): PiecesShown {
  const [count, setCount] = useState(1);
  const [asked, setAsked] = useState(false);
  const { pieces, rest } = useMemo(() => piecesOf(text, form, SIZE, count), [text, form, count]);
  const isGrowing = asked && rest > 0;
  useEffect(() => {
    if (!isGrowing) return;
    const frame = requestAnimationFrame(() => setCount(count + 1));
    return () => cancelAnimationFrame(frame);
  }, [isGrowing, count]);
  return { pieces, rest, isGrowing, showAll: () => setAsked(true) };
}

/** Says how much is not shown, and shows it. */
export function RestButton({ rest, isGrowing, showAll }: Omit<PiecesShown, 'pieces'>) {
  if (rest === 0) return null;
  return (
    <button type="button" class="json-more" disabled={isGrowing} onClick={showAll}>
      … show {format.count(rest)} more characters
    </button>
  );
}
