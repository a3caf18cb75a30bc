// Refusals: how many calls each policy refused in the last hour; a click opens them.
import type { Series } from '@aileron/client';
import { barWidths } from '../../charts/series';
import { format } from '../../ui/format';
import { policyWords } from '../../ui/trail';
import { auditPath } from './audit/filter';
import { refusals } from './figures';

export function Refusals({ series, hour }: { series: Series; hour: { since: number; until: number } }) {
  const rows = refusals(series);
  const widths = barWidths(rows.map(({ count }) => count));
  return (
    <section class="card figure" aria-labelledby="refusals">
      <h2 id="refusals">Refused, by policy</h2>
      {rows.length === 0 ? (
        <p class="figure-empty muted small">No call was refused in the last hour</p>
      ) : (
        <table class="table refusals">
          <thead class="hidden-text">
            <tr>
              <th scope="col">Policy</th>
              <th scope="col">Refused calls</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ policy, count }, at) => (
              <tr key={policy}>
                <th scope="row">{policyWords(policy)}</th>
                <td class="right">
                  <a href={auditPath({ ...hour, outcome: `refused:${policy}` })}>{format.count(count)}</a>
                </td>
                <td class="refusals-bar">
                  <svg width="100%" height="8" aria-hidden="true">
                    <rect width={`${widths[at]}%`} height="8" rx="2" />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
