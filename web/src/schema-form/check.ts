// Hints while typing: the same faults in the same words as the server's, for what can be told from one
// value alone. The server decides; this only saves a round trip.

import { asNumber, asSchema, asText, equal, isObject, type Json, type Schema } from './json';
import { join } from './pointer';
import { names, resolve } from './resolve';
import { branchFor, hasType, type Branch } from './union';
import { fieldOf, typesOf } from './field';
import type { Fault } from './fault';

/** More are not listed while typing. */
const MAX_FAULTS = 100;
/** A found value is shown up to this length, as the server does. */
const SHOWN_CHARS = 60;
/** More allowed values than this are not listed. */
const SHOWN_OPTIONS = 20;

const TYPE_NAMES: Record<string, string> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

const FORMATS: Record<string, { pattern: RegExp; words: string }> = {
  'date-time': {
    pattern: /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
    words: 'a date-time such as 2026-01-31T09:30:00Z',
  },
  date: { pattern: /^\d{4}-\d\d-\d\d$/, words: 'a date such as 2026-01-31' },
  time: { pattern: /^\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/, words: 'a time such as 09:30:00Z' },
  duration: { pattern: /^P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?)$/, words: 'a duration such as PT30M' },
  email: { pattern: /^[^\s@]+@[^\s@]+$/, words: 'an email address' },
  uri: { pattern: /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/, words: 'a URI such as https://example.com/' },
  uuid: { pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, words: 'a UUID' },
};

/** The faults of a value, in the order of its members. */
export function check(root: Schema, value: Json): Fault[] {
  const faults: Fault[] = [];
  checkAt(root, root, value, '', faults);
  return faults;
}

function checkAt(root: Schema, schema: Schema, value: Json, pointer: string, faults: Fault[]): void {
  if (faults.length >= MAX_FAULTS) return;
  const own = resolve(root, schema);
  const say = (message: string): void => void faults.push({ pointer, message });
  if (value === null && fieldOf(root, own).nullable) return;
  if (own.const !== undefined && !equal(own.const, value)) return say(`expected ${shown(own.const)}, found ${shown(value)}`);
  if (Array.isArray(own.enum) && !own.enum.some((option) => equal(option, value))) {
    return say(`expected one of ${listed(own.enum)}, found ${shown(value)}`);
  }
  if (!hasType(own, value)) {
    return say(
      `expected ${typesOf(own)
        .map((type) => TYPE_NAMES[type] ?? type)
        .join(' or ')}, found ${typeName(value)}`,
    );
  }
  const { kind } = fieldOf(root, own);
  if (kind.is === 'union') return checkUnion(root, kind.branches, value, pointer, faults);
  if (typeof value === 'string') textFaults(own, value).forEach(say);
  else if (typeof value === 'number') numberFaults(own, value).forEach(say);
  else if (Array.isArray(value)) checkArray(root, own, value, pointer, faults);
  else if (isObject(value)) checkObject(root, own, value, pointer, faults);
}

function checkUnion(root: Schema, branches: Branch[], value: Json, pointer: string, faults: Fault[]): void {
  const branch = branches[branchFor(root, branches, value)];
  if (branch !== undefined) checkAt(root, branch.schema, value, pointer, faults);
}

function textFaults(schema: Schema, value: string): string[] {
  const faults: string[] = [];
  const length = [...value].length;
  const min = asNumber(schema.minLength);
  const max = asNumber(schema.maxLength);
  if (min !== undefined && length < min) faults.push(`expected at least ${min} characters, found ${length}`);
  if (max !== undefined && length > max) faults.push(`expected at most ${max} characters, found ${length}`);
  const pattern = asText(schema.pattern);
  if (pattern !== undefined && misses(pattern, value)) {
    faults.push(`expected text that matches ${JSON.stringify(pattern)}, found ${shown(value)}`);
  }
  const format = FORMATS[asText(schema.format) ?? ''];
  if (format !== undefined && !format.pattern.test(value)) faults.push(`expected ${format.words}, found ${shown(value)}`);
  return faults;
}

/** Whether a text does not match. A pattern that this browser cannot read is left to the server. */
function misses(pattern: string, value: string): boolean {
  try {
    return !new RegExp(pattern, 'u').test(value);
  } catch {
    return false;
  }
}

function numberFaults(schema: Schema, value: number): string[] {
  const faults: string[] = [];
  const limits: [string, string, (limit: number) => boolean][] = [
    ['minimum', 'at least', (limit) => value < limit],
    ['maximum', 'at most', (limit) => value > limit],
    ['exclusiveMinimum', 'more than', (limit) => value <= limit],
    ['exclusiveMaximum', 'less than', (limit) => value >= limit],
    ['multipleOf', 'a multiple of', (step) => Math.abs(value / step - Math.round(value / step)) > 1e-9],
  ];
  for (const [keyword, words, broken] of limits) {
    const limit = asNumber(schema[keyword]);
    if (limit !== undefined && broken(limit)) faults.push(`expected ${words} ${limit}, found ${value}`);
  }
  return faults;
}

function checkArray(root: Schema, schema: Schema, value: Json[], pointer: string, faults: Fault[]): void {
  const min = asNumber(schema.minItems);
  const max = asNumber(schema.maxItems);
  if (min !== undefined && value.length < min) {
    faults.push({ pointer, message: `expected at least ${min} items, found ${value.length}` });
  }
  if (max !== undefined && value.length > max) {
    faults.push({ pointer, message: `expected at most ${max} items, found ${value.length}` });
  }
  if (schema.uniqueItems === true && hasRepeated(value)) faults.push({ pointer, message: 'expected items that are all different' });
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  value.forEach((item, index) => {
    checkAt(root, asSchema(first[index] ?? schema.items), item, join(pointer, index), faults);
  });
}

function hasRepeated(items: Json[]): boolean {
  return items.some((item, index) => items.slice(0, index).some((earlier) => equal(earlier, item)));
}

function checkObject(root: Schema, schema: Schema, value: { [name: string]: Json }, pointer: string, faults: Fault[]): void {
  const properties = asSchema(schema.properties);
  for (const name of names(schema.required)) {
    if (!Object.hasOwn(value, name)) faults.push({ pointer, message: `\`${name}\` is required` });
  }
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0 && schema.additionalProperties === false) {
    const words = unknown.length === 1 ? 'unknown property' : 'unknown properties';
    faults.push({ pointer, message: `${words} ${unknown.map((name) => `\`${name}\``).join(', ')}` });
  }
  for (const [name, inner] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) checkAt(root, asSchema(properties[name]), inner, join(pointer, name), faults);
  }
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return TYPE_NAMES[typeof value] ?? 'an object';
}

function listed(options: Json[]): string {
  const words = options.slice(0, SHOWN_OPTIONS).map((option) => JSON.stringify(option));
  if (options.length > SHOWN_OPTIONS) words.push(`… (${options.length} in all)`);
  return words.join(', ');
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
