// Examples from guides and cases.
import { expect, test } from 'vitest';
import { examplesOf } from './examples';

const GUIDE = `# kb_search

## Examples

Who leads the lighting work?

\`\`\`json
{ "query": "lighting lead" }
\`\`\`

Active \`projects\`, as a list:

\`\`\`json
{
  "query": "automation"
}
\`\`\`

Not arguments:

\`\`\`text
{ "results": [] }
\`\`\`

\`\`\`json
not json
\`\`\`
`;

test('JSON blocks of the guide are named by the line before them', () => {
  expect(examplesOf(GUIDE, [])).toEqual([
    { from: 'guide', name: 'Who leads the lighting work?', args: { query: 'lighting lead' } },
    { from: 'guide', name: 'Active projects, as a list', args: { query: 'automation' } },
  ]);
});

test('cases follow with their mode; malformed ones are left out', () => {
  expect(examplesOf('', [{ name: 'voice gets three', mode: 'voice', args: { top_k: 10 } }, { name: 'no args' }, 7])).toEqual([
    { from: 'case', name: 'voice gets three', args: { top_k: 10 }, mode: 'voice' },
  ]);
});
