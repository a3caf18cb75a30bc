// Blocks: who is blocked, for how long, and the button by which an operator lifts a block.
import { useEffect, useState } from 'preact/hooks';
import { aileron } from '../../api';
import { subscribe } from '../../app/live';
import { clockOffset, isOperator } from '../../app/session';
import { Button } from '../../ui/button';
import { useNow } from '../../ui/clock';
import { faultOf } from '../../ui/fault';
import { format } from '../../ui/format';
import { ErrorState } from '../../ui/states';
import { Time } from '../../ui/time';
import { useLoad } from '../../ui/use-load';
import { visible } from '../../ui/visible';

export function Blocks() {
  const { data, error, reload, change } = useLoad('blocks', (signal) => aileron.blocks({ signal }));
  useEffect(() => {
    const ends = [subscribe('blocked', reload), subscribe('unblocked', reload), subscribe('reset', reload)];
    return () => ends.forEach((end) => end());
  }, [reload]);
  const lifted = (user: string) => change(({ blocks }) => ({ blocks: blocks.filter((block) => block.user !== user) }));
  if (data === undefined && error === undefined) return null;
  if (data === undefined && faultOf(error).status === 403) return null;
  return (
    <section class="card figure" aria-labelledby="blocks">
      <h2 id="blocks">Blocked people</h2>
      {data === undefined ? <ErrorState title="The blocks could not be loaded" error={error} onRetry={reload} /> : null}
      {data?.blocks.length === 0 ? <p class="figure-empty muted small">Nobody is blocked</p> : null}
      {data && data.blocks.length > 0 ? (
        <table class="table blocks">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Until</th>
              <th scope="col" class="right">
                Time left
              </th>
              <th scope="col">
                <span class="hidden-text">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.blocks.map(({ user, until }) => (
              <Row key={user} user={user} until={until} onLifted={() => lifted(user)} />
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}

function Row({ user, until, onLifted }: { user: string; until: number; onLifted: () => void }) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const left = until - useNow() - clockOffset.value;

  async function lift() {
    setState({ busy: true });
    try {
      await aileron.liftBlock(user);
      onLifted();
    } catch (error) {
      if (faultOf(error).status === 404) onLifted();
      else setState({ busy: false, error });
    }
  }

  return (
    <tr>
      <th scope="row">{user === 'local' ? 'the local person' : visible(user)}</th>
      <td>
        <Time at={until} />
      </td>
      <td class="right">{left > 0 ? format.left(left) : 'over'}</td>
      <td class="right">
        {state.error === undefined ? null : (
          <span class="blocks-error" role="alert">
            {faultOf(state.error).message}
          </span>
        )}
        {isOperator.value ? (
          <Button size="small" busy={state.busy} onClick={() => void lift()}>
            Lift
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
