// Search and filters over the tools of a registry. Pure; the text of each tool is prepared once.
import type { ToolSummary } from '@aileron/client';

export interface Filters {
  words: string;
  category: string;
  effects: string;
  mode: string;
  confirmation: string;
  quarantine: string;
}

export interface Searchable {
  tool: ToolSummary;
  id: string;
  text: string;
}

export function prepare(tools: readonly ToolSummary[]): Searchable[] {
  return tools.map((tool) => ({ tool, id: tool.id.toLowerCase(), text: `${tool.id} ${tool.description} ${tool.summary}`.toLowerCase() }));
}

export function filtersOf(query: URLSearchParams): Filters {
  const field = (name: string) => query.get(name) ?? '';
  return {
    words: field('q'),
    category: field('category'),
    effects: field('effects'),
    mode: field('mode'),
    confirmation: field('confirmation'),
    quarantine: field('quarantine'),
  };
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The tools that fit all filters and contain every word; those whose id fits best come first. */
export function search(tools: readonly Searchable[], filters: Filters): ToolSummary[] {
  const words = filters.words.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = tools.filter(({ tool, text }) => fits(tool, filters) && words.every((word) => text.includes(word)));
  if (words.length === 0) return fitting.map(({ tool }) => tool);
  const ranked = fitting.map((entry) => ({ tool: entry.tool, rank: rank(entry.id, words) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ tool }) => tool);
}

function fits(tool: ToolSummary, filters: Filters): boolean {
  if (filters.category !== '' && tool.category !== filters.category) return false;
  if (filters.effects !== '' && tool.sideEffects !== filters.effects) return false;
  if (filters.mode !== '' && !tool.modes.some((mode) => mode === filters.mode)) return false;
  if (filters.confirmation !== '' && tool.requiresConfirmation !== (filters.confirmation === 'yes')) return false;
  return filters.quarantine === '' || Boolean(tool.quarantine) === (filters.quarantine === 'yes');
}

/** 0: the id itself; 1: its beginning; 2: inside of it; 3: only in the description. */
function rank(id: string, words: readonly string[]): number {
  const whole = words.join('_');
  if (id === whole) return 0;
  if (id.startsWith(whole)) return 1;
  return words.every((word) => id.includes(word)) ? 2 : 3;
}
