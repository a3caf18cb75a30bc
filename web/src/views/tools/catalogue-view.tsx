// Catalogue: search and filters, kept in the address, over a list that draws only what is in view.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { query, setQuery } from '../../app/router';
import { Button } from '../../ui/button';
import { format } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { EmptyState } from '../../ui/states';
import { VirtualRows } from '../../ui/virtual-rows';
import { filtersOf, isFiltered, search, type Searchable } from './catalogue';
import { ToolRow } from './tool-row';
import { EFFECT_WORDS } from './words';

const ROW_HEIGHT = 62;

const SELECTS: { name: string; label: string; options: [string, string][] }[] = [
  {
    name: 'category',
    label: 'Category',
    options: [
      ['retrieval', 'retrieval'],
      ['action', 'action'],
      ['utility', 'utility'],
    ],
  },
  { name: 'effects', label: 'Side effects', options: Object.entries(EFFECT_WORDS) },
  {
    name: 'mode',
    label: 'Mode',
    options: [
      ['text', 'text'],
      ['voice', 'voice'],
    ],
  },
  {
    name: 'confirmation',
    label: 'Confirmation',
    options: [
      ['yes', 'always asks'],
      ['no', 'does not always ask'],
    ],
  },
  {
    name: 'quarantine',
    label: 'Quarantine',
    options: [
      ['yes', 'quarantined'],
      ['no', 'not quarantined'],
    ],
  },
];

export function Catalogue({ tools, chosen }: { tools: readonly Searchable[]; chosen: string | undefined }) {
  const text = query.value.toString();
  const filters = filtersOf(query.value);
  const found = useMemo(() => search(tools, filters), [tools, text]);
  const [opened, setOpened] = useState<boolean | undefined>(undefined);
  const open = chosen === undefined || (opened ?? isFiltered({ ...filters, words: '' }));
  const at = chosen === undefined ? undefined : found.findIndex((tool) => tool.id === chosen);
  return (
    <>
      <div class="tools-filters" role="search" aria-label="Tools">
        <SearchField value={filters.words} />
        <div class="tools-selects" id="tools-selects" hidden={!open}>
          {SELECTS.map((select) => (
            <Select key={select.name} {...select} value={query.value.get(select.name) ?? ''} />
          ))}
        </div>
        <p class="tools-count small muted" role="status">
          <span class="num">
            {isFiltered(filters)
              ? `${format.count(found.length)} of ${format.plural(tools.length, 'tool')}`
              : format.plural(tools.length, 'tool')}
          </span>
          <span class="grow" />
          {isFiltered(filters) ? (
            <Button size="small" kind="quiet" onClick={clear}>
              Clear filters
            </Button>
          ) : null}
          {chosen === undefined ? null : (
            <Button size="small" kind="quiet" icon="filter" expanded={open} controls="tools-selects" onClick={() => setOpened(!open)}>
              Filters
            </Button>
          )}
        </p>
      </div>
      {found.length === 0 ? (
        <NothingFound any={tools.length > 0} />
      ) : (
        <VirtualRows
          class="tools-rows"
          count={found.length}
          height={ROW_HEIGHT}
          label="Tools"
          rowKey={(index) => found[index]?.id ?? index}
          row={(index) => {
            const tool = found[index];
            return tool ? <ToolRow tool={tool} here={tool.id === chosen} search={text} /> : null;
          }}
          showRow={at}
        />
      )}
    </>
  );
}

function SearchField({ value }: { value: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <label class="tools-search">
      <Icon name="search" size={16} />
      <span class="hidden-text">Search the tools</span>
      <input
        ref={field}
        class="input"
        type="search"
        placeholder="Search the tools ( / )"
        value={value}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
      />
    </label>
  );
}

function Select({ name, label, options, value }: (typeof SELECTS)[number] & { value: string }) {
  return (
    <select
      class={value === '' ? 'select tools-select' : 'select tools-select tools-select-set'}
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <option value="">{label}: any</option>
      {options.map(([key, words]) => (
        <option key={key} value={key}>
          {words}
        </option>
      ))}
    </select>
  );
}

function clear(): void {
  setQuery({ q: '', category: '', effects: '', mode: '', confirmation: '', quarantine: '' });
}

function NothingFound({ any }: { any: boolean }) {
  if (!any) {
    return (
      <EmptyState icon="tool" title="This registry has no tools">
        <p>
          Make one with <code>aileron new greet-person</code>, then load the page again.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="search" title="No tool fits">
      <p>Other words, or fewer filters, may find it.</p>
      <p class="state-actions">
        <Button onClick={clear}>Clear filters</Button>
      </p>
    </EmptyState>
  );
}
