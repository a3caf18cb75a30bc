// Turns of this tab and of others are told apart, and what was left out is noticed.
import { expect, it } from 'vitest';
import { OwnTurns } from './own-turns';

it('a turn that was asked for here is ours, also after its end', () => {
  const turns = new OwnTurns();
  turns.begin(3);
  expect(turns.isOwn(3)).toBe(true);
  expect(turns.end()).toBe(false);
  expect(turns.isOwn(3)).toBe(true);
});

it('a turn that begins while nothing runs here is of others', () => {
  const turns = new OwnTurns();
  turns.begin(3);
  turns.end();
  expect(turns.isOwn(4)).toBe(false);
});

it('of two turns at the same time neither is taken for ours, and the thread has to be loaded', () => {
  const turns = new OwnTurns();
  turns.begin(3);
  expect([turns.isOwn(3), turns.isOwn(4)]).toEqual([true, false]);
  expect(turns.end()).toBe(true);
  expect([turns.isOwn(3), turns.isOwn(4)]).toEqual([false, false]);
});

it('a late event of the turn before is not taken for one of others', () => {
  const turns = new OwnTurns();
  turns.begin(3);
  turns.end();
  turns.begin(4);
  expect([turns.isOwn(3), turns.isOwn(4)]).toEqual([true, true]);
  expect(turns.end()).toBe(false);
});

it('a request that continues a turn takes the first number that is reported', () => {
  const turns = new OwnTurns();
  turns.begin();
  expect(turns.isOwn(7)).toBe(true);
  expect(turns.end()).toBe(false);
});

it('what was left out is reported once', () => {
  const turns = new OwnTurns();
  turns.begin(3);
  turns.miss();
  expect(turns.end()).toBe(true);
  turns.begin(4);
  expect(turns.end()).toBe(false);
});

it('an answer to a confirmation that waits for the running one ends with it', () => {
  const turns = new OwnTurns();
  turns.begin(3);
  turns.begin();
  turns.miss();
  expect([turns.end(), turns.end()]).toEqual([false, true]);
});

it('the number that a failed request expected may be of others', () => {
  const turns = new OwnTurns();
  turns.begin(3);
  expect(turns.end('failed')).toBe(false);
  expect(turns.isOwn(3)).toBe(false);
});
