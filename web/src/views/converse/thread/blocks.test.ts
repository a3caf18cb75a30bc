// Blocks keep their messages when older ones are loaded before them.
import type { UIMessage } from '@aileron/client';
import { expect, it } from 'vitest';
import { blocksOf, keysOf } from './blocks';

const messages = (from: number, to: number): UIMessage[] =>
  Array.from({ length: to - from }, (_, at) => ({ id: String(from + at), role: 'user', parts: [] }));
const grouped = (list: UIMessage[], anchor: number) =>
  ids(
    blocksOf(
      list,
      list.map(({ id }) => id),
      anchor,
      3,
    ),
  );
const ids = (blocks: ReturnType<typeof blocksOf>) => blocks.map((block) => block.messages.map((message) => message.id).join(' '));

it('groups messages', () => {
  expect(grouped(messages(0, 7), 0)).toEqual(['0 1 2', '3 4 5', '6']);
});

it('older messages come in blocks of their own', () => {
  expect(grouped(messages(5, 12), 0)).toEqual(['5 6 7', '8 9 10', '11']);
  expect(grouped(messages(1, 12), 4)).toEqual(['1', '2 3 4', '5 6 7', '8 9 10', '11']);
});

it('no messages, no blocks', () => {
  expect(grouped([], 0)).toEqual([]);
});

it('a streamed message and its stored version have the same key', () => {
  const turns = new Map([
    ['msg-1', 4],
    ['stored-9', 4],
    ['x', 4],
  ]);
  const one = (id: string): UIMessage => ({ id, role: 'assistant', parts: [] });
  expect(keysOf([one('msg-1')], turns)).toEqual(keysOf([one('stored-9')], turns));
  expect(keysOf([one('msg-1'), one('x'), one('unknown')], turns)).toEqual(['4 assistant', '4 assistant 1', 'unknown']);
});
