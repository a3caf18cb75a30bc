// The alternative: a builder as one would write it in Node today. It reads each tool, compiles
// its parameters with Ajv, validates the guide's examples, looks for `execute`, makes two
// declarations and writes one JSON file with a hash. It checks far less than aileron does.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const [tools, out] = process.argv.slice(2);
const REQUIRED = [
  'toolId', 'version', 'description', 'category', 'sideEffects', 'idempotent',
  'requiresConfirmation', 'allowedModes', 'latencyBudgetMs', 'parameters',
];

// One instance for all tools: to make one costs more than to compile a schema with it.
const ajv = addFormats(new Ajv({ allErrors: true, strict: true, addUsedSchema: false }));

function toGemini(schema) {
  const { type, description, enum: options, properties, required, items } = schema;
  const result = { type: type?.toUpperCase(), description, enum: options, required };
  if (properties) {
    result.properties = Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, toGemini(v)]));
  }
  if (items) result.items = toGemini(items);
  return result;
}

function examples(guide) {
  return [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => JSON.parse(match[1]));
}

function build(directory) {
  const read = (name) => readFileSync(join(tools, directory, name), 'utf8');
  const schema = JSON.parse(read('schema.json'));
  for (const field of REQUIRED) if (!(field in schema)) throw new Error(`${directory}: no ${field}`);
  const validate = ajv.compile(schema.parameters);
  const guide = read('guide.md');
  for (const example of examples(guide)) if (!validate(example)) throw new Error(`${directory}: bad example`);
  JSON.parse(read('cases.json'));
  const handler = read('handler.js');
  if (!/export\s+(async\s+)?function\s+execute/.test(handler)) throw new Error(`${directory}: no execute`);
  const { toolId: name, description, parameters } = schema;
  const providerSchemas = {
    openai: { type: 'function', name, description, parameters },
    geminiNative: { name, description, parameters: toGemini(parameters) },
  };
  return { ...schema, providerSchemas, documentation: guide, handler };
}

const started = performance.now();
const built = readdirSync(tools).sort().map(build);
const hash = createHash('sha256').update(JSON.stringify(built)).digest('hex');
writeFileSync(out, JSON.stringify({ version: `1.0.${hash.slice(0, 8)}`, tools: built }));
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, peakKb: process.resourceUsage().maxRSS }));
