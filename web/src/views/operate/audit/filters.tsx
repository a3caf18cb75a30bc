// Filters: the fields by which records are found. Each change is in the address at once.
import type { AuditFilter } from '@aileron/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../../../app/router';
import { seesAll } from '../../../app/session';
import { Button } from '../../../ui/button';
import { fromLocal, outcomeWords, toLocal } from './filter';

const TYPING_MS = 350;

const OUTCOMES = [
  'completed',
  'refused',
  'refused:known_tool',
  'refused:conversation_state',
  'refused:duplicates',
  'refused:mode',
  'refused:availability',
  'refused:permission',
  'refused:rate_limit',
  'refused:tasks',
  'refused:budgets',
  'refused:loops',
  'refused:arguments',
  'refused:clamp',
  'refused:confirmation',
  'refused:nesting',
  'refused:ledger',
  'denied',
  'cancelled',
  'timed_out',
  'replayed',
  'superseded',
  'panicked',
  'process_died',
];

export function Filters({ filter }: { filter: AuditFilter }) {
  const set = Object.keys(filter).length;
  const outcome = filter.outcome ?? '';
  return (
    <div class="audit-filters" role="search" aria-label="Audit log">
      <TextFilter name="tool" label="Tool" value={filter.tool} />
      <label class="field">
        <span>Outcome</span>
        <select class="select" value={outcome} onChange={(event) => setQuery({ outcome: event.currentTarget.value })}>
          <option value="">any</option>
          {outcome !== '' && !OUTCOMES.includes(outcome) ? <option value={outcome}>{outcome}</option> : null}
          {OUTCOMES.map((each) => (
            <option key={each} value={each}>
              {outcomeWords(each)}
            </option>
          ))}
        </select>
      </label>
      <TextFilter name="error" label="Error" value={filter.error} />
      {seesAll.value ? <TextFilter name="user" label="Person" value={filter.user} /> : null}
      <TextFilter name="conversation" label="Conversation" value={filter.conversation} />
      <TextFilter name="call" label="Call" value={filter.call} />
      <TimeFilter name="since" label="From" value={filter.since} />
      <TimeFilter name="until" label="Before" value={filter.until} />
      <Button size="small" kind="quiet" disabled={set === 0} onClick={clear}>
        Clear filters
      </Button>
    </div>
  );
}

export function clear(): void {
  setQuery({ tool: '', outcome: '', error: '', user: '', conversation: '', call: '', since: '', until: '' });
}

/** A text that filters once the person has stopped typing. */
function TextFilter({ name, label, value = '' }: { name: string; label: string; value?: string }) {
  const [draft, setDraft] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setDraft(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function type(text: string) {
    setDraft(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ [name]: text.trim() }), TYPING_MS);
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        value={draft}
        spellcheck={false}
        autocomplete="off"
        placeholder="any"
        onInput={(event) => type(event.currentTarget.value)}
      />
    </label>
  );
}

function TimeFilter({ name, label, value }: { name: string; label: string; value?: number }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        type="datetime-local"
        step="1"
        value={toLocal(value)}
        onChange={(event) => setQuery({ [name]: fromLocal(event.currentTarget.value) })}
      />
    </label>
  );
}
