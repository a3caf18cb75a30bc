// The tools of the loaded registry, loaded once and again when another registry is loaded.
import { signal } from '@preact/signals';
import { aileron } from '../../api';
import { subscribe } from '../../app/live';
import { prepare, type Searchable } from './catalogue';

export type ToolsState =
  { is: 'loading' } | { is: 'ready'; registryVersion: string; tools: readonly Searchable[] } | { is: 'failed'; error: unknown };

export const toolsState = signal<ToolsState>({ is: 'loading' });

export async function loadTools(): Promise<void> {
  try {
    const { registryVersion, tools } = await aileron.tools();
    toolsState.value = { is: 'ready', registryVersion, tools: prepare(tools) };
  } catch (error) {
    if (toolsState.peek().is !== 'ready') toolsState.value = { is: 'failed', error };
  }
}

/** Loads the tools and follows the event stream until the returned function is called. */
export function openTools(): () => void {
  void loadTools();
  const ends = [subscribe('registry_loaded', () => void loadTools()), subscribe('reset', () => void loadTools())];
  return () => ends.forEach((end) => end());
}
