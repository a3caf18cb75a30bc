// Record: one entry of the audit log in full: the policies it met, arguments, result, and its place in the chain.
import type { AuditRecord } from '@aileron/client';
import type { ComponentChildren } from 'preact';
import { aileron } from '../../../api';
import { paths, query, setQuery } from '../../../app/router';
import { Button } from '../../../ui/button';
import { Chip } from '../../../ui/chip';
import { CopyButton } from '../../../ui/copy-button';
import { Duration } from '../../../ui/duration';
import { faultOf } from '../../../ui/fault';
import { format } from '../../../ui/format';
import { Json } from '../../../ui/json/json';
import { EmptyState, ErrorState, Loading } from '../../../ui/states';
import { Time } from '../../../ui/time';
import { Trail } from '../../../ui/trail';
import { useLoad } from '../../../ui/use-load';
import { visible } from '../../../ui/visible';
import { outcomeTone, outcomeWords } from './filter';

export function Record({ seq }: { seq: number }) {
  const { data, error, reload } = useLoad(`record ${seq}`, (signal) => aileron.auditRecord(seq, { signal }));
  return (
    <aside class="audit-record" aria-label={`Record ${seq}`}>
      <header class="audit-record-head">
        <h2>
          Record <span class="num">{seq}</span>
        </h2>
        <CopyButton text={() => globalThis.location.href} label="Copy the link to this record" />
        <Button kind="quiet" size="small" icon="close" label="Close the record" onClick={() => setQuery({ record: undefined })} />
      </header>
      {data ? (
        <Content record={data} />
      ) : error === undefined ? (
        <Loading what={`record ${seq}`} lines={6} />
      ) : (
        <Failed seq={seq} error={error} reload={reload} />
      )}
    </aside>
  );
}

function Failed({ seq, error, reload }: { seq: number; error: unknown; reload: () => void }) {
  if (faultOf(error).status !== 404) return <ErrorState title="The record could not be loaded" error={error} onRetry={reload} />;
  return (
    <EmptyState icon="search" title={`There is no record ${seq}`}>
      <p>It belongs to somebody else, or it was removed because the settings keep records for a limited time.</p>
    </EmptyState>
  );
}

function Content({ record }: { record: AuditRecord }) {
  const { conversation, turn, callId, toolId, outcome, error, user } = record;
  return (
    <>
      <p class="row">
        <Chip tone={outcomeTone(outcome, error)}>{outcomeWords(outcome)}</Chip>
        {error === undefined ? null : <code class="audit-record-error">{error}</code>}
        <span class="grow" />
        <a class="small" href={paths.turn(conversation, turn, callId)}>
          Open in the Inspector
        </a>
      </p>
      <dl class="facts">
        <Fact name="Time">
          <Time at={record.time} show="full" />
        </Fact>
        <Fact name="Tool">
          <a class="mono" href={paths.tool(toolId)}>
            {toolId}
          </a>{' '}
          <span class="muted">
            {record.toolVersion} {record.category}
          </span>
        </Fact>
        <Fact name="Person">{user === undefined || user === null ? 'not signed in' : visible(user)}</Fact>
        <Fact name="Conversation">
          <a class="mono" href={paths.conversation(conversation)}>
            {conversation}
          </a>
          , turn {turn}, {record.mode} <OnlyThis name="conversation" value={conversation} />
        </Fact>
        <Fact name="Call">
          <code>{visible(callId)}</code>
        </Fact>
        <Fact name="Time taken">
          {record.attempts === 0 ? 'did not run' : <Duration ms={record.duration} />}
          {record.attempts > 1 ? `, ${record.attempts} attempts` : ''}
        </Fact>
        <Fact name="Registry">
          <code>{record.registryVersion}</code>
        </Fact>
        {record.resultBytes === undefined ? null : <Fact name="Result size">{format.bytes(record.resultBytes)}</Fact>}
      </dl>
      {record.trail && record.trail.length > 0 ? (
        <Part title="Policies">
          <Trail steps={record.trail} />
        </Part>
      ) : null}
      <Part title="Arguments">
        <Json value={record.args} open={3} label="Arguments" />
      </Part>
      {record.result === undefined ? null : (
        <Part title="Result">
          <Json value={record.result} open={3} label="Result" />
        </Part>
      )}
      <Part title="Place in the chain">
        <dl class="facts audit-record-chain">
          <Fact name="Before">
            <code>{record.previous}</code>
          </Fact>
          <Fact name="Own hash">
            <code>{record.hash}</code>
          </Fact>
        </dl>
      </Part>
    </>
  );
}

/** A link that narrows the list to what this record has in common with others. */
function OnlyThis({ name, value }: { name: string; value: string }) {
  const address = new URLSearchParams(query.value);
  address.set(name, value);
  return (
    <a class="small" href={`${paths.audit}?${address}`}>
      only these
    </a>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="audit-record-part">
      <h3 class="label">{title}</h3>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
