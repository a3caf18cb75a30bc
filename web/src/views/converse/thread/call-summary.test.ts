// The words in the line of a call.
import { describe, expect, it } from 'vitest';
import { errorWord, mainArgument, outcomeWord, resultWord } from './call-summary';

describe('the argument that matters', () => {
  it.each([
    [{ top_k: 4, query: 'Mira' }, '“Mira”'],
    [{ ids: ['a', 'b', 'c'] }, '3 ids'],
    [{ ids: ['person:ada'] }, 'person:ada'],
    [{ event_draft_id: 'draft-7' }, '“draft-7”'],
    [{ count: 2 }, 'count: 2'],
    [{ attendees: [], query: '', title: 'Review' }, '“Review”'],
    [{}, ''],
    [undefined, ''],
    ['not an object', 'not an object'],
  ])('%j', (args, expected) => {
    expect(mainArgument(args)).toBe(expected);
  });
});

describe('the result in a word', () => {
  it.each([
    [{ query_time_ms: 6, results: [1, 2, 3, 4, 5] }, '5 results'],
    [{ missing: [], results: [1] }, '1 result'],
    [{ missing: [], results: [] }, '0 results'],
    [{ slots: [1, 2, 3], attendees: '[redacted]' }, '3 slots'],
    [{ ignored_times: [1], slots: [1, 2, 3] }, '3 slots'],
    [{ shown: true, url: '/v1/images/1' }, 'shown'],
    [{ entries: [1] }, '1 entry'],
    [{ id: 'x' }, 'done'],
    [undefined, 'done'],
    [[1, 2], '2 items'],
  ])('%j', (output, expected) => {
    expect(resultWord(output)).toBe(expected);
  });
});

it('errors and outcomes are words', () => {
  expect(errorWord('VALIDATION: query is missing')).toBe('invalid arguments');
  expect(errorWord('SOME_NEW_KIND: x')).toBe('some new kind');
  expect(errorWord('it broke')).toBe('failed');
  expect(outcomeWord('refused:rate_limit')).toBe('refused by rate limit');
  expect(outcomeWord('timed_out')).toBe('timed out');
});
