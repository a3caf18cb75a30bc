// Cases: the tests of a tool, each with its arguments and what it expects.
import { paths } from '../../app/router';
import { EmptyState } from '../../ui/states';
import { Icon } from '../../ui/icon';
import { Json } from '../../ui/json/json';
import { visible } from '../../ui/visible';
import { isObject } from '../../schema-form/json';

export function Cases({ id, cases }: { id: string; cases: readonly unknown[] }) {
  if (cases.length === 0) {
    return (
      <EmptyState icon="list" title="This tool has no cases">
        <p>
          Try a call, then save it as a case. <code>aileron test</code> runs it from then on.
        </p>
      </EmptyState>
    );
  }
  return (
    <div class="cases">
      {cases.map((entry, at) => (
        <Case key={at} id={id} entry={entry} />
      ))}
    </div>
  );
}

function Case({ id, entry }: { id: string; entry: unknown }) {
  const fields = isObject(entry) ? entry : {};
  const name = typeof fields.name === 'string' ? fields.name : 'case';
  const link = `${paths.tool(id)}?args=${encodeURIComponent(JSON.stringify(fields.args ?? {}))}${fields.mode === 'voice' ? '&run=voice' : ''}`;
  return (
    <details class="card case">
      <summary>
        <Icon name="chevronRight" size={15} class="case-mark" />
        <span class="grow">{visible(name)}</span>
        {typeof fields.mode === 'string' ? <span class="small muted">{fields.mode}</span> : null}
      </summary>
      <p>
        <a href={link}>Try these arguments</a>
      </p>
      <Json value={entry} open={3} label={`Case: ${name}`} />
    </details>
  );
}
