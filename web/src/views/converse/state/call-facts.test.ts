// Facts about calls: pieces of a result are kept once, in order and in bounded number.
import type { ServerEvent } from '@aileron/client';
import { expect, it } from 'vitest';
import { CallFactsTable } from './call-facts';

const event = (index: number): ServerEvent => ({ type: 'call_partial', callId: 'c', index, data: `piece ${index}` }) as ServerEvent;

it('keeps a piece once that both streams report, in order', () => {
  const table = new CallFactsTable();
  table.fromEvent(event(1));
  table.fromChunk({ type: 'data-partial', data: { toolCallId: 'c', index: 0, data: 'piece 0' } });
  table.fromChunk({ type: 'data-partial', data: { toolCallId: 'c', index: 1, data: 'piece 1' } });
  expect(table.of('c').pieces?.map(({ data }) => data)).toEqual(['piece 0', 'piece 1']);
});

it('keeps the newest pieces', () => {
  const table = new CallFactsTable();
  for (let index = 0; index < 80; index += 1) table.fromEvent(event(index));
  expect(table.of('c').pieces).toHaveLength(50);
  expect(table.of('c').pieces?.at(-1)?.index).toBe(79);
});
