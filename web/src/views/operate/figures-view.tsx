// Figures: tiles, charts and tables of the last hour. Each figure leads to the calls behind it.
import type { Series } from '@aileron/client';
import { useMemo } from 'preact/hooks';
import { openConfirmations } from '../../app/live';
import { go, paths } from '../../app/router';
import { seesAll } from '../../app/session';
import { EmptyState, ErrorState, Loading } from '../../ui/states';
import { Notice } from '../../ui/notice';
import { faultOf } from '../../ui/fault';
import { auditPath } from './audit/filter';
import { Blocks } from './blocks';
import { CallsChart, Charts } from './charts';
import { Refusals } from './refusals';
import { Registries } from './registries';
import { summarise } from './figures';
import { Tiles } from './tiles';
import { ToolsTable } from './tools-table';
import { useSeries } from './use-series';

export function Figures() {
  return seesAll.value ? <Everybody /> : <NotAllowed />;
}

function Everybody() {
  const { series, error, reload } = useSeries();
  if (series === undefined) {
    if (error === undefined) return <Loading what="the figures" lines={8} />;
    return <ErrorState title="The figures could not be loaded" error={error} onRetry={reload} />;
  }
  return (
    <>
      {error === undefined ? null : (
        <Notice tone="waits">The figures could not be renewed: {faultOf(error).message} Those shown are older.</Notice>
      )}
      <Content series={series} />
    </>
  );
}

function NotAllowed() {
  return (
    <EmptyState icon="key" title="The figures are for operators and viewers">
      <p>
        Your own calls are in <a href={paths.audit}>your audit log</a>.
      </p>
    </EmptyState>
  );
}

function Content({ series }: { series: Series }) {
  const summary = useMemo(() => summarise(series), [series]);
  // The series counts the confirmations of conversations in memory; more may wait in the store.
  const waiting = Math.max(summary.waiting, openConfirmations.value);
  const until = series.from + series.points * series.stepMs;
  const hour = { since: series.from, until };
  return (
    <div class="page figures">
      <div class="figures-width">
        <h1 class="hidden-text">Operate: the last hour</h1>
        <Tiles summary={{ ...summary, waiting }} hour={hour} />
        <div class="figures-two">
          <CallsChart series={series} onPoint={(span) => go(auditPath(span))} />
          <Refusals series={series} hour={hour} />
        </div>
        <ToolsTable tools={series.tools} hour={hour} />
        <Charts series={series} />
        <Registries />
        <Blocks />
      </div>
    </div>
  );
}
