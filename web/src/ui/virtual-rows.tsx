// VirtualRows: a list or table of any length that draws only the rows in view. All rows have the same height.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './virtual-rows.css';

/** Rows that are drawn above and below the view, so that a fast scroll shows no gap. */
const MARGIN = 8;
/** So many rows before the end, `onNearEnd` is called. */
const NEAR_END = 20;

export interface VirtualRowsProps {
  count: number;
  /** The height of one row in pixels. */
  height: number;
  label: string;
  /** Rows of a table say their number; items of a list their place. */
  as?: 'list' | 'table';
  /** Shown above the rows and always in view; for a table its row of headers. */
  head?: ComponentChildren;
  row: (index: number) => ComponentChildren;
  rowKey: (index: number) => string | number;
  /** Called when the person scrolls close to the end, to load more. */
  onNearEnd?: () => void;
  /** This row is scrolled into view when it changes. */
  showRow?: number;
  class?: string;
}

export function VirtualRows(props: VirtualRowsProps) {
  const { count, height, label, as = 'list', head, row, rowKey, onNearEnd, showRow } = props;
  const box = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const first = Math.max(0, Math.floor(view.top / height) - MARGIN);
  const end = Math.min(count, Math.ceil((view.top + view.height) / height) + MARGIN);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  useLayoutEffect(() => {
    space.current?.style.setProperty('--row', `${height}px`);
    space.current?.style.setProperty('--rows', String(count));
    space.current?.style.setProperty('--first', String(first));
  }, [height, count, first]);

  useEffect(() => {
    if (count > 0 && end >= count - NEAR_END) onNearEnd?.();
  }, [end, count, onNearEnd]);

  useEffect(() => {
    const element = box.current;
    if (!element || showRow === undefined || showRow < 0) return;
    const top = showRow * height;
    if (top < element.scrollTop || top + height * 2 > element.scrollTop + element.clientHeight)
      element.scrollTop = Math.max(0, top - element.clientHeight / 3);
  }, [showRow]);

  const table = as === 'table';
  return (
    <div
      ref={box}
      class={`virtual ${props.class ?? ''}`}
      role={table ? 'table' : undefined}
      aria-label={table ? label : undefined}
      aria-rowcount={table ? count + 1 : undefined}
      tabIndex={0}
    >
      {head}
      <div ref={space} class="virtual-space" role={table ? 'rowgroup' : undefined}>
        <div class="virtual-window" role={table ? 'presentation' : 'list'} aria-label={table ? undefined : label}>
          {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
            const index = first + offset;
            const place = table
              ? { role: 'row' as const, 'aria-rowindex': index + 2 }
              : { role: 'listitem' as const, 'aria-setsize': count, 'aria-posinset': index + 1 };
            return (
              <div key={rowKey(index)} class="virtual-row" {...place}>
                {row(index)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
