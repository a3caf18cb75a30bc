// The record behind a citation, beside the thread.
import { setQuery } from '../../../app/router';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy-button';
import { format } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { Json } from '../../../ui/json/json';
import { safeAddress } from '../../../ui/markdown/inline';
import { Markdown } from '../../../ui/markdown/markdown';
import { EmptyState, Loading } from '../../../ui/states';
import { usePanel } from '../../../ui/use-panel';
import { visible } from '../../../ui/visible';
import type { OpenConversation } from '../state/conversation';
import { findRecord, type EvidenceRecord } from '../thread/citations';

export function RecordPanel({ conversation, id }: { conversation: OpenConversation; id: string }) {
  const record = findRecord(conversation.messages.value, id);
  const phase = conversation.phase.value.is;
  const close = () => setQuery({ record: undefined }, { replace: false });
  const panel = usePanel(close);
  return (
    <aside class="panel" aria-label="Cited record" ref={panel} tabIndex={-1}>
      <header class="panel-head">
        <h2 class="grow cut" title={record?.title ?? id}>
          {visible(record?.title ?? id)}
        </h2>
        <Button kind="quiet" icon="close" label="Close the record" onClick={close} />
      </header>
      {record ? <RecordBody record={record} /> : phase === 'loading' ? <Loading what="the record" /> : <Missing id={id} />}
    </aside>
  );
}

function Missing({ id }: { id: string }) {
  return (
    <EmptyState icon="search" title="This record is not in the messages shown">
      <p>
        No loaded answer of this conversation returned <code>{id}</code>. It may be cited further up.
      </p>
    </EmptyState>
  );
}

const SHOWN_APART = new Set([
  'id',
  'title',
  'url',
  'text',
  'full_text',
  'snippet',
  'tags',
  'last_updated',
  'type',
  'source_type',
  'namespace',
  'score',
]);

function RecordBody({ record }: { record: EvidenceRecord }) {
  const { fields } = record;
  const address = record.url === undefined ? undefined : safeAddress(record.url);
  const words = text(fields.text) || text(fields.full_text) || text(fields.snippet);
  const updated = Date.parse(text(fields.last_updated));
  const tags = Array.isArray(fields.tags) ? fields.tags.filter((tag): tag is string => typeof tag === 'string') : [];
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !SHOWN_APART.has(name)));
  return (
    <div class="panel-body record">
      <p class="row small muted">
        <code>{record.id}</code>
        <CopyButton text={record.id} label="Copy the id" />
        {Number.isNaN(updated) ? null : <span title={format.exact(updated)}>updated {format.instant(updated)}</span>}
        {typeof fields.score === 'number' ? <span class="num">score {fields.score.toFixed(2)}</span> : null}
      </p>
      {tags.length > 0 ? (
        <p class="row">
          {tags.map((tag) => (
            <span class="chip" key={tag}>
              {visible(tag)}
            </span>
          ))}
        </p>
      ) : null}
      {words ? <Markdown text={words} record={(id) => <code key={id}>{id}</code>} /> : null}
      {text(fields.text) || text(fields.full_text) ? null : words ? (
        <p class="small faint">Only this excerpt was returned to the model.</p>
      ) : null}
      {address ? (
        <p>
          <a href={address} target="_blank" rel="noopener noreferrer">
            <Icon name="external" size={15} /> {new URL(address).host}
          </a>
        </p>
      ) : null}
      {Object.keys(rest).length > 0 ? (
        <details>
          <summary class="label">All fields</summary>
          <Json value={fields} label="Fields of the record" />
        </details>
      ) : null}
    </div>
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
