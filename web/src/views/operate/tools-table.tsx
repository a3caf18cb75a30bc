// ToolsTable: each tool's calls, time against budget and size of answers. Columns sort, figures open the calls behind them.
import type { AuditFilter, ToolFigures } from '@aileron/client';
import { useMemo, useState } from 'preact/hooks';
import { percentile, share } from '../../charts/format';
import { paths, query, setQuery } from '../../app/router';
import { Button } from '../../ui/button';
import { Chip, type Tone } from '../../ui/chip';
import { format } from '../../ui/format';
import { Icon, type IconName } from '../../ui/icon';
import { visible } from '../../ui/visible';
import { auditPath } from './audit/filter';
import { budgetBar, type SortKey, sortTools, type ToolState, toolState } from './figures';

const SHOWN = 15;

const COLUMNS: { key: SortKey; title: string; right?: boolean }[] = [
  { key: 'tool', title: 'Tool' },
  { key: 'calls', title: 'Calls', right: true },
  { key: 'succeeded', title: 'OK', right: true },
  { key: 'failed', title: 'Failed', right: true },
  { key: 'refused', title: 'Refused', right: true },
  { key: 'p50', title: 'p50', right: true },
  { key: 'p95', title: 'p95', right: true },
  { key: 'budget', title: 'p95 against budget' },
  { key: 'answer', title: 'Answer, p95', right: true },
];

interface Span {
  since: number;
  until: number;
}

export function ToolsTable({ tools, hour }: { tools: readonly ToolFigures[]; hour: Span }) {
  const [all, setAll] = useState(false);
  const asked = query.value.get('sort');
  const sort = COLUMNS.find(({ key }) => key === asked)?.key ?? 'calls';
  const sorted = useMemo(() => sortTools(tools, sort), [tools, sort]);
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  return (
    <section class="card figure" aria-labelledby="tools-time" id="tools-section">
      <h2 id="tools-time">
        Tools <span class="muted small">time against budget (the mark); a figure opens the calls behind it</span>
      </h2>
      {tools.length === 0 ? (
        <p class="figure-empty muted small">No tool was called in the last hour</p>
      ) : (
        <div class="figure-scroll" tabIndex={0} role="region" aria-label="Table of tools">
          <table class="table tools-time">
            <thead>
              <tr>
                {COLUMNS.map(({ key, title, right }) => (
                  <th
                    key={key}
                    scope="col"
                    class={right ? 'right' : undefined}
                    aria-sort={key === sort ? (key === 'tool' ? 'ascending' : 'descending') : undefined}
                  >
                    <button type="button" class="sort" onClick={() => setQuery({ sort: key === 'calls' ? undefined : key })}>
                      {title}
                      {key === sort ? <Icon name={key === 'tool' ? 'arrowUp' : 'arrowDown'} size={12} /> : null}
                    </button>
                  </th>
                ))}
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((tool) => (
                <Row key={tool.toolId} tool={tool} hour={hour} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sorted.length > shown.length ? (
        <p class="figure-more">
          <Button size="small" kind="quiet" onClick={() => setAll(true)}>
            {`Show all ${format.count(sorted.length)} tools`}
          </Button>
        </p>
      ) : null}
    </section>
  );
}

function Row({ tool, hour }: { tool: ToolFigures; hour: Span }) {
  const { toolId, calls, succeeded, failed, refused, p50, p95, budgetMs } = tool;
  const link = (value: number, which: AuditFilter = {}) =>
    value === 0 ? (
      <span class="faint">0</span>
    ) : (
      <a href={auditPath({ ...hour, tool: toolId, ...which })}>{format.count(value)}</a>
    );
  return (
    <tr>
      <th scope="row" class="mono">
        <a href={paths.tool(toolId)}>{toolId}</a>
      </th>
      <td class="right">{link(calls)}</td>
      <td class="right">{share(succeeded, calls)}</td>
      <td class="right">{link(failed, { outcome: 'completed', error: 'any' })}</td>
      <td class="right">{link(refused, { outcome: 'refused' })}</td>
      <td class="right">{percentile(p50)}</td>
      <td class="right">{percentile(p95)}</td>
      <td class="tools-budget">{p95 === null ? null : <Bar p95={p95} budgetMs={budgetMs} />}</td>
      <td class="right">{tool.responseCharsP95 === null ? '–' : <Answer tool={tool} />}</td>
      <td>
        <State tool={tool} />
      </td>
    </tr>
  );
}

function Answer({ tool }: { tool: ToolFigures }) {
  const tokens = tool.responseTokensP95 === null ? '' : `, ${format.count(tool.responseTokensP95)} tokens`;
  return (
    <span title={`${format.count(tool.responseCharsP95 ?? 0)} characters${tokens}`}>{format.count(tool.responseCharsP95 ?? 0)} chars</span>
  );
}

function Bar({ p95, budgetMs }: { p95: number; budgetMs: number }) {
  const { bar, mark, over } = budgetBar(p95, budgetMs);
  const words = `${percentile(p95)} of ${format.duration(budgetMs)}`;
  return (
    <svg class={over ? 'budget budget-over' : 'budget'} width="100%" height="16" role="img" aria-label={words}>
      <title>{words}</title>
      <rect class="budget-bar" y="4" width={`${bar}%`} height="8" rx="2" />
      <rect class="budget-mark" x={`${mark}%`} y="1" width="2" height="14" />
    </svg>
  );
}

const STATES: Record<ToolState, { tone: Tone; icon?: IconName }> = {
  quarantined: { tone: 'waits', icon: 'block' },
  'over budget': { tone: 'refused', icon: 'warning' },
  failing: { tone: 'refused', icon: 'close' },
  'mostly refused': { tone: 'waits', icon: 'minus' },
  'not called': { tone: 'neutral' },
  fine: { tone: 'passed', icon: 'check' },
};

function State({ tool }: { tool: ToolFigures }) {
  const state = toolState(tool);
  const { tone, icon } = STATES[state];
  return (
    <Chip tone={tone} icon={icon} title={reason(tool, state)}>
      {state}
    </Chip>
  );
}

function reason(tool: ToolFigures, state: ToolState): string | undefined {
  if (state === 'quarantined') return visible(tool.quarantined ?? '');
  if (state === 'over budget') return `${format.plural(tool.overBudget, 'call')} took longer than ${format.duration(tool.budgetMs)}`;
  return undefined;
}
