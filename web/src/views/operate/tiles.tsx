// Tiles: the state of the server in eight figures; each with a list behind it is a link to it.
import type { ComponentChildren } from 'preact';
import { compact, decimal, percentile, share } from '../../charts/format';
import { paths } from '../../app/router';
import { format } from '../../ui/format';
import { auditPath } from './audit/filter';
import type { Summary } from './figures';

interface Span {
  since: number;
  until: number;
}

export function Tiles({ summary, hour }: { summary: Summary; hour: Span }) {
  const s = summary;
  return (
    <ul class="tiles" aria-label="The last hour in figures">
      <Tile name="Calls" value={s.rate === null ? '–' : `${decimal(s.rate)}/s`} href={auditPath(hour)}>
        {s.peak ? `peak ${decimal(s.peak.value)}/s at ${format.instant(s.peak.at, 'time')}` : 'none in the last hour'}
      </Tile>
      <Tile name="Succeeded" value={share(s.succeeded, s.calls)} href={auditPath({ ...hour, outcome: 'refused' })}>
        {`${format.count(s.refused)} refused, ${format.count(s.failed)} failed`}
      </Tile>
      <Tile
        name="p95 of a call"
        value={percentile(s.p95)}
        tone={s.overBudget > 0 ? 'refused' : undefined}
        href={`${paths.operate}?sort=budget`}
      >
        {s.overBudget === 0 ? 'all tools within budget' : `${format.plural(s.overBudget, 'tool')} over budget`}
      </Tile>
      <Tile name="Waiting" value={format.count(s.waiting)} tone={s.waiting > 0 ? 'waits' : undefined} href={paths.approvals}>
        {s.waiting === 0 ? 'no open confirmation' : 'for an answer of a person'}
      </Tile>
      <Tile name="Conversations" value={format.count(s.text + s.voice)}>
        {`${format.count(s.voice)} voice, ${format.count(s.text)} text`}
      </Tile>
      <Tile name="Provider errors" value={format.count(s.providerErrors)} tone={s.providerErrors > 0 ? 'refused' : undefined}>
        {format.plural(s.reconnects, 'reconnect')}
      </Tile>
      <Tile name="Tokens" value={compact(s.tokensIn + s.tokensOut)}>
        {`${compact(s.tokensIn)} in, ${compact(s.tokensOut)} out`}
      </Tile>
      <Tile name="Memory" value={s.memory === null ? '–' : format.bytes(s.memory)}>
        {`${format.plural(s.inFlight, 'call')} in flight`}
      </Tile>
    </ul>
  );
}

interface TileProps {
  name: string;
  value: string;
  tone?: 'waits' | 'refused';
  href?: string;
  children: ComponentChildren;
}

function Tile({ name, value, tone, href, children }: TileProps) {
  const content = (
    <>
      <span class="tile-name">{name}</span>
      <strong class={tone ? `tile-value num tile-${tone}` : 'tile-value num'}>{value}</strong>
      <span class="tile-note num">{children}</span>
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <div class="tile">{content}</div>
      ) : (
        <a class="tile" href={href}>
          {content}
        </a>
      )}
    </li>
  );
}
