// The form model: kinds of fields, values kept in step with their text, and faults at their fields.
import { describe, expect, test } from 'vitest';
import { check } from './check';
import { faultsByField, serverFaults } from './fault';
import { fieldOf } from './field';
import { type Json, type Schema } from './json';
import { limitsOf } from './limits';
import { hasField } from './place';
import { join, read, split, write } from './pointer';
import { startValue } from './start';
import { editField, editText, formState } from './state';
import { branchFor } from './union';

const kind = (schema: Schema, root: Schema = schema) => fieldOf(root, schema).kind;

describe('kinds of fields', () => {
  const cases: [string, Schema, string][] = [
    ['text', { type: 'string' }, 'text'],
    ['enum', { type: 'string', enum: ['a', 'b'] }, 'choice'],
    ['const', { const: 7 }, 'const'],
    ['integer', { type: 'integer', minimum: 1 }, 'number'],
    ['boolean', { type: 'boolean' }, 'boolean'],
    ['object', { type: 'object', properties: { a: {} } }, 'object'],
    ['implied object', { properties: { a: {} } }, 'object'],
    ['array', { type: 'array', items: { type: 'string' } }, 'array'],
    ['distinct options', { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } }, 'choices'],
    ['union', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 'union'],
    ['several types', { type: ['string', 'integer'] }, 'union'],
    ['nullable text', { type: ['string', 'null'] }, 'text'],
    ['nullable by anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'number'],
    ['constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, 'choice'],
    ['conditions only', { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, 'object'],
    ['anything', {}, 'json'],
  ];
  test.each(cases)('%s', (_, schema, expected) => expect(kind(schema).is).toBe(expected));

  test('null beside another type makes a field nullable', () => {
    expect(fieldOf({}, { type: ['string', 'null'] }).nullable).toBe(true);
    expect(fieldOf({}, { anyOf: [{ type: 'integer' }, { type: 'null' }] }).nullable).toBe(true);
    expect(fieldOf({}, { type: 'string' }).nullable).toBe(false);
  });

  test('references and allOf are followed, siblings win', () => {
    const root: Schema = { $defs: { name: { type: 'string', description: 'inner', maxLength: 5 } } };
    const field = fieldOf(root, { $ref: '#/$defs/name', description: 'outer' });
    expect(field.kind.is).toBe('text');
    expect(field.description).toBe('outer');
    const both = kind(
      { allOf: [{ $ref: '#/$defs/a' }], properties: { b: {} }, required: ['b'] },
      { $defs: { a: { type: 'object', properties: { a: {} }, required: ['a'] } } },
    );
    expect(both).toMatchObject({
      is: 'object',
      properties: [
        { name: 'b', required: true },
        { name: 'a', required: true },
      ],
    });
  });

  test('a reference to itself ends', () => {
    const root: Schema = { $defs: { loop: { $ref: '#/$defs/loop' } } };
    expect(fieldOf(root, { $ref: '#/$defs/loop' }).kind.is).toBe('json');
    const tree: Schema = { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } };
    expect(() => startValue(tree, tree)).not.toThrow();
  });

  test('alternatives are named by title, tag, own members or type', () => {
    const schema: Schema = {
      oneOf: [
        { title: 'By id', type: 'object', properties: { id: { type: 'string' } } },
        { type: 'object', properties: { kind: { const: 'email' }, to: {} } },
        { type: 'object', properties: { phone: {} } },
        { type: 'string' },
      ],
    };
    const found = kind(schema);
    expect(found.is === 'union' && found.branches.map((branch) => branch.label)).toEqual(['By id', 'email', 'with phone', 'text']);
  });

  test('a value chooses its alternative', () => {
    const found = kind({
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, x: {} }, required: ['kind'] },
        { type: 'object', properties: { kind: { const: 'b' }, x: {} }, required: ['kind'] },
        { type: 'string' },
      ],
    });
    if (found.is !== 'union') throw new Error('not a union');
    const chosen = (value: Json) => branchFor({}, found.branches, value);
    expect([chosen({ kind: 'b' }), chosen({ kind: 'a', x: 1 }), chosen('text'), chosen(true)]).toEqual([1, 0, 2, 0]);
  });
});

