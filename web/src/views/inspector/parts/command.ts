// The command that repeats a call: `aileron call <tool> '<arguments>'`.
import type { CallRecord, Mode } from '@aileron/client';

export function callCommand(call: CallRecord, mode: Mode): string {
  const args = JSON.stringify(call.argsSent ?? {});
  const parts = ['aileron', 'call', shellWord(call.toolId), shellQuoted(args)];
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
