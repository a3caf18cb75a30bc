// Card: one confirmation with its age, time left, person, preview and exact arguments, and the buttons to answer it.
import type { Confirmation } from '@aileron/client';
import { clockOffset, me } from '../../app/session';
import { paths } from '../../app/router';
import { Button } from '../../ui/button';
import { useNow } from '../../ui/clock';
import { faultOf } from '../../ui/fault';
import { format } from '../../ui/format';
import { Icon } from '../../ui/icon';
import { Json } from '../../ui/json/json';
import { Time } from '../../ui/time';
import { visible } from '../../ui/visible';
import type { Entry } from './entries';
import { answer, current } from './store';

const SOON_MS = 60_000;

export function Card({ entry }: { entry: Entry }) {
  const { confirmation, state } = entry;
  const chosen = current.value === confirmation.id;
  const classes = ['approval', `approval-${state}`, chosen ? 'approval-chosen' : ''].join(' ');
  return (
    <article
      id={`confirmation-${confirmation.id}`}
      class={classes}
      tabIndex={chosen ? 0 : -1}
      aria-label={`${confirmation.toolId}: ${confirmation.preview.split('\n')[0]}`}
      aria-current={chosen ? 'true' : undefined}
      onFocusCapture={() => (current.value = confirmation.id)}
      onPointerDown={() => (current.value = confirmation.id)}
    >
      <header class="approval-head">
        <Icon name={state === 'closed' ? 'check' : 'clock'} size={16} />
        <h2 class="mono">
          <a href={paths.tool(confirmation.toolId)}>{confirmation.toolId}</a>
        </h2>
        <TimeLeft entry={entry} />
      </header>
      <div class="approval-body">
        <div class="approval-said">
          <p class="approval-preview" dir="auto">
            {visible(confirmation.preview)}
          </p>
          <Facts confirmation={confirmation} />
        </div>
        <div class="approval-arguments">
          <p class="label">Exact arguments</p>
          <Json value={confirmation.args} open={4} label="Exact arguments" />
        </div>
      </div>
      <Footer entry={entry} />
    </article>
  );
}

function TimeLeft({ entry }: { entry: Entry }) {
  const waits = entry.state !== 'closed';
  const now = useNow(waits) + clockOffset.value;
  const { askedAt, expires } = entry.confirmation;
  if (!waits)
    return (
      <span class="approval-time num">
        asked <Time at={askedAt} />
      </span>
    );
  const left = expires - now;
  const soon = left < SOON_MS;
  return (
    <span class="approval-time num">
      <span title={format.exact(askedAt)}>waits {format.duration(Math.max(0, Math.floor((now - askedAt) / 1000) * 1000))}</span>
      <strong class={soon ? 'approval-soon' : undefined} title={format.exact(expires)}>
        {left > 0 ? `${format.left(left)} left` : 'expired'}
      </strong>
    </span>
  );
}

function Facts({ confirmation }: { confirmation: Confirmation }) {
  const { user, mine, conversationId, turn, callId, registryVersion } = confirmation;
  return (
    <dl class="approval-facts small">
      <dt>Person</dt>
      <dd>{mine ? (user === null ? 'you' : `${visible(user)} (you)`) : user === null ? 'not signed in' : visible(user)}</dd>
      <dt>Call</dt>
      <dd>
        <a href={paths.turn(conversationId, turn, callId)}>turn {turn}</a> of conversation{' '}
        <a class="mono approval-id" href={paths.conversation(conversationId)}>
          {conversationId}
        </a>
      </dd>
      {registryVersion === undefined ? null : (
        <>
          <dt>Registry</dt>
          <dd class="mono">{registryVersion}</dd>
        </>
      )}
    </dl>
  );
}

function Footer({ entry }: { entry: Entry }) {
  const { confirmation, state, outcome, error } = entry;
  const now = useNow(state !== 'closed') + clockOffset.value;
  if (state === 'closed') {
    return (
      <footer class="approval-foot">
        <strong class="grow">{outcome}</strong>
      </footer>
    );
  }
  const expired = confirmation.expires <= now;
  const reason = expired ? 'The time to answer is over; the call will not run.' : readOnlyReason(confirmation);
  if (reason !== undefined) {
    return (
      <footer class="approval-foot">
        <span class="muted small grow">{reason}</span>
      </footer>
    );
  }
  const sending = state === 'sending';
  const fault = error === undefined ? undefined : faultOf(error);
  return (
    <footer class="approval-foot">
      {fault ? (
        <span class="approval-fault small grow" role="alert">
          {fault.message} {fault.advice}
        </span>
      ) : (
        <span class="muted small grow">Approve runs exactly this call, once. Decline tells the model that you did not approve.</span>
      )}
      <Button shortcut="d" disabled={sending} onClick={() => void answer(confirmation.id, false, 'pointer')}>
        Decline
      </Button>
      <Button
        kind={current.value === confirmation.id ? 'primary' : 'plain'}
        shortcut="a"
        busy={sending}
        onClick={() => void answer(confirmation.id, true, 'pointer')}
      >
        Approve
      </Button>
    </footer>
  );
}

/** Why this person cannot answer, or `undefined` if they can. */
function readOnlyReason({ mine, user, token }: Confirmation): string | undefined {
  if (me.value?.role === 'viewer') return 'You may look but not act: your role is viewer.';
  if (!mine) return `Only ${user === null ? 'the person of the conversation' : visible(user)} can answer this.`;
  return token === undefined ? 'This cannot be answered from here.' : undefined;
}
