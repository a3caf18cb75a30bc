// Records: the list of the audit log. It draws only the rows in view, so that it may be of any length.
import type { AuditFilter, AuditRecord } from '@aileron/client';
import { query } from '../../../app/router';
import { seesAll } from '../../../app/session';
import { Button } from '../../../ui/button';
import { Chip } from '../../../ui/chip';
import { Duration } from '../../../ui/duration';
import { format } from '../../../ui/format';
import { EmptyState, ErrorState, Loading } from '../../../ui/states';
import { Time } from '../../../ui/time';
import { useMedia } from '../../../ui/use-media';
import { VirtualRows } from '../../../ui/virtual-rows';
import { visible } from '../../../ui/visible';
import { outcomeTone, outcomeWords } from './filter';
import { clear } from './filters';
import { useRecords } from './use-records';

const ROW_HEIGHT = 38;
/** On a narrow screen a row has two lines. */
const NARROW_ROW_HEIGHT = 58;
const NARROW = '(max-width: 640px)';

export function Records({ filter, chosen }: { filter: AuditFilter; chosen: number | undefined }) {
  const { records, before, error, ready, newer, more, reload } = useRecords(filter);
  const narrow = useMedia(NARROW);
  if (!ready) return <Loading what="the audit log" lines={6} />;
  if (records.length === 0 && error !== undefined)
    return <ErrorState title="The audit log could not be loaded" error={error} onRetry={reload} />;
  if (records.length === 0) return <Nothing filtered={Object.keys(filter).length > 0} reload={reload} />;
  return (
    <>
      <p class="audit-count small muted" role="status">
        <span class="num">
          {before === undefined
            ? format.plural(records.length, 'record')
            : `the newest ${format.count(records.length)} records; earlier ones follow as you scroll`}
        </span>
        {newer > 0 ? (
          <Button size="small" kind="quiet" icon="refresh" onClick={reload}>
            {`${format.plural(newer, 'new call')} since`}
          </Button>
        ) : null}
        {error === undefined ? null : (
          <Button size="small" kind="quiet" icon="warning" onClick={reload}>
            Earlier records could not be loaded; load again
          </Button>
        )}
      </p>
      <VirtualRows
        class="audit-rows"
        as="table"
        label="Audit records"
        count={records.length}
        height={narrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
        head={<Head />}
        rowKey={(index) => records[index]?.seq ?? index}
        row={(index) => {
          const record = records[index];
          return record ? <Row record={record} here={record.seq === chosen} /> : null;
        }}
        onNearEnd={more}
      />
    </>
  );
}

function Nothing({ filtered, reload }: { filtered: boolean; reload: () => void }) {
  if (!filtered) {
    return (
      <EmptyState icon="list" title="No call was recorded yet">
        <p>Every call of a tool is recorded here, with the policies it met and what became of it.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="search" title="No record fits the filter">
      <p>The figures count calls for an hour; records stay as long as the settings say.</p>
      <p class="state-actions">
        <Button onClick={clear}>Clear filters</Button>
        <Button icon="refresh" onClick={reload}>
          Look again
        </Button>
      </p>
    </EmptyState>
  );
}

function Head() {
  return (
    <div role="rowgroup" class="audit-head">
      <div role="row" class="audit-row" aria-rowindex={1}>
        <span role="columnheader">Time</span>
        <span role="columnheader">Tool</span>
        <span role="columnheader">Outcome</span>
        <span role="columnheader" class="audit-person">
          {seesAll.value ? 'Person' : 'Mode'}
        </span>
        <span role="columnheader" class="audit-conversation">
          Conversation
        </span>
        <span role="columnheader" class="audit-duration">
          Time taken
        </span>
        <span role="columnheader" class="audit-seq">
          No.
        </span>
      </div>
    </div>
  );
}

function isToday(at: number): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

function Row({ record, here }: { record: AuditRecord; here: boolean }) {
  const address = new URLSearchParams(query.value);
  address.set('record', String(record.seq));
  const person = record.user === undefined || record.user === null ? 'not signed in' : visible(record.user);
  return (
    <div class={here ? 'audit-row audit-here' : 'audit-row'} role="presentation">
      <span role="cell">
        <Time at={record.time} show={isToday(record.time) ? 'seconds' : 'auto'} />
      </span>
      <span role="cell" class="mono cut">
        <a class="audit-link" href={`/operate/audit?${address}`} aria-current={here ? 'true' : undefined}>
          {record.toolId}
        </a>
      </span>
      <span role="cell" class="cut">
        <Chip tone={outcomeTone(record.outcome, record.error)} title={record.error}>
          {record.outcome === 'completed' && record.error !== undefined
            ? record.error.toLowerCase().replace(/_/g, ' ')
            : outcomeWords(record.outcome)}
        </Chip>
      </span>
      <span role="cell" class="audit-person cut muted">
        {seesAll.value ? person : record.mode}
      </span>
      <span role="cell" class="audit-conversation cut mono faint">
        {record.conversation}
      </span>
      <span role="cell" class="audit-duration">
        {record.attempts === 0 ? <span class="faint">–</span> : <Duration ms={record.duration} />}
      </span>
      <span role="cell" class="audit-seq num faint">
        {record.seq}
      </span>
    </div>
  );
}
