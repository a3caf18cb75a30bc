// How the palette ranks titles.
import { expect, it } from 'vitest';
import { best, rank } from './match';

it('the start of a title beats the start of a word, which beats the middle of one', () => {
  const titles = ['research', 'kb_search', 'search log'];
  expect(best(titles, (title) => title, 'search', 9)).toEqual(['search log', 'kb_search', 'research']);
});

it('letters in order match, scattered ones do not', () => {
  expect(rank('calendar_create_event', 'calcre')).toBeDefined();
  expect(rank('calendar_create_event', 'xyz')).toBeUndefined();
  expect(rank('kb_get', 'tegbk')).toBeUndefined();
});

it('every typed word has to match, in any order', () => {
  expect(rank('calendar_create_event', 'event create')).toBeDefined();
  expect(rank('calendar_create_event', 'event delete')).toBeUndefined();
});

it('nothing typed keeps the order', () => {
  expect(best(['b', 'a'], (title) => title, ' ', 1)).toEqual(['b']);
});

it('two letters have to stand together', () => {
  expect(rank('Can we talk about it?', 'kb')).toBeUndefined();
  expect(rank('kb_get', 'kb')).toBe(0);
});

it('a note counts after every title', () => {
  const items = [{ title: 'x', note: 'searches records' }, { title: 'records' }];
  expect(
    best(
      items,
      (item) => item.title,
      'records',
      9,
      (item) => item.note,
    ).map((item) => item.title),
  ).toEqual(['records', 'x']);
});
