// Blocks keep their messages when older ones are loaded before them.
import type { UIMessage } from '@aileron/client';
import { expect, it } from 'vitest';
import { blocksOf } from './blocks';

const messages = (from: number, to: number): UIMessage[] => Array.from({ length: to - from }, (_, at) => ({ id: String(from + at), role: 'user', parts: [] }));
const ids = (blocks: ReturnType<typeof blocksOf>) => blocks.map((block) => block.messages.map((message) => message.id).join(' '));

it('groups messages', () => {
  expect(ids(blocksOf(messages(0, 7), 0, 3))).toEqual(['0 1 2', '3 4 5', '6']);
});

it('older messages come in blocks of their own', () => {
  expect(ids(blocksOf(messages(5, 12), 0, 3))).toEqual(['5 6 7', '8 9 10', '11']);
  expect(ids(blocksOf(messages(1, 12), 4, 3))).toEqual(['1', '2 3 4', '5 6 7', '8 9 10', '11']);
});

it('no messages, no blocks', () => {
  expect(blocksOf([], 0, 3)).toEqual([]);
});
