// The form model: what kind of control a schema needs, and the facts that stand beside it.

import { asNumber, asSchema, asSchemas, asText, isObject, type Json, type Schema } from './json';
import { names, resolve } from './resolve';
import { branchesOf, type Branch } from './union';

export type Kind =
  | { is: 'object'; properties: Property[]; others: Schema | null }
  | { is: 'array'; item: Schema; first: Schema[]; min: number; max: number }
  | { is: 'choices'; options: Json[] }
  | { is: 'choice'; options: Json[] }
  | { is: 'const'; value: Json }
  | { is: 'text'; format?: string; long: boolean }
  | { is: 'number'; integer: boolean; min?: number; max?: number; step?: number }
  | { is: 'boolean' }
  | { is: 'union'; branches: Branch[] }
  | { is: 'json' };

export interface Property {
  name: string;
  required: boolean;
  schema: Schema;
}

export interface Field {
  kind: Kind;
  /** The resolved schema, for limits and checks. */
  schema: Schema;
  title?: string;
  description?: string;
  default?: Json;
  examples: Json[];
  /** `null` is a value of its own beside those of `kind`. */
  nullable: boolean;
  deprecated: boolean;
}

/** Longer texts get several lines. */
const LONG_TEXT = 200;
/** More options than this are not shown as check boxes. */
const MAX_CHECK_BOXES = 24;

export function fieldOf(root: Schema, schema: Schema): Field {
  const own = resolve(root, schema);
  const title = asText(own.title);
  const description = asText(own.description);
  return {
    kind: kindOf(root, own),
    schema: own,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(own.default === undefined ? {} : { default: own.default }),
    examples: Array.isArray(own.examples) ? own.examples : [],
    nullable: isNullable(root, own),
    deprecated: own.deprecated === true,
  };
}

/** The types that a schema names; none means any. */
export function typesOf(schema: Schema): string[] {
  const type = schema.type;
  return typeof type === 'string' ? [type] : names(type);
}

function isNullable(root: Schema, schema: Schema): boolean {
  if (typesOf(schema).includes('null') && typesOf(schema).length > 1) return true;
  if (schema.nullable === true) return true;
  const parts = [...asSchemas(schema.anyOf), ...asSchemas(schema.oneOf)];
  return parts.length > 1 && parts.some((part) => isNull(resolve(root, part)));
}

function isNull(schema: Schema): boolean {
  return schema.const === null || (typesOf(schema).length === 1 && typesOf(schema)[0] === 'null');
}

function kindOf(root: Schema, schema: Schema): Kind {
  if (schema.const !== undefined) return { is: 'const', value: schema.const };
  if (Array.isArray(schema.enum)) {
    return { is: 'choice', options: schema.enum.filter((option) => option !== null) };
  }
  const parts = [...asSchemas(schema.oneOf), ...asSchemas(schema.anyOf)];
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (parts.length > 0 && !isConditionOnly(parts)) return unionOf(root, schema, parts);
  if (types.length > 1) {
    const branches = types.map((type) => ({ ...schema, type }));
    return { is: 'union', branches: branchesOf(root, branches) };
  }
  return plainKind(root, schema, types[0] ?? implied(schema));
}

/** Whether the alternatives only say which members must be given together: the form stays one. */
function isConditionOnly(parts: Schema[]): boolean {
  return parts.every((part) => Object.keys(part).every((keyword) => keyword === 'required'));
}

function unionOf(root: Schema, schema: Schema, parts: Schema[]): Kind {
  const { oneOf: _one, anyOf: _any, description: _description, title: _title, default: _default, ...shared } = schema;
  const forms = parts.filter((part) => !isNull(resolve(root, part)));
  const whole = forms.map((part) => withShared(resolve(root, part), shared));
  if (whole.length === 1) return kindOf(root, whole[0] as Schema);
  if (whole.every((part) => part.const !== undefined)) {
    return { is: 'choice', options: whole.map((part) => part.const as Json) };
  }
  return { is: 'union', branches: branchesOf(root, whole) };
}

/** An alternative with the members that stand beside the union. */
function withShared(part: Schema, shared: Schema): Schema {
  const merged: Schema = { ...shared, ...part };
  if (isObject(shared.properties) && isObject(part.properties)) {
    merged.properties = { ...shared.properties, ...part.properties };
  }
  if (shared.required !== undefined && part.required !== undefined) {
    merged.required = [...new Set([...names(shared.required), ...names(part.required)])];
  }
  return merged;
}

function implied(schema: Schema): string | undefined {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'object';
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array';
  if (schema.pattern !== undefined || schema.format !== undefined || schema.minLength !== undefined) return 'string';
  if (schema.minimum !== undefined || schema.maximum !== undefined) return 'number';
  return undefined;
}

function plainKind(root: Schema, schema: Schema, type: string | undefined): Kind {
  switch (type) {
    case 'object':
      return objectKind(schema);
    case 'array':
      return arrayKind(root, schema);
    case 'string':
      return textKind(schema);
    case 'integer':
    case 'number':
      return numberKind(schema, type === 'integer');
    case 'boolean':
      return { is: 'boolean' };
    case 'null':
      return { is: 'const', value: null };
    default:
      return { is: 'json' };
  }
}

function objectKind(schema: Schema): Kind {
  const required = names(schema.required);
  const properties = Object.entries(asSchema(schema.properties)).map(([name, inner]) => ({
    name,
    required: required.includes(name),
    schema: asSchema(inner),
  }));
  // The order of members is not kept on the way here: the required ones come first.
  properties.sort((a, b) => Number(b.required) - Number(a.required));
  const closed = schema.additionalProperties === false || schema.unevaluatedProperties === false;
  return { is: 'object', properties, others: closed ? null : asSchema(schema.additionalProperties) };
}

function arrayKind(root: Schema, schema: Schema): Kind {
  const item = asSchema(schema.items);
  const inner = resolve(root, item);
  if (Array.isArray(inner.enum) && schema.uniqueItems === true && inner.enum.length <= MAX_CHECK_BOXES) {
    return { is: 'choices', options: inner.enum };
  }
  const first = asSchemas(schema.prefixItems);
  const max = asNumber(schema.maxItems) ?? (schema.items === false ? first.length : Infinity);
  return { is: 'array', item, first, min: asNumber(schema.minItems) ?? 0, max };
}

function textKind(schema: Schema): Kind {
  const format = asText(schema.format);
  const long = format === undefined && schema.pattern === undefined && (asNumber(schema.maxLength) ?? 0) > LONG_TEXT;
  return { is: 'text', ...(format === undefined ? {} : { format }), long };
}

function numberKind(schema: Schema, integer: boolean): Kind {
  const min = asNumber(schema.minimum);
  const max = asNumber(schema.maximum);
  const step = asNumber(schema.multipleOf);
  return {
    is: 'number',
    integer,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(step === undefined ? {} : { step }),
  };
}
