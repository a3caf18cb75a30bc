// Unions: the name of each alternative, and which alternative a value belongs to.

import { asSchema, asText, equal, isObject, type Json, type Schema } from './json';
import { names, resolve } from './resolve';

export interface Branch {
  label: string;
  schema: Schema;
}

const TYPE_WORDS: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
  array: 'list',
  object: 'object',
};

/** The alternatives with names that differ. */
export function branchesOf(root: Schema, schemas: Schema[]): Branch[] {
  const resolved = schemas.map((schema) => resolve(root, schema));
  const labels = resolved.map((schema, index) => labelOf(schema, resolved) ?? `form ${index + 1}`);
  return resolved.map((schema, index) => {
    const label = labels[index] as string;
    const repeated = labels.indexOf(label) !== labels.lastIndexOf(label);
    return { label: repeated ? `${label} (${index + 1})` : label, schema };
  });
}

function labelOf(schema: Schema, all: Schema[]): string | undefined {
  const title = asText(schema.title);
  if (title !== undefined) return title;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const tag = tagOf(schema);
  if (tag !== undefined) return tag;
  const own = Object.keys(asSchema(schema.properties)).filter((name) =>
    all.every((other) => other === schema || !Object.hasOwn(asSchema(other.properties), name)),
  );
  if (own.length > 0) return `with ${own.slice(0, 2).join(', ')}`;
  return typeof schema.type === 'string' ? TYPE_WORDS[schema.type] : undefined;
}

/** The constant member by which alternatives are told apart, such as `"kind": "email"`. */
function tagOf(schema: Schema): string | undefined {
  for (const inner of Object.values(asSchema(schema.properties))) {
    if (!isObject(inner)) continue;
    const fixed = inner.const ?? (Array.isArray(inner.enum) && inner.enum.length === 1 ? inner.enum[0] : undefined);
    if (typeof fixed === 'string') return fixed;
  }
  return undefined;
}

/** The index of the alternative that fits the value best; the first if none does. */
export function branchFor(root: Schema, branches: Branch[], value: Json | undefined): number {
  if (value === undefined) return 0;
  let best = 0;
  let bestScore = -1;
  branches.forEach((branch, index) => {
    const score = fit(root, branch.schema, value);
    if (score > bestScore) [best, bestScore] = [index, score];
  });
  return best;
}

/** How well a value fits a schema: -1 if its type or a constant differs, else more for each known member. */
function fit(root: Schema, schema: Schema, value: Json): number {
  const own = resolve(root, schema);
  if (own.const !== undefined) return equal(own.const, value) ? 10 : -1;
  if (Array.isArray(own.enum)) return own.enum.some((option) => equal(option, value)) ? 10 : -1;
  if (!hasType(own, value)) return -1;
  if (!isObject(value)) return 1;
  const properties = asSchema(own.properties);
  let score = 1;
  for (const [name, inner] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) continue;
    const member = resolve(root, asSchema(properties[name]));
    if (member.const !== undefined && !equal(member.const, inner)) return -1;
    score += member.const !== undefined ? 10 : 1;
  }
  return names(own.required).every((name) => Object.hasOwn(value, name)) ? score + 2 : score;
}

/** Whether the value has one of the types of the schema. */
export function hasType(schema: Schema, value: Json): boolean {
  const types = typeof schema.type === 'string' ? [schema.type] : names(schema.type);
  return types.length === 0 || types.some((type) => isType(type, value));
}

function isType(type: string, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
