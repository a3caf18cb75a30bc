// The facts of a tool: chips beside its name, and the full list with version, hash and source files.
import type { ToolDetail } from '@aileron/client';
import type { ComponentChildren } from 'preact';
import { clockOffset } from '../../app/session';
import { Chip } from '../../ui/chip';
import { CopyButton } from '../../ui/copy-button';
import { format } from '../../ui/format';
import { Json } from '../../ui/json/json';
import { visible } from '../../ui/visible';
import type { Json as JsonValue } from '../../schema-form/json';
import { toolsState } from './store';
import { EFFECT_WORDS } from './words';

type Spec = Record<string, JsonValue>;

export function FactChips({ id, spec }: { id: string; spec: Spec }) {
  const state = toolsState.value;
  const quarantine = state.is === 'ready' ? state.tools.find(({ tool }) => tool.id === id)?.tool.quarantine : undefined;
  return (
    <span class="row">
      <Chip>{String(spec.category ?? '')}</Chip>
      <Chip tone={spec.sideEffects === 'writes' ? 'person' : 'neutral'}>
        {EFFECT_WORDS[String(spec.sideEffects)] ?? String(spec.sideEffects)}
      </Chip>
      {spec.requiresConfirmation === true ? (
        <Chip tone="waits" icon="clock">
          asks the person
        </Chip>
      ) : null}
      <Chip>{modes(spec).join(', ')}</Chip>
      {quarantine ? (
        <Chip tone="refused" icon="block" title={`until ${format.exact(quarantine.until)}`}>
          {`quarantined: ${visible(quarantine.reason)}${leftWords(quarantine.until - Date.now() - clockOffset.value)}`}
        </Chip>
      ) : null}
    </span>
  );
}

function leftWords(left: number): string {
  return left > 0 ? `, ${format.duration(Math.ceil(left / 1000) * 1000)} left` : '';
}

function modes(spec: Spec): string[] {
  return Array.isArray(spec.allowedModes) ? spec.allowedModes.map(String) : [];
}

export function About({ tool, spec }: { tool: ToolDetail; spec: Spec }) {
  const { parameters: _parameters, jsonSchema: _jsonSchema, returns, description: _description, $schema: _schema, ...rest } = spec;
  return (
    <div class="tool-facts">
      <dl class="card facts">
        <Fact name="Version">{String(spec.version ?? '')}</Fact>
        <Fact name="Registry">
          <code>{tool.registryVersion}</code>
        </Fact>
        <Fact name="Hash">
          <code class="facts-hash">{tool.hash}</code> <CopyButton text={tool.hash} label="Copy the hash" />
        </Fact>
        <Fact name="Handler">
          {tool.handler.kind}
          {tool.handler.trusted ? ', trusted code: it has the rights of the server' : ''}
        </Fact>
        <Fact name="Source files">
          {tool.handler.files.length === 0
            ? tool.handler.kind === 'native'
              ? 'compiled into the program'
              : 'not known to the server'
            : null}
          {tool.handler.files.map((file) => (
            <code class="facts-file" key={file}>
              {visible(file)}
            </code>
          ))}
        </Fact>
        <Fact name="Modes">{modes(spec).join(', ')}</Fact>
        <Fact name="Idempotent">{spec.idempotent === true ? 'yes: a call may be repeated' : 'no'}</Fact>
        <Fact name="Time budget">{typeof spec.latencyBudgetMs === 'number' ? format.duration(spec.latencyBudgetMs) : 'none'}</Fact>
      </dl>
      <div class="tool-facts-json">
        <p class="label">All fields of schema.json but the schemas</p>
        <Json value={rest} open={3} label="Fields of schema.json" />
        {returns === undefined ? null : (
          <>
            <p class="label">What it returns</p>
            <Json value={returns} open={2} label="Schema of the result" />
          </>
        )}
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
