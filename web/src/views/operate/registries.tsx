// Registries: which ones are loaded, how many conversations each has, and the rules by which new ones get them.
import type { RegistrySummary } from '@aileron/client';
import { useEffect, useState } from 'preact/hooks';
import { aileron } from '../../api';
import { subscribe } from '../../app/live';
import { paths } from '../../app/router';
import { isOperator } from '../../app/session';
import { Button } from '../../ui/button';
import { faultOf } from '../../ui/fault';
import { format } from '../../ui/format';
import { Notice } from '../../ui/notice';
import { ErrorState } from '../../ui/states';
import { useLoad } from '../../ui/use-load';
import { visible } from '../../ui/visible';
import { sharesOf } from './shares';

export function Registries() {
  const { data, error, reload } = useLoad('registries', (signal) => aileron.registries({ signal }));
  useEffect(() => {
    const ends = [subscribe('registry_loaded', reload), subscribe('reset', reload)];
    return () => ends.forEach((end) => end());
  }, [reload]);
  if (data === undefined && error === undefined) return null;
  return (
    <section class="card figure" aria-labelledby="registries">
      <h2 id="registries">Registries</h2>
      {data === undefined ? <ErrorState title="The registries could not be loaded" error={error} onRetry={reload} /> : null}
      {data ? <Rows registries={data.registries} /> : null}
      {data?.assignment ? (
        <>
          {data.assignment.warnings.map((warning) => (
            <Notice key={warning} tone="waits">
              {visible(warning)}
            </Notice>
          ))}
          <ol class="small registries-rules" aria-label="Rules for new conversations">
            {data.assignment.rules.map((rule) => (
              <li key={rule.number}>{visible(rule.text)}</li>
            ))}
          </ol>
          <p class="muted small">
            {data.assignment.rules.length === 0
              ? 'Every new conversation has the default registry.'
              : 'The first rule that matches decides about a new conversation; otherwise it has the default registry.'}
          </p>
        </>
      ) : null}
      {isOperator.value ? <ReadAgain onDone={reload} /> : null}
    </section>
  );
}

function Rows({ registries }: { registries: RegistrySummary[] }) {
  const shares = sharesOf(registries);
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Version</th>
          <th scope="col" class="right">
            Tools
          </th>
          <th scope="col" class="right">
            Conversations
          </th>
          <th scope="col" class="right">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {registries.map((registry) => (
          <tr key={registry.version}>
            <th scope="row">{registry.names.length > 0 ? registry.names.map(visible).join(', ') : 'earlier conversations only'}</th>
            <td>
              {registry.current ? (
                <code>{registry.version}</code>
              ) : (
                <a class="mono" href={`${paths.tools}?against=${encodeURIComponent(registry.version)}`}>
                  {registry.version}
                </a>
              )}
            </td>
            <td class="right">{registry.tools}</td>
            <td class="right">{registry.conversations ?? ''}</td>
            <td class="right">{shares.get(registry.version) ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ReadAgain({ onDone }: { onDone: () => void }) {
  const [state, setState] = useState<{ busy: boolean; said?: string; error?: unknown }>({ busy: false });

  async function read() {
    setState({ busy: true });
    try {
      const { changed, rules } = await aileron.reloadRegistries();
      setState({ busy: false, said: changed ? `In force: ${format.plural(rules, 'rule')}.` : 'Nothing has changed.' });
      onDone();
    } catch (error) {
      setState({ busy: false, error });
    }
  }

  return (
    <p class="registries-again small">
      <Button size="small" busy={state.busy} onClick={() => void read()}>
        Read the settings again
      </Button>{' '}
      <span role="status">{state.said ?? ''}</span>
      {state.error === undefined ? null : <span role="alert">{faultOf(state.error).message}</span>}
    </p>
  );
}