describe('pointers', () => {
  test('names with slashes and tildes survive', () => {
    const pointer = join(join('', 'a/b'), '~c');
    expect(pointer).toBe('/a~1b/~0c');
    expect(split(pointer)).toEqual(['a/b', '~c']);
    expect(read({ 'a/b': { '~c': 3 } }, pointer)).toBe(3);
  });

  test('writing copies, creates and removes', () => {
    const before: Json = { a: [1, 2, 3], b: { c: 1 } };
    expect(write(before, '/a/1', undefined)).toEqual({ a: [1, 3], b: { c: 1 } });
    expect(write(before, '/b/d', 2)).toEqual({ a: [1, 2, 3], b: { c: 1, d: 2 } });
    expect(write(before, '/x/y', 1)).toEqual({ ...before, x: { y: 1 } });
    expect(before).toEqual({ a: [1, 2, 3], b: { c: 1 } });
  });

  test('the name __proto__ is a member like any other', () => {
    const value = write({}, '/__proto__', 1) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(read(value as Json, '/__proto__')).toBe(1);
    expect(read({}, '/__proto__')).toBeUndefined();
  });
});

describe('value and text', () => {
  test('a field edit renews the text', () => {
    const state = editField(formState({ a: 1 }), '/b', 'x');
    expect(state).toEqual({ value: { a: 1, b: 'x' }, text: '{\n  "a": 1,\n  "b": "x"\n}' });
  });

  test('a text edit renews the value and keeps the text as typed', () => {
    expect(editText(formState({}), '{ "a":1 }')).toEqual({ value: { a: 1 }, text: '{ "a":1 }' });
  });

  test('an unfinished text keeps the last value and says why', () => {
    const state = editText(formState({ a: 1 }), '{ "a": ');
    expect(state.value).toEqual({ a: 1 });
    expect(state.textFault?.message).toBe('expected JSON, found an incomplete text');
    expect(editText(state, '{\n  x }').textFault).toEqual({ message: 'expected JSON, found "x" at line 2, column 3', line: 2, column: 3 });
    expect(editText(state, ' ').textFault?.message).toBe('expected JSON, found nothing');
  });

  test('a form starts with its required members', () => {
    const schema: Schema = {
      type: 'object',
      required: ['to', 'when', 'kind', 'people'],
      properties: {
        to: { type: 'string' },
        when: { type: 'object', required: ['minutes'], properties: { minutes: { type: 'integer', minimum: 5 }, note: { type: 'string' } } },
        kind: { const: 'call' },
        people: { type: 'array', minItems: 1, items: { type: 'string' } },
        optional: { type: 'string', default: 'x' },
      },
    };
    expect(startValue(schema, schema)).toEqual({ to: '', when: { minutes: 5 }, kind: 'call', people: [''] });
  });
});

const SEARCH: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['query'],
  properties: {
    query: { type: 'string', minLength: 1 },
    namespace: { type: 'string', enum: ['studio', 'personal', 'public'] },
    filters: {
      type: 'object',
      additionalProperties: false,
      properties: { tags: { type: 'array', items: { type: 'string' }, maxItems: 5 } },
    },
    top_k: { type: 'integer', minimum: 1, maximum: 10 },
    return_fields: { type: 'array', uniqueItems: true, items: { type: 'string' } },
    since: { type: 'string', format: 'date-time' },
  },
};

