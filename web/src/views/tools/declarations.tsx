// Declarations: the tool as each target is given it, side by side; keywords that a target lost are marked in place.
import { useMemo, useState } from 'preact/hooks';
import { CopyButton } from '../../ui/copy-button';
import { EmptyState } from '../../ui/states';
import { format } from '../../ui/format';
import { visible } from '../../ui/visible';
import type { Schema } from '../../schema-form/json';
import { compareDeclaration, declaredSchema, type Line, type Mark, onlyMarked } from './losses';
import { TARGETS, TARGET_WORDS } from './words';

const MARK_WORDS: Record<Exclude<Mark, 'kept'>, string> = {
  lost: 'lost',
  described: 'in words',
  rewritten: 'rewritten',
  added: 'added',
};

export function Declarations({ parameters, declarations }: { parameters: Schema; declarations: Record<string, unknown> }) {
  const targets = [
    ...TARGETS.filter((target) => target in declarations),
    ...Object.keys(declarations).filter((target) => !TARGETS.includes(target)),
  ];
  const [brief, setBrief] = useState(false);
  if (targets.length === 0) return <EmptyState icon="file" title="This registry has no declarations of this tool" />;
  return (
    <>
      <p class="muted small declarations-legend">
        The canonical parameters as each target receives them. <mark class="mark-lost">lost</mark> the target has no such keyword, and the
        server still checks it; <mark class="mark-described">in words</mark> the description says it instead;{' '}
        <mark class="mark-rewritten">rewritten</mark> another keyword says it.
      </p>
      <label class="declarations-brief small">
        <input type="checkbox" checked={brief} onChange={(event) => setBrief(event.currentTarget.checked)} /> Show only what differs
      </label>
      <div class="declarations" role="region" aria-label="Declarations side by side" tabIndex={0}>
        {targets.map((target) => (
          <Target
            key={target}
            name={TARGET_WORDS[target] ?? target}
            parameters={parameters}
            declaration={declarations[target]}
            brief={brief}
          />
        ))}
      </div>
    </>
  );
}

function Target({ name, parameters, declaration, brief }: { name: string; parameters: Schema; declaration: unknown; brief: boolean }) {
  const compared = useMemo(() => {
    const declared = declaredSchema(declaration);
    return declared === undefined ? undefined : compareDeclaration(parameters, declared);
  }, [parameters, declaration]);
  return (
    <section class="card declaration" aria-label={name}>
      <header class="declaration-head">
        <h2>{name}</h2>
        <CopyButton text={() => JSON.stringify(declaration, null, 2)} label={`Copy the declaration for ${name}`} />
        <p class="small muted">{compared === undefined ? 'declares no parameters' : summary(compared.counts)}</p>
      </header>
      {compared === undefined ? null : (
        <ol class="declaration-lines">
          {(brief ? onlyMarked(compared.lines) : compared.lines).map((line, at) => (
            <LineView key={at} line={line} />
          ))}
        </ol>
      )}
    </section>
  );
}

function summary(counts: Record<Mark, number>): string {
  const parts = (['lost', 'described', 'rewritten', 'added'] as const).filter((mark) => counts[mark] > 0);
  if (parts.length === 0) return 'keeps everything';
  return parts.map((mark) => `${format.count(counts[mark])} ${MARK_WORDS[mark]}`).join(', ');
}

function LineView({ line }: { line: Line }) {
  return (
    <li class={`declaration-line depth-${Math.min(line.depth, 16)} line-${line.mark}`} title={line.note}>
      <code>{visible(line.text)}</code>
      {line.mark === 'kept' ? null : <mark class={`mark-${line.mark}`}>{MARK_WORDS[line.mark]}</mark>}
    </li>
  );
}
