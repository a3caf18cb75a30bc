// The command that repeats a call: `aileron call <tool> '<arguments>'`.
import type { Mode } from '@aileron/client';

export function callCommand(toolId: string, args: unknown, mode: Mode): string {
  const parts = ['aileron', 'call', shellWord(toolId), shellQuoted(JSON.stringify(args))];
  if (mode !== 'text') parts.push('--mode', mode);
  return parts.join(' ');
}

function shellWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : shellQuoted(text);
}

/** Single quotes keep everything as it is; a single quote inside ends them, stands escaped, and begins them again. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
