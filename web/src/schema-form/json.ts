// JSON values and schemas as TypeScript types, with the few operations that the form needs on them.

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** A JSON Schema in its object form; boolean schemas are turned into `{}` or `{ not: {} }`. */
export type Schema = JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep equality. The order of an object's members does not count. */
export function equal(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equal(item, b[index] as Json));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && equal(a[name] as Json, b[name] as Json));
}

/** The text that the JSON side of the form shows. */
export function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}

/** A schema member as a schema; absent and malformed ones accept everything. */
export function asSchema(value: Json | undefined): Schema {
  if (value === false) return { not: {} };
  return isObject(value) ? value : {};
}

/** A schema member as a list of schemas. */
export function asSchemas(value: Json | undefined): Schema[] {
  return Array.isArray(value) ? value.map(asSchema) : [];
}

export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
