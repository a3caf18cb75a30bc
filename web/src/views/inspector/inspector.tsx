// The Inspector: one turn on one time axis, and every decision about the chosen call.
import './inspector.css';
import { useMemo, useState } from 'preact/hooks';
import type { CallRecord, TurnRecord } from '@aileron/client';
import { aileron } from '../../api';
import { go, paths, query, setQuery } from '../../app/router';
import { clockOffset } from '../../app/session';
import { Button } from '../../ui/button';
import { useNow } from '../../ui/clock';
import { callCommand } from '../../ui/call-command';
import { CopyButton } from '../../ui/copy-button';
import { download } from '../../ui/download';
import { faultOf } from '../../ui/fault';
import { format } from '../../ui/format';
import { EmptyState, ErrorState, Loading } from '../../ui/states';
import { usePanel } from '../../ui/use-panel';
import { isRunning, layoutTurn } from './axis/layout';
import { continuedCalls, mergeConfirmed } from './axis/merge';
import { TimeAxis } from './axis/time-axis';
import { knownArguments } from './parts/arguments-diff';
import { CallTabs } from './parts/call-tabs';
import { Gates } from './parts/gates';
import { ReplayDialog } from './parts/replay-dialog';
import { SaveCase } from './parts/save-case';
import { useTurn } from './turn-store';

export interface InspectorProps {
  conversationId: string;
  turn: number;
  lastTurn: number;
}

export default function Inspector({ conversationId, turn, lastTurn }: InspectorProps) {
  const [state, retry] = useTurn(conversationId, turn);
  const close = () => go(paths.conversation(conversationId));
  const panel = usePanel(close);
  const to = (next: number) => go(paths.turn(conversationId, next), { replace: true });
  return (
    <aside class="panel inspector" aria-label={`Inspector of turn ${turn}`} ref={panel} tabIndex={-1}>
      <header class="panel-head">
        <h2>Turn {turn}</h2>
        <Button kind="quiet" size="small" icon="arrowUp" label="Earlier turn" disabled={turn <= 1} onClick={() => to(turn - 1)} />
        <Button kind="quiet" size="small" icon="arrowDown" label="Later turn" disabled={turn >= lastTurn} onClick={() => to(turn + 1)} />
        <span class="grow" />
        <Button kind="quiet" icon="close" label="Close the Inspector" onClick={close} />
      </header>
      <div class="panel-body">
        {state.is === 'loading' ? <Loading what="the turn" lines={6} /> : null}
        {state.is === 'failed' ? <TurnFault error={state.error} retry={retry} /> : null}
        {state.is === 'ready' ? <TurnBody conversationId={conversationId} turn={state.turn} /> : null}
      </div>
    </aside>
  );
}

function TurnFault({ error, retry }: { error: unknown; retry: () => void }) {
  if (faultOf(error).status !== 404) return <ErrorState title="The turn could not be loaded" error={error} onRetry={retry} />;
  return (
    <EmptyState icon="search" title="Nothing is known about this turn">
      <p>It does not exist, or its records are no longer kept.</p>
    </EmptyState>
  );
}

function TurnBody({ conversationId, turn: loaded }: { conversationId: string; turn: TurnRecord }) {
  const turn = useMemo(() => mergeConfirmed(loaded), [loaded]);
  const running = isRunning(turn);
  const now = useNow(running) + clockOffset.value;
  const axis = useMemo(() => layoutTurn(turn, now), [turn, running ? now : 0]);
  const wanted = query.value.get('call');
  const chosen = wanted === null ? undefined : (continuedCalls(loaded).get(wanted) ?? wanted);
  const call = turn.calls.find((candidate) => candidate.callId === chosen) ?? turn.calls.at(-1);
  return (
    <>
      <p class="turn-summary muted num">
        {format.duration(axis.total)}
        {axis.waitingForPerson > 0 ? `, of which ${format.duration(axis.waitingForPerson)} waiting for you` : ''}
        {turn.endedAt === undefined && running ? ', still running' : ''}
        {turn.mode === 'voice' ? ', by voice' : ''}
      </p>
      {turn.source === 'records' ? <p class="small muted">Rebuilt from the records after a restart: times are coarse.</p> : null}
      {axis.rows.length > 0 ? <TimeAxis axis={axis} chosen={call?.callId} onChoose={(callId) => setQuery({ call: callId })} /> : null}
      {call ? <Gates call={call} /> : <p class="small muted">The model called no tool in this turn.</p>}
      <CallTabs turn={turn} call={call} />
      <TurnActions conversationId={conversationId} turn={turn} call={call} />
    </>
  );
}

function TurnActions({ conversationId, turn, call }: { conversationId: string; turn: TurnRecord; call: CallRecord | undefined }) {
  const [dialog, setDialog] = useState<'case' | 'replay' | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);

  async function saveScript() {
    setFault(undefined);
    try {
      download(`${conversationId}.md`, new Blob([await aileron.script(conversationId)], { type: 'text/markdown' }));
    } catch (error) {
      setFault(`The script could not be made. ${faultOf(error).message}`);
    }
  }

  return (
    <footer class="turn-actions">
      {call ? (
        <CopyButton
          kind="plain"
          text={() => callCommand(call.toolId, knownArguments(call), turn.mode)}
          label="Copy as a command of the terminal"
        >
          Copy as command
        </CopyButton>
      ) : null}
      {call ? (
        <Button size="small" icon="file" onClick={() => setDialog('case')}>
          Save as case
        </Button>
      ) : null}
      <Button size="small" icon="download" onClick={() => void saveScript()}>
        Save as script
      </Button>
      {call ? (
        <Button size="small" icon="retry" onClick={() => setDialog('replay')}>
          Decide again
        </Button>
      ) : null}
      {fault ? (
        <p class="small tone-refused" role="alert">
          {fault}
        </p>
      ) : null}
      {dialog === 'case' && call ? <SaveCase call={call} mode={turn.mode} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'replay' ? <ReplayDialog conversationId={conversationId} turn={turn.turn} onClose={() => setDialog(undefined)} /> : null}
    </footer>
  );
}
