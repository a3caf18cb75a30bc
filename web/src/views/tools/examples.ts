// Examples of arguments, one click away: the JSON blocks of the guide, and the cases of the tool.
import { isObject, type Json } from '../../schema-form/json';
import { parseJson } from '../../schema-form/parse';

export interface Example {
  from: 'guide' | 'case';
  name: string;
  args: Json;
  mode?: 'text' | 'voice';
}

const FENCE = /^```json[^\n]*\n([\s\S]*?)^```\s*$/gm;

export function examplesOf(guide: string, cases: readonly unknown[]): Example[] {
  return [...guideExamples(guide), ...cases.flatMap(caseExample)];
}

function guideExamples(guide: string): Example[] {
  const examples: Example[] = [];
  for (const match of guide.matchAll(FENCE)) {
    const parsed = parseJson(match[1] ?? '');
    if ('value' in parsed && isObject(parsed.value)) examples.push({ from: 'guide', name: lineBefore(guide, match.index), args: parsed.value });
  }
  return examples;
}

/** The last line of text before a block says what the example is for. */
function lineBefore(guide: string, end: number): string {
  const lines = guide
    .slice(0, end)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const line = lines.at(-1) ?? '';
  const words = line
    .replace(/^[#>*-]+\s*/, '')
    .replace(/[:：]$/, '')
    .replace(/[`*_]/g, '');
  return words === '' || line.startsWith('```') ? 'Example' : words;
}

function caseExample(entry: unknown): Example[] {
  if (!isObject(entry) || !isObject(entry.args)) return [];
  const mode = entry.mode === 'text' || entry.mode === 'voice' ? { mode: entry.mode as 'text' | 'voice' } : {};
  return [{ from: 'case', name: typeof entry.name === 'string' ? entry.name : 'case', args: entry.args, ...mode }];
}
