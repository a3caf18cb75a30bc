// A tool for one test file: the files of its folder in the project.

export interface TestTool {
  /** Further fields of `schema.json`, and those that differ from a harmless tool. */
  spec: Record<string, unknown>;
  /** Example arguments, for the guide. */
  example: Record<string, unknown>;
  /** The handler's module. */
  handler: string;
}

/** Files by path, as the stage takes them. */
export function toolFiles(id: string, { spec, example, handler }: TestTool): Record<string, string> {
  const folder = `tools/${id.replaceAll('_', '-')}`;
  const names = Object.keys(example).map((name) => `\`${name}\``).join(', ');
  const guide = `# ${id}\nUse it in tests only. It takes ${names}.\n## Examples\n~~~json\n${JSON.stringify(example)}\n~~~\n`;
  return {
    [`${folder}/schema.json`]: JSON.stringify({ ...HARMLESS, toolId: id, ...spec }),
    [`${folder}/guide.md`]: guide,
    [`${folder}/handler.js`]: `// A handler for a test.\n${handler}\n`,
    [`${folder}/cases.json`]: JSON.stringify([{ name: 'the example', args: example, expect: { ok: true } }]),
  };
}

/** One text as an object of parameters. */
export function texts(...names: string[]): Record<string, unknown> {
  const text = (name: string) => [name, { type: 'string', description: `The ${name.replaceAll('_', ' ')}`, maxLength: 200 }];
  return { type: 'object', additionalProperties: false, required: names, properties: Object.fromEntries(names.map(text)) };
}

const HARMLESS = {
  version: '1.0.0',
  description: 'A tool for a test of the page.',
  category: 'utility',
  sideEffects: 'none',
  idempotent: true,
  requiresConfirmation: false,
  allowedModes: ['text', 'voice'],
  latencyBudgetMs: 2000,
};
