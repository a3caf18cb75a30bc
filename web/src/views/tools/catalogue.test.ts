// Search and filters of the catalogue.
import type { ToolSummary } from '@aileron/client';
import { expect, test } from 'vitest';
import { type Filters, filtersOf, isFiltered, prepare, search } from './catalogue';

const tool = (id: string, more: Partial<ToolSummary> = {}): ToolSummary => ({
  id,
  version: '1.0.0',
  description: `Description of ${id}`,
  summary: '',
  category: 'retrieval',
  sideEffects: 'read_only',
  idempotent: true,
  modes: ['text', 'voice'],
  requiresConfirmation: false,
  latencyBudgetMs: 800,
  hash: 'h',
  ...more,
});

const TOOLS = prepare([
  tool('calendar_create_event', { category: 'action', sideEffects: 'writes', modes: ['text'], requiresConfirmation: true }),
  tool('kb_get', { description: 'Read one record after kb_search' }),
  tool('kb_search'),
  tool('send_image', { quarantine: { scope: 'tool', threadsHeld: 0, until: 0, reason: 'stuck' } }),
]);
const found = (query: string) => search(TOOLS, filtersOf(new URLSearchParams(query))).map(({ id }) => id);

test('without filters all tools keep their order', () => {
  expect(found('')).toEqual(['calendar_create_event', 'kb_get', 'kb_search', 'send_image']);
});

test('every word must occur, and ids that fit come first', () => {
  expect(found('q=kb+search')).toEqual(['kb_search', 'kb_get']);
  expect(found('q=EVENT')).toEqual(['calendar_create_event']);
  expect(found('q=nothing')).toEqual([]);
});

test('each filter narrows the list', () => {
  expect(found('category=action')).toEqual(['calendar_create_event']);
  expect(found('effects=writes')).toEqual(['calendar_create_event']);
  expect(found('mode=voice')).toEqual(['kb_get', 'kb_search', 'send_image']);
  expect(found('confirmation=yes')).toEqual(['calendar_create_event']);
  expect(found('quarantine=yes')).toEqual(['send_image']);
  expect(found('quarantine=no&q=kb')).toEqual(['kb_get', 'kb_search']);
});

test('2,500 tools are searched in a few milliseconds', () => {
  const many = prepare(Array.from({ length: 2500 }, (_, at) => tool(`area_${at % 9}_tool_${at}`)));
  const filters: Filters = filtersOf(new URLSearchParams('q=area+7&mode=voice'));
  const began = performance.now();
  expect(search(many, filters).length).toBeGreaterThan(200);
  expect(performance.now() - began).toBeLessThan(50);
  expect(isFiltered(filters)).toBe(true);
});
