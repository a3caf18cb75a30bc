// A table of Markdown. Of a large one the first rows and columns are drawn; the rest is a click away, because browsers lay out all
// cells of a table at once.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { format } from '../format';
import { inlines } from './inlines';
import type { Block } from './parse';

/** Drawn at first, and added by each click. */
const ROWS = 100;
const COLUMNS = 50;

export interface TableProps {
  block: Extract<Block, { is: 'table' }>;
  record?: (id: string) => ComponentChildren;
}

export function Table({ block: { head, rows }, record }: TableProps) {
  const [rowLimit, setRowLimit] = useState(ROWS);
  const [columnLimit, setColumnLimit] = useState(COLUMNS);
  return (
    <>
      <div class="markdown-table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {head.slice(0, columnLimit).map((cell, at) => (
                <th key={at}>{inlines(cell, record)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rowLimit).map((row, at) => (
              <tr key={at}>
                {row.slice(0, columnLimit).map((cell, column) => (
                  <td key={column}>{inlines(cell, record)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More count={rows.length - rowLimit} what="row" onClick={() => setRowLimit(rowLimit + ROWS)} />
      <More count={head.length - columnLimit} what="column" onClick={() => setColumnLimit(columnLimit + COLUMNS)} />
    </>
  );
}

function More({ count, what, onClick }: { count: number; what: string; onClick: () => void }) {
  if (count <= 0) return null;
  return (
    <button type="button" class="json-more" onClick={onClick}>
      … {format.plural(count, `more ${what}`)}
    </button>
  );
}
