// The groups of the list of conversations.
import type { Conversation } from '@aileron/client';
import { expect, it } from 'vitest';
import { groupByDay } from './days';

const at = (id: string, updatedAt?: number): Conversation => ({
  id,
  mode: 'text',
  registryVersion: '1',
  turn: 1,
  state: { is: 'active' },
  voice: 'off',
  updatedAt,
});

it('groups by day and keeps the order', () => {
  const now = new Date(2026, 5, 15, 12).getTime();
  const hour = 3_600_000;
  const list = [at('a', now - hour), at('b', now - 13 * hour), at('c', now - 60 * hour), at('d', now - 900 * hour), at('e')];
  expect(groupByDay(list, now).map((group) => [group.title, ...group.conversations.map(({ id }) => id)])).toEqual([
    ['Today', 'a'],
    ['Yesterday', 'b'],
    ['Last seven days', 'c'],
    ['Older', 'd'],
    ['Conversations', 'e'],
  ]);
});
