// Decides the calls of a turn again with another registry and shows what would be decided otherwise. Nothing is run.
import { useEffect, useState } from 'preact/hooks';
import type { RegistrySummary, Replay } from '@aileron/client';
import { aileron } from '../../../api';
import { Button } from '../../../ui/button';
import { Chip } from '../../../ui/chip';
import { Dialog } from '../../../ui/dialog';
import { format } from '../../../ui/format';
import { ErrorState, Loading } from '../../../ui/states';
import { outcomeWord } from '../../converse/thread/call-summary';

export interface ReplayDialogProps {
  conversationId: string;
  turn: number;
  onClose: () => void;
}

export function ReplayDialog({ conversationId, turn, onClose }: ReplayDialogProps) {
  const [registries, setRegistries] = useState<RegistrySummary[] | undefined>(undefined);
  const [version, setVersion] = useState('');
  const [whole, setWhole] = useState(false);
  const [result, setResult] = useState<Replay | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    aileron.registries().then(
      (found) => {
        setRegistries(found.registries);
        setVersion(found.registries.find((registry) => registry.current)?.version ?? found.registries[0]?.version ?? '');
      },
      (cause: unknown) => setError(cause),
    );
  }, []);

  async function run() {
    setBusy(true);
    setError(undefined);
    try {
      setResult(await aileron.replay(conversationId, { registryVersion: version, ...(!whole && { turn }) }));
    } catch (cause) {
      setError(cause);
    }
    setBusy(false);
  }

  return (
    <Dialog title="Decide again with another registry" size="wide" onClose={onClose}>
      <div class="dialog-stack">
        <p class="small muted">
          The policies decide about the same calls again, with the tools of the registry you choose. Nothing is run and nothing is changed.
        </p>
        {registries ? (
          <div class="row">
            <label class="row small">
              Registry
              <select class="select" value={version} onChange={(event) => setVersion(event.currentTarget.value)}>
                {registries.map((registry) => (
                  <option key={registry.version} value={registry.version}>
                    {registry.version}
                    {registry.current ? ' (current)' : ''}, {format.plural(registry.tools, 'tool')}
                  </option>
                ))}
              </select>
            </label>
            <label class="row small">
              <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.currentTarget.checked)} /> the whole conversation
            </label>
            <Button kind="primary" icon="refresh" busy={busy} disabled={version === ''} onClick={() => void run()}>
              Decide again
            </Button>
          </div>
        ) : error === undefined ? (
          <Loading what="the registries" lines={1} />
        ) : null}
        {error !== undefined ? <ErrorState title="It could not be decided again" error={error} /> : null}
        {result ? <ReplayResult result={result} /> : null}
      </div>
    </Dialog>
  );
}

function ReplayResult({ result }: { result: Replay }) {
  const different = result.calls.filter((call) => !call.same).length;
  return (
    <div role="status">
      <p>
        <strong>
          {different === 0 ? 'Everything would be decided the same.' : `${format.plural(different, 'call')} would be decided otherwise.`}
        </strong>{' '}
        <span class="muted small">
          {result.then} against {result.now}
        </span>
      </p>
      <div class="table-scroll">
        <table class="table">
          <thead>
            <tr>
              <th class="right">Turn</th>
              <th>Tool</th>
              <th>Then</th>
              <th>Now</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {result.calls.map((call) => (
              <tr key={call.callId}>
                <td class="right">{call.turn}</td>
                <td class="mono">{call.toolId}</td>
                <td>{outcomeWord(call.then)}</td>
                <td>{outcomeWord(call.now)}</td>
                <td>
                  <Chip tone={call.same ? 'passed' : 'refused'} icon={call.same ? 'check' : 'close'}>
                    {call.same ? 'same' : 'differs'}
                  </Chip>
                  {call.certain ? null : <span class="small muted"> not certain</span>}
                  {call.why ? <span class="small muted"> {call.why}</span> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
