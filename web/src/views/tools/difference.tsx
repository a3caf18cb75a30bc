// Difference: the changes between the loaded registry and another one, grouped by what they mean for callers.
import { useMemo } from 'preact/hooks';
import type { RegistryChange, RegistrySummary } from '@aileron/client';
import { aileron } from '../../api';
import { paths, query, setQuery } from '../../app/router';
import { Chip, type Tone } from '../../ui/chip';
import { format } from '../../ui/format';
import { EmptyState, ErrorState, Loading } from '../../ui/states';
import { useLoad } from '../../ui/use-load';
import { visible } from '../../ui/visible';
import { type ChangeGroup, groupOf, stepWords } from './changes';

const GROUPS: { group: ChangeGroup; title: string; about: string; tone: Tone }[] = [
  { group: 'breaks', title: 'Breaks', about: 'calls that worked before may be refused', tone: 'refused' },
  { group: 'policy', title: 'Policy', about: 'what is allowed, asked or recorded has changed', tone: 'waits' },
  { group: 'new', title: 'New', about: 'was not there before', tone: 'passed' },
  { group: 'compatible', title: 'Compatible', about: 'every earlier call still works', tone: 'neutral' },
];

/** Without `tool`, the changes of all tools. */
export function Difference({ tool }: { tool?: string }) {
  const { data, error, reload } = useLoad('registries', (signal) => aileron.registries({ signal }));
  if (error !== undefined && data === undefined)
    return <ErrorState title="The registries could not be loaded" error={error} onRetry={reload} />;
  if (data === undefined) return <Loading what="the registries" />;
  const current = data.registries.find((registry) => registry.current);
  const others = data.registries.filter((registry) => !registry.current);
  if (current === undefined || others.length === 0) {
    return (
      <EmptyState icon="list" title="There is no other registry to compare with">
        <p>
          The server keeps each registry that a conversation still needs. Change a tool and load it; the earlier registry is then listed
          here.
        </p>
      </EmptyState>
    );
  }
  const asked = query.value.get('against');
  const chosen = others.find((registry) => registry.version === asked) ?? (asked === null ? others[0] : undefined);
  return (
    <div class="difference">
      <label class="difference-choice small">
        <span class="muted">
          <code>{current.version}</code> compared with
        </span>
        <select
          class="select"
          value={chosen?.version ?? ''}
          onChange={(event) => setQuery({ against: event.currentTarget.value }, { replace: false })}
        >
          {chosen === undefined ? <option value="">choose a registry</option> : null}
          {others.map((registry) => (
            <option key={registry.version} value={registry.version}>
              {describe(registry)}
            </option>
          ))}
        </select>
      </label>
      {chosen === undefined ? (
        <EmptyState icon="search" title={`The server does not have registry ${asked}`} />
      ) : (
        <Changes version={current.version} against={chosen.version} tool={tool} />
      )}
    </div>
  );
}

function describe(registry: RegistrySummary): string {
  const named = registry.names.length > 0 ? `${registry.names.map(visible).join(', ')}, ` : '';
  return `${registry.version} (${named}${format.plural(registry.tools, 'tool')})`;
}

function Changes({ version, against, tool }: { version: string; against: string; tool: string | undefined }) {
  const { data, error, reload } = useLoad(`${version} ${against}`, (signal) => aileron.registryDiff(version, against, { signal }));
  const changes = useMemo(() => data?.changes.filter((change) => tool === undefined || change.toolId === tool) ?? [], [data, tool]);
  if (error !== undefined && data === undefined)
    return <ErrorState title="The registries could not be compared" error={error} onRetry={reload} />;
  if (data === undefined) return <Loading what="the changes" />;
  if (changes.length === 0) {
    return (
      <EmptyState icon="check" title={tool === undefined ? 'Both registries make the same promises' : 'This tool has not changed'}>
        {tool === undefined ? null : (
          <p>
            <a href={`${paths.tools}?against=${encodeURIComponent(against)}`}>See the changes of all tools</a>
          </p>
        )}
      </EmptyState>
    );
  }
  return (
    <>
      {GROUPS.map((group) => (
        <Group
          key={group.group}
          {...group}
          changes={changes.filter((change) => groupOf(change) === group.group)}
          named={tool === undefined}
        />
      ))}
    </>
  );
}

function Group({ title, about, tone, changes, named }: (typeof GROUPS)[number] & { changes: RegistryChange[]; named: boolean }) {
  if (changes.length === 0) return null;
  return (
    <section class="card difference-group">
      <h2>
        <Chip tone={tone}>{title}</Chip> <span class="muted small">{about}</span>
      </h2>
      <ul>
        {changes.map((change, at) => (
          <li key={at}>
            {named ? (
              <a class="mono" href={paths.tool(change.toolId)}>
                {change.toolId}
              </a>
            ) : null}
            <span class="grow">{visible(change.message)}</span>
            {change.rule === undefined ? null : <code class="small muted">{change.rule}</code>}
            <span class="small muted">{stepWords(change)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
