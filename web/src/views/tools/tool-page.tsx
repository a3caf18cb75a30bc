// ToolPage: one tool with its facts, workbench, guide, declarations, cases and changes. The chosen part is in the address.
import type { ToolDetail } from '@aileron/client';
import { useMemo } from 'preact/hooks';
import { aileron } from '../../api';
import { paths, query, setQuery } from '../../app/router';
import { server } from '../../app/session';
import { Icon } from '../../ui/icon';
import { Markdown } from '../../ui/markdown/markdown';
import { EmptyState, ErrorState, Loading } from '../../ui/states';
import { Tabs } from '../../ui/tabs';
import { useLoad } from '../../ui/use-load';
import { visible } from '../../ui/visible';
import { asSchema, type Json } from '../../schema-form/json';
import { Cases } from './cases';
import { Declarations } from './declarations';
import { Difference } from './difference';
import { examplesOf } from './examples';
import { About, FactChips } from './facts';
import { Workbench } from './workbench/workbench';

type Part = 'try' | 'guide' | 'declarations' | 'cases' | 'about' | 'changes';
const PARTS: Part[] = ['try', 'guide', 'declarations', 'cases', 'about', 'changes'];

export function ToolPage({ id }: { id: string }) {
  const { data, error, reload } = useLoad(`${id} ${server.value?.registryVersion}`, (signal) => aileron.tool(id, {}, { signal }));
  return (
    <section class="tool" aria-label={id}>
      <div class={query.value.get('tab') === 'declarations' ? 'tool-width tool-full' : 'tool-width'}>
        <a class="tool-back" href={backPath()}>
          <Icon name="arrowLeft" size={16} /> All tools
        </a>
        {data ? (
          <Content tool={data} id={id} />
        ) : error !== undefined ? (
          <Failed id={id} error={error} reload={reload} />
        ) : (
          <Loading what={id} lines={8} />
        )}
      </div>
    </section>
  );
}

function backPath(): string {
  const kept = new URLSearchParams(query.value);
  for (const name of ['tab', 'against', 'args', 'run']) kept.delete(name);
  return paths.tools + (kept.size > 0 ? `?${kept}` : '');
}

function Failed({ id, error, reload }: { id: string; error: unknown; reload: () => void }) {
  const missing = typeof error === 'object' && error !== null && 'status' in error && error.status === 404;
  if (!missing) return <ErrorState title={`${id} could not be loaded`} error={error} onRetry={reload} />;
  return (
    <EmptyState icon="tool" title="There is no such tool">
      <p>
        The loaded registry has no tool <code>{visible(id)}</code>. It may have been renamed or removed.
      </p>
    </EmptyState>
  );
}

function Content({ tool, id }: { tool: ToolDetail; id: string }) {
  const asked = query.value.get('tab');
  const implied: Part = query.value.has('against') ? 'changes' : 'try';
  const part = PARTS.find((known) => known === asked) ?? implied;
  const examples = useMemo(() => examplesOf(tool.documentation, tool.cases ?? []), [tool]);
  const { cases } = tool;
  const tabs = [
    { key: 'try' as const, label: 'Try it' },
    { key: 'guide' as const, label: 'Guide' },
    { key: 'declarations' as const, label: 'Declarations', note: String(Object.keys(tool.declarations).length) },
    { key: 'cases' as const, label: 'Cases', note: String(cases?.length ?? 0) },
    { key: 'about' as const, label: 'Facts' },
    { key: 'changes' as const, label: 'Changes' },
  ];
  const spec = tool.spec as Record<string, Json>;
  // The API names the parameters by their form.
  const parameters = asSchema(spec.jsonSchema ?? spec.parameters);
  return (
    <>
      <header class="tool-head">
        <h1 class="mono">{id}</h1>
        <span class="muted num">{String(spec.version ?? '')}</span>
        <FactChips id={id} spec={spec} />
      </header>
      <p class="tool-about">{visible(String(spec.description ?? tool.summary))}</p>
      <Tabs
        tabs={tabs}
        chosen={part}
        onChoose={(key) => setQuery({ tab: key === 'try' ? undefined : key, against: undefined })}
        label={`Parts of ${id}`}
      >
        {part === 'try' ? <Workbench key={tool.hash} id={id} spec={spec} schema={parameters} examples={examples} /> : null}
        {part === 'guide' ? <Guide text={tool.documentation} /> : null}
        {part === 'declarations' ? <Declarations parameters={parameters} declarations={tool.declarations} /> : null}
        {part === 'cases' ? <Cases id={id} cases={cases ?? []} /> : null}
        {part === 'about' ? <About tool={tool} spec={spec} /> : null}
        {part === 'changes' ? <Difference tool={id} /> : null}
      </Tabs>
    </>
  );
}

function Guide({ text }: { text: string }) {
  if (text.trim() === '') return <EmptyState icon="file" title="This tool has no guide" />;
  return (
    <div class="card tool-guide">
      <Markdown text={text} headings={2} />
    </div>
  );
}
