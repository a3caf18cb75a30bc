// Losses of declarations: found in place, told apart by kind.
import { expect, test } from 'vitest';
import type { Schema } from '../../schema-form/json';
import { compareDeclaration, declaredSchema, type Line, onlyMarked } from './losses';

const PARAMETERS: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['query'],
  properties: {
    query: { type: 'string', description: 'What to look for', minLength: 1, maxLength: 64 },
    kind: { const: 'a', description: 'Fixed' },
    to: { oneOf: [{ type: 'string' }, { $ref: '#/$defs/address' }] },
  },
  $defs: { address: { type: 'object', properties: { city: { type: 'string', pattern: '^[A-Z]' } } } },
};

const marked = (lines: Line[]) => lines.filter((line) => line.mark !== 'kept').map((line) => [line.mark, line.text.trim(), line.keyword]);

test('the same schema loses nothing, and capital types are the same types', () => {
  expect(marked(compareDeclaration(PARAMETERS, PARAMETERS).lines)).toEqual([]);
  const capitals: Schema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } };
  expect(marked(compareDeclaration({ type: 'object', properties: { a: { type: 'string' } } }, capitals).lines)).toEqual([]);
});

test('dropped, described and rewritten keywords are marked in place', () => {
  const declared: Schema = {
    type: 'object',
    required: ['query'],
    properties: {
      query: { type: 'string', description: 'What to look for. 1 to 64 characters.' },
      kind: { enum: ['a'], description: 'Fixed' },
      to: { anyOf: [{ type: 'string' }, { type: 'object', properties: { city: { type: 'string' } } }] },
    },
  };
  const { lines, counts } = compareDeclaration(PARAMETERS, declared);
  expect(marked(lines)).toEqual([
    ['lost', '"additionalProperties": false', 'additionalProperties'],
    ['described', '"minLength": 1', 'minLength'],
    ['described', '"maxLength": 64', 'maxLength'],
    ['rewritten', '"enum": ["a"]', 'const'],
    ['rewritten', '"anyOf": [', 'oneOf'],
    ['lost', '"pattern": "^[A-Z]"', 'pattern'],
    ['rewritten', '"$defs": …', '$defs'],
  ]);
  expect(counts).toMatchObject({ lost: 2, described: 2, rewritten: 3, added: 0 });
});

test('a property that is missing and a keyword that was added are said', () => {
  const { lines } = compareDeclaration(
    { type: 'object', properties: { a: { type: 'string' }, b: {} } },
    { type: 'object', properties: { a: { type: 'string', nullable: true } } },
  );
  expect(marked(lines)).toEqual([
    ['added', '"nullable": true', 'nullable'],
    ['lost', '"b": {}', 'b'],
  ]);
});

test('a recursive schema ends', () => {
  const tree: Schema = { type: 'object', properties: { next: { $ref: '#' } } };
  const written: Schema = { type: 'object', properties: { next: { type: 'object', properties: { next: { type: 'object' } } } } };
  expect(() => compareDeclaration(tree, written)).not.toThrow();
});

test('the schema is found in the declaration of every target', () => {
  for (const key of ['parameters', 'input_schema', 'inputSchema', 'parametersJsonSchema']) {
    expect(declaredSchema({ name: 'x', [key]: { type: 'object' } })).toEqual({ type: 'object' });
  }
  expect(declaredSchema({ type: 'function', function: { parameters: { type: 'object' } } })).toEqual({ type: 'object' });
  expect(declaredSchema({})).toBeUndefined();
});

test('only the losses are shown with the members they are in', () => {
  const canonical: Schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', pattern: 'x' } } };
  const declared: Schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
  const shown = onlyMarked(compareDeclaration(canonical, declared).lines);
  expect(shown.map((line) => line.text)).toEqual(['{', '"properties": {', '"b": {', '"pattern": "x"']);
});
