// Ask: the confirmation of a call from the workbench, answered in place.
import type { ConfirmationRequest } from '@aileron/client';
import { useState } from 'preact/hooks';
import { clockOffset } from '../../../app/session';
import { Button } from '../../../ui/button';
import { useNow } from '../../../ui/clock';
import { faultOf } from '../../../ui/fault';
import { format } from '../../../ui/format';
import { Json } from '../../../ui/json/json';
import { visible } from '../../../ui/visible';

export function Ask({ request, onAnswer }: { request: ConfirmationRequest; onAnswer: (approve: boolean) => Promise<void> }) {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const left = request.expires - useNow() - clockOffset.value;

  async function answer(approve: boolean) {
    setSending(true);
    setError(undefined);
    try {
      await onAnswer(approve);
    } catch (failed) {
      setError(failed);
      setSending(false);
    }
  }

  return (
    <div class="bench-ask">
      <header>
        <strong>Run this?</strong>
        <span class="num">{left > 0 ? `${format.left(left)} left` : 'expired'}</span>
      </header>
      <p class="bench-preview">{visible(request.preview)}</p>
      <Json value={request.args} open={3} label="Exact arguments" />
      {error === undefined ? null : (
        <p class="form-fault" role="alert">
          {faultOf(error).message}
        </p>
      )}
      <footer>
        <Button disabled={sending || left <= 0} onClick={() => void answer(false)}>
          Decline
        </Button>
        <Button kind="primary" busy={sending} disabled={left <= 0} onClick={() => void answer(true)}>
          Approve
        </Button>
      </footer>
    </div>
  );
}
