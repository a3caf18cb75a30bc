// Citations: numbers, evidence, and sources that the text does not name.
import type { UIMessage, UIPart } from '@aileron/client';
import { expect, it } from 'vitest';
import { citationsOf, findRecord } from './citations';

const search = (results: unknown[]): UIPart => ({
  type: 'tool-kb_search',
  toolCallId: 'call-1',
  state: 'output-available',
  output: { results },
});
const text = (words: string): UIPart => ({ type: 'text', text: words });
const answer = (...parts: UIPart[]): UIMessage => ({ id: 'm', role: 'assistant', parts });

it('numbers records in the order of the text, each once', () => {
  const message = answer(
    search([
      { id: 'doc:a', title: 'A' },
      { id: 'person:b', title: 'B' },
    ]),
    text('x [person:b] y [record:doc:a] z [person:b]'),
  );
  expect([...citationsOf(message).numbers]).toEqual([
    ['person:b', 1],
    ['doc:a', 2],
  ]);
});

it('an id that no call returned is not a citation', () => {
  expect(citationsOf(answer(text('see [doc:made_up]'))).numbers.size).toBe(0);
});

it('a later call adds fields to a record', () => {
  const message = answer(
    search([{ id: 'doc:a', title: 'A', snippet: 's' }]),
    search([{ id: 'doc:a', title: 'A', text: 'whole' }]),
    text('[doc:a]'),
  );
  expect(citationsOf(message).records.get('doc:a')?.fields).toMatchObject({ snippet: 's', text: 'whole' });
});

it('sources that the text does not name come after those it names', () => {
  const source: UIPart = { type: 'source-url', sourceId: 'doc:b', url: 'https://example.com/b', title: 'B' };
  const found = citationsOf(answer(search([{ id: 'doc:a', title: 'A' }]), text('[doc:a]'), source));
  expect(found.unnamed).toEqual(['doc:b']);
  expect(found.numbers.get('doc:b')).toBe(2);
});

it('results of any shape are ignored unless they are records', () => {
  const odd = answer(search([null, 3, { id: 1, title: 'x' }, { id: 'a' }]), {
    type: 'tool-x',
    toolCallId: 'c',
    state: 'output-available',
    output: 'text',
  });
  expect(citationsOf(odd).records.size).toBe(0);
});

it('finds the newest version of a record', () => {
  const messages = [answer(search([{ id: 'doc:a', title: 'Old' }])), answer(search([{ id: 'doc:a', title: 'New' }]))];
  expect(findRecord(messages, 'doc:a')?.title).toBe('New');
  expect(findRecord(messages, 'doc:b')).toBeUndefined();
});

it('an answer without ids cites by title in quotation marks', () => {
  const found = citationsOf(
    answer(
      search([
        { id: 'person:a', title: 'Ada' },
        { id: 'person:b', title: 'Ben' },
      ]),
      text('That is from “Ada”. Ben knows.'),
    ),
  );
  expect(found.unnamed).toEqual(['person:a']);
  expect(found.numbers.get('person:a')).toBe(1);
});
