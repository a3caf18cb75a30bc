// The command that repeats a call survives quotes.
import { expect, it } from 'vitest';
import { callCommand } from './call-command';

it.each([
  ['kb_search', { query: 'x' }, 'text', `aileron call kb_search '{"query":"x"}'`],
  ['kb_search', { query: "it's $HOME" }, 'voice', `aileron call kb_search '{"query":"it'\\''s $HOME"}' --mode voice`],
  ['a b', {}, 'text', `aileron call 'a b' '{}'`],
] as const)('%#', (tool, args, mode, command) => {
  expect(callCommand(tool, args, mode)).toBe(command);
});
