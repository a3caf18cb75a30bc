// Json: shows any JSON value as a tree. Deep parts, long lists and long texts are folded, and each fold says what it hides.
import { useState } from 'preact/hooks';
import { CopyButton } from '../copy-button';
import { format } from '../format';
import { literal } from '../visible';

const LONG_TEXT = 300;
const LONG_LIST = 50;

export interface JsonProps {
  value: unknown;
  /** Levels that are open at first. */
  open?: number;
  /** Paths, like `filters.type`, that are marked, each with the reason. */
  marks?: Readonly<Record<string, string>>;
  label?: string;
}

export function Json({ value, open = 2, marks = {}, label = 'JSON' }: JsonProps) {
  return (
    <div class="json" role="group" aria-label={label}>
      <div class="json-copy">
        <CopyButton text={() => JSON.stringify(value, null, 2) ?? 'undefined'} label="Copy as JSON" />
      </div>
      <div class="json-tree">
        <Value value={value} open={open} path="" marks={marks} />
      </div>
    </div>
  );
}

interface ValueProps {
  value: unknown;
  open: number;
  path: string;
  marks: Readonly<Record<string, string>>;
}

function Value({ value, open, path, marks }: ValueProps) {
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value === 'number') return <span class="json-number num">{String(value)}</span>;
  if (typeof value === 'boolean' || value === null) return <span class="json-word">{String(value)}</span>;
  if (value === undefined) return <span class="json-word">nothing</span>;
  return <Branch value={value} open={open} path={path} marks={marks} />;
}

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (text.length <= LONG_TEXT || whole) return <span class="json-text">{literal(text)}</span>;
  return (
    <span class="json-text">
      {literal(text.slice(0, LONG_TEXT)).slice(0, -1)}
      <button type="button" class="json-more" onClick={() => setWhole(true)}>
        … {format.count(text.length - LONG_TEXT)} more characters
      </button>
      "
    </span>
  );
}

function Branch({ value, open, path, marks }: ValueProps) {
  const [shown, setShown] = useState(open > 0);
  const [limit, setLimit] = useState(LONG_LIST);
  const list = Array.isArray(value);
  const entries: [string, unknown][] = list ? value.map((item, at) => [String(at), item]) : Object.entries(value as object);
  const [before, after] = list ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return <span>{before + after}</span>;
  if (!shown) {
    return (
      <button type="button" class="json-more" aria-expanded="false" onClick={() => setShown(true)}>
        {before} {list ? format.plural(entries.length, 'item') : format.plural(entries.length, 'field')} {after}
      </button>
    );
  }
  return (
    <>
      <button type="button" class="json-fold" aria-expanded="true" aria-label="Fold" onClick={() => setShown(false)}>
        {before}
      </button>
      <div class="json-branch">
        {entries.slice(0, limit).map(([key, item], at) => {
          const here = path ? `${path}.${key}` : key;
          const mark = marks[here];
          return (
            <div class={mark ? 'json-entry json-marked' : 'json-entry'} key={key}>
              {list ? null : <span class="json-key">{literal(key)}: </span>}
              <Value value={item} open={open - 1} path={here} marks={marks} />
              {at < entries.length - 1 ? ',' : ''}
              {mark ? <span class="json-mark">{mark}</span> : null}
            </div>
          );
        })}
        {entries.length > limit ? (
          <button type="button" class="json-more" onClick={() => setLimit(limit + 500)}>
            … {format.count(entries.length - limit)} more
          </button>
        ) : null}
      </div>
      <span>{after}</span>
    </>
  );
}
