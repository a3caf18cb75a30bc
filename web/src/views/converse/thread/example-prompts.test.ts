// Examples fit the tools that are there.
import type { ToolSummary } from '@aileron/client';
import { expect, it } from 'vitest';
import { examplesFor } from './example-prompts';

const tool = (id: string, description = `Do ${id}. More words.`): ToolSummary => ({
  id,
  description,
  version: '1',
  summary: '',
  category: 'utility',
  sideEffects: 'none',
  idempotent: true,
  modes: ['text'],
  requiresConfirmation: false,
  latencyBudgetMs: 1,
  hash: '',
});
const texts = (...tools: ToolSummary[]) => examplesFor(tools).map(({ text }) => text);

it('known tools have known examples', () => {
  expect(texts(tool('kb_search'), tool('image_generate'), tool('other'))).toEqual([
    'Who runs the lighting review?',
    'Draw me a lighthouse at dusk',
    'What can you do?',
  ]);
});

it('other tools are described by their first sentence', () => {
  expect(texts(tool('search_issues', 'Search the issues of a repository. Returns ranked issues.'))).toEqual([
    'Search the issues of a repository',
    'What can you do?',
  ]);
});

it('no tools are known yet: no examples, so that nothing jumps', () => {
  expect(texts()).toEqual([]);
});
