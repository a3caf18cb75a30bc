// Audit: the log of all calls, newest first, with filters in the address, one record in full, chain check and export.
import { useMemo } from 'preact/hooks';
import { query, setQuery } from '../../../app/router';
import { useEscape } from '../../../ui/use-escape';
import { Chain } from './chain';
import { Export } from './export';
import { filterOf } from './filter';
import { Filters } from './filters';
import { Records } from './records';
import { Record } from './record';

export function Audit() {
  const text = query.value.toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(text)), [text]);
  const asked = Number(query.value.get('record') ?? NaN);
  const chosen = Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
  useEscape(chosen !== undefined, closeRecord);
  return (
    <div class={chosen === undefined ? 'audit' : 'audit audit-open'}>
      <h1 class="hidden-text">Audit log</h1>
      <div class="audit-main">
        <Filters filter={filter} />
        <div class="audit-actions">
          <Chain />
          <span class="grow" />
          <Export filter={filter} />
        </div>
        <Records filter={filter} chosen={chosen} />
      </div>
      {chosen === undefined ? null : <Record seq={chosen} />}
    </div>
  );
}

function closeRecord(): void {
  setQuery({ record: undefined });
}
