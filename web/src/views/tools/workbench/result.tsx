// Result: what became of an attempt: the decision, the policies with their numbers, faults, a confirmation to answer, the answer.
import type { DryRunCall } from '@aileron/client';
import { useState } from 'preact/hooks';
import { paths } from '../../../app/router';
import { Button } from '../../../ui/button';
import { Chip, type Tone } from '../../../ui/chip';
import { Duration } from '../../../ui/duration';
import type { IconName } from '../../../ui/icon';
import { Json } from '../../../ui/json/json';
import { ErrorState, Loading } from '../../../ui/states';
import { policyWords, Trail } from '../../../ui/trail';
import { visible } from '../../../ui/visible';
import { serverFaults } from '../../../schema-form/fault';
import { Ask } from './ask';
import type { Attempt } from './run';
import { SaveCase } from './save-case';

export type ResultState =
  { is: 'none' } | { is: 'running'; how: 'run' | 'dry' } | { is: 'failed'; error: unknown } | { is: 'done'; attempt: Attempt };

interface ResultProps {
  id: string;
  state: ResultState;
  formId: string;
  onAnswer: (attempt: Attempt, approve: boolean) => Promise<void>;
}

export function Result({ id, state, formId, onAnswer }: ResultProps) {
  return (
    <div aria-live="polite">
      {state.is === 'running' ? <Loading what="the result" /> : null}
      {state.is === 'failed' ? <ErrorState title="The call could not be made" error={state.error} /> : null}
      {state.is === 'done' ? <Done id={id} attempt={state.attempt} formId={formId} onAnswer={onAnswer} /> : null}
    </div>
  );
}

function Done({ id, attempt, formId, onAnswer }: { id: string; attempt: Attempt; formId: string; onAnswer: ResultProps['onAnswer'] }) {
  const [saving, setSaving] = useState(false);
  const { response, dry, place } = attempt;
  const error = response?.error ?? dry?.error;
  const outcome = dry ? dryOutcome(dry) : outcomeOf(attempt);
  const ask = response?.error?.confirmation_request;
  return (
    <section class="card bench-result" aria-label="Result">
      <header class="row">
        <Chip tone={outcome.tone} icon={outcome.icon}>
          {outcome.words}
        </Chip>
        <span class="small muted">
          {response?.meta.duration === undefined ? null : <Duration ms={response.meta.duration} />} in {attempt.mode}
        </span>
        <span class="bench-actions">
          {place ? (
            <a class="small" href={paths.turn(place.conversationId, place.turn, place.callId)}>
              Inspect
            </a>
          ) : null}
          <Button size="small" onClick={() => setSaving(true)}>
            Save as case
          </Button>
        </span>
      </header>
      {ask ? <Ask request={ask} onAnswer={(approve) => onAnswer(attempt, approve)} /> : null}
      {error && !ask ? (
        <p class="bench-error">
          <code>{error.type}</code> {serverFaults(error) === undefined ? visible(error.message) : 'the arguments do not fit:'}
          {error.suggestion ? <span class="muted"> {visible(error.suggestion)}</span> : null}
        </p>
      ) : null}
      <FaultList error={error} formId={formId} />
      {attempt.trail.length > 0 ? (
        <div>
          <p class="label">Policies</p>
          <Trail steps={attempt.trail} />
        </div>
      ) : null}
      {dry ? <DryDetails dry={dry} /> : null}
      {response?.ok ? (
        <div>
          <p class="label">Result</p>
          <Json value={response.data} open={3} label="Result" />
        </div>
      ) : null}
      {saving ? <SaveCase id={id} attempt={attempt} onClose={() => setSaving(false)} /> : null}
    </section>
  );
}

interface Outcome {
  words: string;
  tone: Tone;
  icon: IconName;
}

function outcomeOf({ response, trail }: Attempt): Outcome {
  if (response?.ok) return { words: 'succeeded', tone: 'passed', icon: 'check' };
  if (response?.error?.confirmation_request) return { words: 'waits for your answer', tone: 'waits', icon: 'clock' };
  if (response?.error?.type === 'DENIED') return { words: 'declined', tone: 'refused', icon: 'close' };
  const by = trail.find((step) => step.result === 'refused' || step.result === 'undecided');
  return { words: by ? `refused by ${policyWords(by.policy)}` : 'failed', tone: 'refused', icon: 'close' };
}

function dryOutcome(dry: DryRunCall): Outcome {
  const outcomes: Record<DryRunCall['decision'], Outcome> = {
    run: { words: 'would run', tone: 'passed', icon: 'check' },
    ask: { words: 'would ask the person', tone: 'waits', icon: 'clock' },
    refuse: { words: `would be refused${dry.policy ? ` by ${policyWords(dry.policy)}` : ''}`, tone: 'refused', icon: 'close' },
    replay: { words: 'would be answered from an earlier call', tone: 'neutral', icon: 'copy' },
    hold: { words: 'would wait for the same call that runs', tone: 'waits', icon: 'clock' },
  };
  return outcomes[dry.decision];
}

/** The faults as links to their fields, for forms longer than the window. */
function FaultList({ error, formId }: { error: unknown; formId: string }) {
  const found = serverFaults(error);
  if (found === undefined) return null;
  const more = found.total - found.faults.length;
  return (
    <ul class="bench-faults">
      {found.faults.map((fault, at) => (
        <li key={at}>
          <button type="button" class="bench-fault" onClick={() => focusField(formId, fault.pointer)}>
            <code>{visible(fault.pointer === '' ? 'arguments' : fault.pointer)}</code>
          </button>{' '}
          {visible(fault.message)}
        </li>
      ))}
      {more > 0 ? <li class="muted">and {more} more</li> : null}
    </ul>
  );
}

/** Moves to the field of a fault, or to the nearest one around it. */
function focusField(formId: string, pointer: string): void {
  let here = pointer;
  let field = document.getElementById(`${formId}-field${here}`);
  while (!field && here !== '') {
    here = here.slice(0, here.lastIndexOf('/'));
    field = document.getElementById(`${formId}-field${here}`);
  }
  field?.focus();
  field?.scrollIntoView({ block: 'center' });
}

function DryDetails({ dry }: { dry: DryRunCall }) {
  return (
    <>
      {dry.preview === undefined ? null : (
        <div>
          <p class="label">The person would be asked</p>
          <p class="bench-preview">{visible(dry.preview)}</p>
        </div>
      )}
      {dry.args === undefined ? null : (
        <div>
          <p class="label">Arguments as used, with defaults{dry.clamped && dry.clamped.length > 0 ? ' and limits of the mode' : ''}</p>
          <Json value={dry.args} open={3} label="Arguments as used" />
        </div>
      )}
      {dry.clamped && dry.clamped.length > 0 ? (
        <div>
          <p class="label">Reduced to the limits of the mode</p>
          <Json value={dry.clamped} open={2} label="Reduced arguments" />
        </div>
      ) : null}
    </>
  );
}
