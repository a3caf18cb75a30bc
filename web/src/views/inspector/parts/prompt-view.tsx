// The context of the model in a turn: the parts of the instructions with their tokens, declarations and history.
import type { TurnRecord } from '@aileron/client';
import { format } from '../../../ui/format';
import { Markdown } from '../../../ui/markdown/markdown';

export function PromptView({ turn }: { turn: TurnRecord }) {
  const { context, usage } = turn;
  if (!context) {
    return <p class="small muted">The context is known while the conversation is in the memory of the server. Write in it to see it.</p>;
  }
  const history = context.history === undefined ? [] : [{ name: 'history', tokens: context.history }];
  const rows = [...context.parts, { name: 'declarations of the tools', tokens: context.declarations }, ...history];
  const most = Math.max(1, ...rows.map((row) => row.tokens));
  const total = rows.reduce((sum, row) => sum + row.tokens, 0);
  return (
    <div class="prompt">
      <p class="small muted">As it is composed now. In the turn, the time, the mode or the tools may have been others.</p>
      <table class="table">
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td class="right">{format.count(row.tokens)}</td>
              <td class="prompt-share" aria-hidden="true">
                <meter min={0} max={most} value={row.tokens} />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">together, estimated</th>
            <td class="right">{format.count(total)}</td>
            <td />
          </tr>
        </tbody>
      </table>
      {usage ? (
        <p class="small muted num">
          The provider counted {format.count(usage.input)} tokens in and {format.count(usage.output)} out over all requests of the turn.
        </p>
      ) : null}
      {context.instructions ? (
        <details>
          <summary class="label">Instructions</summary>
          <Markdown text={context.instructions} />
        </details>
      ) : null}
    </div>
  );
}
