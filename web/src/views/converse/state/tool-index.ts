// Summaries of the tools by id: budgets, side effects and what they are for. Loaded once, and again with a new registry.
import { signal } from '@preact/signals';
import type { ToolSummary } from '@aileron/client';
import { aileron } from '../../../api';
import { subscribe } from '../../../app/live';

export const toolIndex = signal<ReadonlyMap<string, ToolSummary>>(new Map());

let requested = false;

export function loadToolIndex(): void {
  if (requested) return;
  requested = true;
  void load();
  subscribe('registry_loaded', () => void load());
}

async function load(): Promise<void> {
  try {
    const { tools } = await aileron.tools();
    toolIndex.value = new Map(tools.map((tool) => [tool.id, tool]));
  } catch {
    // Lines of calls are shown without budgets; the next view of a conversation asks again.
    requested = false;
  }
}
