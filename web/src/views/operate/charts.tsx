// Charts of the last hour. A click on a point of a chart about calls opens the calls of that moment.
import type { Series } from '@aileron/client';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chart, type ChartTone, type Line, type Span } from '../../charts/chart';
import { compact, decimal, percentile } from '../../charts/format';
import { type Reduce, perSecond, type Values } from '../../charts/series';
import { go } from '../../app/router';
import { format } from '../../ui/format';
import { auditPath } from './audit/filter';
import { passedCalls } from './figures';

function line(label: string, values: Values, tone: ChartTone, reduce: Reduce, more: Partial<Line> = {}): Line {
  return { label, values, tone, reduce, ...more };
}

function Panel({ title, note, children }: { title: string; note?: string; children: ComponentChildren }) {
  return (
    <section class="card figure" aria-label={title}>
      <h2>
        {title} {note ? <span class="muted small">{note}</span> : null}
      </h2>
      {children}
    </section>
  );
}

export function CallsChart({ series, onPoint }: { series: Series; onPoint: (span: Span) => void }) {
  const lines = useMemo(
    () => [
      line('passed', perSecond(passedCalls(series), series.stepMs), 'accent', 'mean', { fill: true }),
      line('refused', perSecond(series.calls.refused, series.stepMs), 'refused', 'mean', { dash: true }),
    ],
    [series],
  );
  return (
    <Panel title="Calls a second" note="click a point for the calls behind it">
      <Chart
        title="Calls a second"
        lines={lines}
        from={series.from}
        stepMs={series.stepMs}
        write={decimal}
        empty="No calls in the last hour"
        onPoint={onPoint}
      />
    </Panel>
  );
}

interface Definition {
  title: string;
  note?: string;
  lines: Line[];
  write: (value: number) => string;
  empty: string;
  whole?: boolean;
  /** The outcome of the calls behind a point; absent if the chart is not about calls. */
  outcome?: string;
}

export function Charts({ series }: { series: Series }) {
  const charts = useMemo(() => definitions(series), [series]);
  return (
    <div class="figures-charts">
      {charts.map(({ title, note, lines, write, empty, whole, outcome }) => (
        <Panel key={title} title={title} note={note}>
          <Chart
            title={title}
            lines={lines}
            from={series.from}
            stepMs={series.stepMs}
            write={write}
            empty={empty}
            whole={whole}
            onPoint={outcome === undefined ? undefined : (span) => go(auditPath({ ...span, outcome }))}
          />
        </Panel>
      ))}
    </div>
  );
}

function definitions(series: Series): Definition[] {
  const { latency, conversations, stepMs } = series;
  return [
    {
      title: 'Time of a call',
      note: 'percentiles',
      lines: [
        line('p50', latency.p50, 'accent', 'mean'),
        line('p95', latency.p95, 'waits', 'max'),
        line('p99', latency.p99, 'muted', 'max', { dash: true }),
      ],
      write: percentile,
      empty: 'No call was timed in the last hour',
      outcome: 'completed',
    },
    {
      title: 'Conversations',
      note: 'by mode',
      lines: [line('text', conversations.text, 'accent', 'max'), line('voice', conversations.voice, 'person', 'max', { dash: true })],
      write: (value) => format.count(Math.round(value)),
      whole: true,
      empty: 'No conversation in the last hour',
    },
    {
      title: 'In flight and waiting',
      lines: [
        line('calls in flight', series.callsInFlight, 'accent', 'max'),
        line('open confirmations', series.openConfirmations, 'waits', 'max', { dash: true }),
      ],
      write: (value) => format.count(Math.round(value)),
      whole: true,
      empty: 'Nothing ran and nothing waited',
    },
    {
      title: 'Tokens a second',
      lines: [
        line('in', perSecond(series.tokensIn, stepMs), 'accent', 'mean'),
        line('out', perSecond(series.tokensOut, stepMs), 'person', 'mean', { dash: true }),
      ],
      write: compact,
      empty: 'No tokens in the last hour',
    },
    {
      title: 'Faults',
      note: 'in each interval',
      lines: [
        line('provider errors', series.providerErrors, 'refused', 'sum'),
        line('reconnects', series.reconnects, 'waits', 'sum', { dash: true }),
        line('loops', series.loops, 'person', 'sum', { dash: true }),
      ],
      write: (value) => format.count(Math.round(value)),
      whole: true,
      empty: 'No provider error, reconnect or loop',
    },
    {
      title: 'Memory',
      lines: [line('resident', series.memoryBytes, 'accent', 'max', { fill: true })],
      write: (value) => format.bytes(Math.round(value)),
      empty: 'Not measured on this system',
    },
  ];
}
