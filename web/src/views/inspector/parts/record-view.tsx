// The audit record of a call, loaded when its tab is opened.
import { useEffect, useState } from 'preact/hooks';
import type { AuditRecord, CallRecord } from '@aileron/client';
import { aileron } from '../../../api';
import { Json } from '../../../ui/json/json';
import { ErrorState, Loading } from '../../../ui/states';

export function RecordView({ call }: { call: CallRecord }) {
  const [state, setState] = useState<{ record?: AuditRecord; error?: unknown }>({});
  const seq = call.auditSeq;

  useEffect(() => {
    setState({});
    if (seq === undefined) return;
    const stop = new AbortController();
    aileron.auditRecord(seq, { signal: stop.signal }).then(
      (record) => setState({ record }),
      (error: unknown) => !stop.signal.aborted && setState({ error }),
    );
    return () => stop.abort();
  }, [seq]);

  if (seq === undefined) return <p class="small muted">There is no audit record yet: it is written when the call ends.</p>;
  if (state.error !== undefined) return <ErrorState title={`Record ${seq} could not be loaded`} error={state.error} />;
  if (!state.record) return <Loading what="the record" />;
  return (
    <>
      <p class="small muted">
        Record {seq} of the audit log. <a href={`/operate/audit?record=${seq}`}>Open it in the log</a>
      </p>
      <Json value={state.record} label="Audit record" />
    </>
  );
}
