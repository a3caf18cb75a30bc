// The command that repeats a call survives quotes.
import type { CallRecord } from '@aileron/client';
import { expect, it } from 'vitest';
import { callCommand } from './command';

const call = (toolId: string, argsSent: unknown): CallRecord => ({ callId: 'c', toolId, registryVersion: '1', trail: [], argsSent });

it.each([
  [call('kb_search', { query: 'x' }), 'text', `aileron call kb_search '{"query":"x"}'`],
  [call('kb_search', { query: "it's $HOME" }), 'voice', `aileron call kb_search '{"query":"it'\\''s $HOME"}' --mode voice`],
  [call('a b', undefined), 'text', `aileron call 'a b' '{}'`],
] as const)('%#', (record, mode, command) => {
  expect(callCommand(record, mode)).toBe(command);
});
