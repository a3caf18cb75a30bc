// Export: downloads the records of the filter as lines of JSON. A link could not send the token, so the page fetches the file.
import type { AuditFilter } from '@aileron/client';
import { useState } from 'preact/hooks';
import { aileron } from '../../../api';
import { Button } from '../../../ui/button';
import { faultOf } from '../../../ui/fault';

/** The browser needs the address of the file a moment longer than the click. */
const KEEP_MS = 10_000;

export function Export({ filter }: { filter: AuditFilter }) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });

  async function download() {
    setState({ busy: true });
    try {
      const address = URL.createObjectURL(await aileron.exportAudit(filter));
      const link = document.createElement('a');
      link.href = address;
      link.download = `aileron-audit-${new Date().toISOString().slice(0, 19).replace(/:/g, '-')}.jsonl`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
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
      <Button size="small" icon="download" busy={state.busy} onClick={() => void download()}>
        Export
      </Button>
    </>
  );
}
