// The share of each registry.
import { expect, test } from 'vitest';
import { sharesOf } from './shares';

test('shares are percentages of all conversations', () => {
  const registries = [
    { version: 'a', conversations: 30 },
    { version: 'b', conversations: 10 },
    { version: 'c', conversations: 0 },
  ];
  expect([...sharesOf(registries)]).toEqual([
    ['a', '75 %'],
    ['b', '25 %'],
    ['c', '0 %'],
  ]);
});

test('without conversations there are none', () => {
  expect(sharesOf([{ version: 'a', conversations: 0 }]).size).toBe(0);
  expect(sharesOf([{ version: 'a' }]).size).toBe(0);
});
