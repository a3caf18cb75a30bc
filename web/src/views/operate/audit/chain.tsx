// Chain: checks that no record was changed or removed, for operators and viewers.
import type { AuditVerification } from '@aileron/client';
import { useState } from 'preact/hooks';
import { aileron } from '../../../api';
import { paths } from '../../../app/router';
import { seesAll } from '../../../app/session';
import { Button } from '../../../ui/button';
import { faultOf } from '../../../ui/fault';
import { format } from '../../../ui/format';
import { Icon } from '../../../ui/icon';
import { visible } from '../../../ui/visible';

type Check = { is: 'none' } | { is: 'running' } | { is: 'done'; found: Partial<AuditVerification> } | { is: 'failed'; error: unknown };

export function Chain() {
  const [check, setCheck] = useState<Check>({ is: 'none' });
  if (!seesAll.value) return null;

  async function verify() {
    setCheck({ is: 'running' });
    try {
      setCheck({ is: 'done', found: await aileron.verifyAudit() });
    } catch (error) {
      setCheck({ is: 'failed', error });
    }
  }

  return (
    <>
      <Button size="small" icon="link" busy={check.is === 'running'} onClick={() => void verify()}>
        Check the chain
      </Button>
      <span class="audit-chain small" role="status">
        {check.is === 'done' ? <Found found={check.found} /> : null}
        {check.is === 'failed' ? <span class="audit-broken">{faultOf(check.error).message}</span> : null}
      </span>
    </>
  );
}

function Found({ found }: { found: Partial<AuditVerification> }) {
  const { ok, records, head, broken } = found;
  if (ok === true) {
    return (
      <span class="audit-whole" title={head ? `newest hash: ${head.hash}` : undefined}>
        <Icon name="check" size={15} /> unbroken: {format.plural(records ?? 0, 'record')}
        {head ? ` up to number ${head.seq}` : ''}
      </span>
    );
  }
  return (
    <span class="audit-broken">
      <Icon name="warning" size={15} /> broken
      {broken ? (
        <>
          {' '}
          at <a href={`${paths.audit}?record=${broken.seq}`}>record {broken.seq}</a>: {visible(broken.why)}
        </>
      ) : null}
    </span>
  );
}
