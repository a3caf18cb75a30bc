// Export: downloads the records of the filter as lines of JSON. A link could not send the token, so the page fetches the file.
import type { AuditFilter } from '@aileron/client';
import { useState } from 'preact/hooks';
import { aileron } from '../../../api';
import { Button } from '../../../ui/button';
import { download } from '../../../ui/download';
import { faultOf } from '../../../ui/fault';

export function Export({ filter }: { filter: AuditFilter }) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });

  async function save() {
    setState({ busy: true });
    try {
      const name = `aileron-audit-${new Date().toISOString().slice(0, 19).replace(/:/g, '-')}.jsonl`;
      download(name, await aileron.exportAudit(filter));
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  }

  return (
    <>
      {state.error === undefined ? null : (
        <span class="audit-broken small" role="alert">
          {faultOf(state.error).message}
        </span>
      )}
      <Button size="small" icon="download" busy={state.busy} onClick={() => void save()}>
        Export
      </Button>
    </>
  );
}
