// Local `$ref`s and `allOf` of a schema, resolved one level at a time: a recursive schema is followed
// only as deep as the value goes.

import { asSchema, asSchemas, isObject, type Json, type Schema } from './json';
import { read } from './pointer';

/** A chain of references longer than this refers to itself. */
const MAX_REFERENCES = 32;

/** The schema without `$ref` and `allOf` at its top level. */
export function resolve(root: Schema, schema: Schema): Schema {
  let here = schema;
  for (let step = 0; step < MAX_REFERENCES && typeof here.$ref === 'string'; step += 1) {
    const { $ref, ...beside } = here;
    here = { ...target(root, $ref), ...beside };
  }
  const { $ref: _cycle, allOf, ...own } = here;
  if (!Array.isArray(allOf)) return own;
  return asSchemas(allOf).reduce((all, part) => merge(all, resolve(root, part)), own);
}

function target(root: Schema, reference: string): Schema {
  if (!reference.startsWith('#')) return {};
  const pointer = decodeURIComponent(reference.slice(1));
  if (pointer === '' || pointer.startsWith('/')) return asSchema(read(root, pointer));
  const definitions = isObject(root.$defs) ? Object.values(root.$defs) : [];
  return asSchema(definitions.find((definition) => isObject(definition) && definition.$anchor === pointer));
}

/** Both schemas at once. Of limits that both set, the first one stands: the server checks both. */
function merge(one: Schema, other: Schema): Schema {
  const required = new Set([...names(one.required), ...names(other.required)]);
  const merged: Schema = { ...other, ...one };
  if (required.size > 0) merged.required = [...required];
  if (isObject(one.properties) || isObject(other.properties)) {
    merged.properties = { ...asSchema(one.properties), ...asSchema(other.properties) };
  }
  return merged;
}

/** A list of names, such as that of `required`. */
export function names(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
