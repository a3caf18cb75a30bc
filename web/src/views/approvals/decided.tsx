// Decided: confirmations that were answered, expired or superseded, newest first, with what each led to.
import { useEffect, useState } from 'preact/hooks';
import type { Confirmation } from '@aileron/client';
import { aileron } from '../../api';
import { paths } from '../../app/router';
import { Button } from '../../ui/button';
import { Chip, type Tone } from '../../ui/chip';
import { Duration } from '../../ui/duration';
import type { IconName } from '../../ui/icon';
import { EmptyState, ErrorState, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { useLoad } from '../../ui/use-load';
import { visible } from '../../ui/visible';
import { channelWords, isOfPerson, ledWords } from './entries';
import { decisions } from './store';

const PAGE = 50;

const STATES: Record<string, { word: string; tone: Tone; icon: IconName }> = {
  approved: { word: 'approved', tone: 'passed', icon: 'check' },
  declined: { word: 'declined', tone: 'refused', icon: 'close' },
  expired: { word: 'expired', tone: 'neutral', icon: 'clock' },
  superseded: { word: 'superseded', tone: 'neutral', icon: 'minus' },
};

interface Page {
  confirmations: Confirmation[];
  before?: number;
}

export function Decided() {
  const page = useLoad<Page>('decided', (signal) => aileron.confirmations({ state: 'decided', limit: PAGE }, { signal }));
  useEffect(() => decisions.subscribe((count) => void (count > 0 && page.reload())), []);
  return (
    <section class="approvals-decided" aria-labelledby="decided">
      <h2 id="decided">Decided</h2>
      <Content page={page.data} error={page.error} reload={page.reload} change={page.change} />
    </section>
  );
}

interface ContentProps {
  page: Page | undefined;
  error: unknown;
  reload: () => void;
  change: (edit: (page: Page) => Page) => void;
}

function Content({ page, error, reload, change }: ContentProps) {
  if (page === undefined && error !== undefined)
    return <ErrorState title="The decided confirmations could not be loaded" error={error} onRetry={reload} />;
  if (page === undefined) return <Loading what="the decided confirmations" />;
  if (page.confirmations.length === 0) {
    return (
      <EmptyState icon="list" title="Nothing was decided yet">
        <p>Answers stay listed here with who gave them, how, and what they led to.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <div class="card approvals-table" tabIndex={0} role="region" aria-label="Table of decided confirmations">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Decided</th>
              <th scope="col">State</th>
              <th scope="col">Tool</th>
              <th scope="col">Preview</th>
              <th scope="col">By</th>
              <th scope="col">Led to</th>
              <th scope="col">
                <span class="hidden-text">Links</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {page.confirmations.map((confirmation) => (
              <Row key={confirmation.id} confirmation={confirmation} />
            ))}
          </tbody>
        </table>
      </div>
      {page.before === undefined ? null : <More before={page.before} change={change} />}
    </>
  );
}

function Row({ confirmation }: { confirmation: Confirmation }) {
  const { state, toolId, preview, decision, led, conversationId, turn, callId, askedAt } = confirmation;
  const shown = STATES[state] ?? { word: state, tone: 'neutral', icon: 'dot' };
  return (
    <tr>
      <td>
        <Time at={decision?.at ?? askedAt} />
      </td>
      <td>
        <Chip tone={shown.tone} icon={shown.icon}>
          {shown.word}
        </Chip>
      </td>
      <td class="mono">
        <a href={paths.tool(toolId)}>{toolId}</a>
      </td>
      <td class="approvals-preview" title={visible(preview)} dir="auto">
        {visible(preview)}
      </td>
      <td>
        {decision?.by ? visible(decision.by) : isOfPerson(decision?.channel) ? 'local person' : 'nobody'}
        <span class="muted approvals-channel">{channelWords(decision?.channel)}</span>
      </td>
      <td>
        <Led confirmation={confirmation} />
      </td>
      <td class="approvals-links">
        <a href={paths.turn(conversationId, turn, callId)}>call</a>
        {led === undefined || led.outcomeUnknown ? null : (
          <a href={`${paths.audit}?${new URLSearchParams({ conversation: conversationId, call: led.callId ?? callId })}`}>record</a>
        )}
      </td>
    </tr>
  );
}

function Led({ confirmation }: { confirmation: Confirmation }) {
  const { led } = confirmation;
  const tone = !led ? 'faint' : led.ok ? 'approvals-good' : 'approvals-bad';
  return (
    <>
      <span class={tone}>{ledWords(confirmation)}</span>
      {led?.duration === undefined || led.outcomeUnknown ? null : (
        <span class="muted approvals-channel">
          in <Duration ms={led.duration} />
        </span>
      )}
    </>
  );
}

function More({ before, change }: { before: number; change: ContentProps['change'] }) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  async function load() {
    setState('loading');
    try {
      const next = await aileron.confirmations({ state: 'decided', before, limit: PAGE });
      setState('idle');
      change((page) => ({ confirmations: [...page.confirmations, ...next.confirmations], before: next.before }));
    } catch {
      setState('failed');
    }
  }
  return (
    <p class="approvals-more">
      <Button busy={state === 'loading'} onClick={() => void load()}>
        {state === 'failed' ? 'Could not load; try again' : 'Show earlier ones'}
      </Button>
    </p>
  );
}
