// The view Approvals: every confirmation that waits, oldest first, and what was decided.
import { useEffect } from 'preact/hooks';
import './approvals.css';
import { type Action, useActions } from '../../app/actions';
import { clockOffset, seesAll } from '../../app/session';
import { Button } from '../../ui/button';
import { EmptyState, ErrorState, Loading } from '../../ui/states';
import { Card } from './card';
import { Decided } from './decided';
import { useKeys } from './keys';
import { isAnswerable } from './entries';
import { announcement, answer, current, entries, hideClosed, loadOpen, openState, openStore } from './store';

export default function Approvals() {
  useEffect(openStore, []);
  useKeys();
  usePaletteActions();
  const closed = entries.value.filter((entry) => entry.state === 'closed').length;
  const open = entries.value.length - closed;
  return (
    <div class="page approvals">
      <div class="approvals-width">
        <header class="approvals-head">
          <h1>Approvals</h1>
          <p class="muted small grow">
            {open > 0 ? `${open} waiting, oldest first` : 'Actions that wait for an answer'}
            {seesAll.value ? ', of all people' : ''}
          </p>
          {closed > 0 ? (
            <Button size="small" kind="quiet" onClick={hideClosed}>
              Hide {closed} closed
            </Button>
          ) : null}
          <Hint />
        </header>
        <Waiting />
        <Decided />
        <div class="hidden-text" role="status">
          {announcement.value}
        </div>
      </div>
    </div>
  );
}

/** The chosen confirmation can be answered from the command palette too. */
function usePaletteActions(): void {
  const id = current.value;
  const entry = entries.value.find(({ confirmation }) => confirmation.id === id);
  const answerable = isAnswerable(entry, Date.now() + clockOffset.value);
  const actions: Action[] = !answerable
    ? []
    : [
        {
          id: 'approve',
          title: `Approve ${entry.confirmation.toolId}`,
          icon: 'check',
          note: 'a',
          run: () => void answer(entry.confirmation.id, true, 'pointer'),
        },
        {
          id: 'decline',
          title: `Decline ${entry.confirmation.toolId}`,
          icon: 'close',
          note: 'd',
          run: () => void answer(entry.confirmation.id, false, 'pointer'),
        },
      ];
  useActions(actions, [id, answerable]);
}

function Waiting() {
  const state = openState.value;
  if (state.is === 'failed')
    return <ErrorState title="The open confirmations could not be loaded" error={state.error} onRetry={() => void loadOpen()} />;
  if (state.is === 'loading') return <Loading what="the open confirmations" lines={4} />;
  if (entries.value.length === 0) {
    return (
      <div class="card approvals-empty">
        <EmptyState icon="check" title="Nothing waits for an answer">
          <p>When a tool needs approval before it acts, the question appears here at once, with exactly what would be done.</p>
        </EmptyState>
      </div>
    );
  }
  return (
    <ol class="approvals-list" aria-label="Waiting confirmations">
      {entries.value.map((entry) => (
        <li key={entry.confirmation.id}>
          <Card entry={entry} />
        </li>
      ))}
    </ol>
  );
}

function Hint() {
  return (
    <p class="approvals-keys small muted">
      <span>
        <kbd>j</kbd> <kbd>k</kbd> move
      </span>
      <span>
        <kbd>a</kbd> approve
      </span>
      <span>
        <kbd>d</kbd> decline
      </span>
      <span>
        <kbd>o</kbd> open the call
      </span>
    </p>
  );
}
