// Turns of stored messages, of messages sent from here, and of their answers.
import type { UIMessage } from '@aileron/client';
import { expect, it } from 'vitest';
import { lastTurn, turnsOf, withVoiceTurns } from './turns';

const stored = (id: string, role: UIMessage['role'], turn?: number): UIMessage => ({ id, role, parts: [], metadata: { turn } });

it('answers have the turn of the message before them', () => {
  const messages = [stored('a', 'user', 1), stored('b', 'assistant', 1), stored('c', 'user'), stored('d', 'assistant')];
  expect([...turnsOf(messages, new Map([['c', 2]]))]).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 2],
    ['d', 2],
  ]);
});

it('a message of an unknown turn has none, and neither has its answer', () => {
  expect(turnsOf([stored('a', 'user', 1), stored('c', 'user'), stored('d', 'assistant')], new Map()).has('d')).toBe(false);
});

it('the last turn is the highest one known', () => {
  expect(lastTurn([stored('a', 'user', 4)], new Map([['x', 9]]), 3)).toBe(4);
  expect(lastTurn([], new Map(), 3)).toBe(3);
});

it('messages of a voice session count on from the turn before it', () => {
  const spoken = [stored('a', 'assistant'), stored('b', 'user'), stored('c', 'assistant'), stored('d', 'user')];
  expect([...withVoiceTurns(spoken, 4, new Map())]).toEqual([
    ['b', 5],
    ['d', 6],
  ]);
});
