// ToolRow: one tool of the catalogue, as a link to its page.
import type { ToolSummary } from '@aileron/client';
import { paths } from '../../app/router';
import { Chip } from '../../ui/chip';
import { visible } from '../../ui/visible';

/** Links keep the filters, so that the list stays as it is. */
export function ToolRow({ tool, here, search }: { tool: ToolSummary; here: boolean; search: string }) {
  const filters = new URLSearchParams(search);
  for (const name of ['tab', 'against', 'args', 'run']) filters.delete(name);
  const tail = filters.toString();
  return (
    <a
      class={here ? 'tool-row tool-row-here' : 'tool-row'}
      href={paths.tool(tool.id) + (tail === '' ? '' : `?${tail}`)}
      aria-current={here ? 'page' : undefined}
    >
      <span class="tool-row-name mono">{tool.id}</span>
      <span class="tool-row-chips">
        {tool.quarantine ? (
          <Chip tone="refused" icon="block">
            quarantined
          </Chip>
        ) : null}
        {tool.requiresConfirmation ? (
          <Chip tone="waits" icon="clock" title="Every call needs the approval of the person">
            asks
          </Chip>
        ) : null}
        <Chip title={`Category: ${tool.category}`}>{tool.category}</Chip>
        {tool.sideEffects === 'writes' ? <Chip tone="person">writes</Chip> : null}
        <span class="tool-row-modes small muted">{tool.modes.join(', ')}</span>
      </span>
      <span class="tool-row-about small muted" title={visible(tool.description)}>
        {visible(tool.description)}
      </span>
    </a>
  );
}