describe('faults', () => {
  test('hints have the words of the server', () => {
    const value: Json = {
      query: '',
      namespace: 'x',
      filters: { tags: [1, 'a'], nope: 1 },
      top_k: 99,
      return_fields: ['url', 'url'],
      since: 'today',
    };
    expect(check(SEARCH, value)).toEqual([
      { pointer: '/query', message: 'expected at least 1 characters, found 0' },
      { pointer: '/namespace', message: 'expected one of "studio", "personal", "public", found "x"' },
      { pointer: '/filters', message: 'unknown property `nope`' },
      { pointer: '/filters/tags/0', message: 'expected a string, found a number' },
      { pointer: '/top_k', message: 'expected at most 10, found 99' },
      { pointer: '/return_fields', message: 'expected items that are all different' },
      { pointer: '/since', message: 'expected a date-time such as 2026-01-31T09:30:00Z, found "today"' },
    ]);
    expect(check(SEARCH, {})).toEqual([{ pointer: '', message: '`query` is required' }]);
    expect(check(SEARCH, { query: 'lighting', top_k: 3 })).toEqual([]);
  });

  test('a pattern that the browser cannot read is left to the server', () => {
    expect(check({ type: 'string', pattern: '(?<' }, 'x')).toEqual([]);
  });

  test('the faults of an answer are listed with their number', () => {
    const error = {
      type: 'VALIDATION',
      details: { total: 40, faults: [{ pointer: '/a', message: 'expected a string, found null', allowed: ['x'] }, 7] },
    };
    expect(serverFaults(error)).toEqual({
      total: 40,
      faults: [{ pointer: '/a', message: 'expected a string, found null', allowed: ['x'] }],
    });
    expect(serverFaults({ type: 'TRANSIENT', details: {} })).toBeUndefined();
    expect(serverFaults(null)).toBeUndefined();
  });

  test('each fault is at its field, or at the nearest parent that has one', () => {
    const fields = new Set(['', '/query', '/filters', '/filters/nope']);
    const placed = faultsByField(
      [
        { pointer: '', message: '`query` is required' },
        { pointer: '/filters', message: 'unknown properties `nope`, `gone`' },
        { pointer: '/filters/tags/0', message: 'expected a string, found a number' },
      ],
      { filters: { nope: 1 } },
      (pointer) => fields.has(pointer),
    );
    expect(Object.fromEntries(placed)).toEqual({
      '/query': ['`query` is required'],
      '/filters/nope': ['unknown properties `nope`, `gone`'],
      '/filters': ['/tags/0: expected a string, found a number'],
    });
  });
});

test('limits are said in a few words', () => {
  expect(limitsOf({ minLength: 1, maxLength: 64 })).toEqual(['1 to 64 characters']);
  expect(limitsOf({ minimum: 0 })).toEqual(['at least 0']);
  expect(limitsOf({ maxItems: 5, uniqueItems: true })).toEqual(['at most 5 items', 'all different']);
  expect(limitsOf({ format: 'email' })).toEqual(['email']);
  expect(limitsOf({ minItems: 2, maxItems: 2 })).toEqual(['exactly 2 items']);
});

test('a fault finds its field only where the form shows one', () => {
  const root: Schema = {
    type: 'object',
    properties: {
      filters: { type: 'object', additionalProperties: false, properties: { type: { type: 'string' } } },
      stops: { type: 'array', items: { type: 'object', properties: { city: { type: 'string' } } } },
      pay: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'card' }, last4: {} } },
          { type: 'object', properties: { kind: { const: 'bill' }, email: {} } },
        ],
      },
      fields: { type: 'array', uniqueItems: true, items: { enum: ['a'] } },
    },
  };
  const value: Json = { stops: [{}], pay: { kind: 'bill' }, fields: ['x'], filters: { extra: 1 } };
  const shown = (pointer: string) => hasField(root, value, pointer);
  expect(['', '/filters/type', '/filters/extra', '/stops/0/city', '/pay/email'].map(shown)).toEqual([true, true, true, true, true]);
  expect(['/nope', '/filters/gone', '/stops/1', '/pay/last4', '/fields/0'].map(shown)).toEqual([false, false, false, false, false]);
  expect(hasField(root, {}, '/filters/type')).toBe(false);
});

test('a text that is nested too deeply is a fault, and the value stays', () => {
  const before = formState({ a: 1 });
  const after = editText(before, '['.repeat(3000) + ']'.repeat(3000));
  expect(after.value).toEqual({ a: 1 });
  expect(after.textFault?.message).toBe('expected at most 64 levels of nesting, found more');
  expect(editText(before, JSON.stringify({ text: '[{'.repeat(500) })).textFault).toBeUndefined();
});
