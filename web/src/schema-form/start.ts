// The value a form starts with: required members only. Defaults are the server's to fill in, so they are shown and not sent.

import { asSchema, type Json, type JsonObject, type Schema } from './json';
import { fieldOf } from './field';

/** Deeper required members are left for the person to add. */
const MAX_DEPTH = 6;

export function startValue(root: Schema, schema: Schema, depth = 0): Json {
  const { kind } = fieldOf(root, schema);
  switch (kind.is) {
    case 'object': {
      const value: JsonObject = {};
      if (depth >= MAX_DEPTH) return value;
      for (const property of kind.properties) {
        if (property.required) value[property.name] = startValue(root, property.schema, depth + 1);
      }
      return value;
    }
    case 'array': {
      const wanted = depth >= MAX_DEPTH ? 0 : Math.max(kind.min, kind.first.length);
      return Array.from({ length: wanted }, (_, index) => startValue(root, asSchema(kind.first[index] ?? kind.item), depth + 1));
    }
    case 'choices':
      return [];
    case 'choice':
      return kind.options[0] ?? null;
    case 'const':
      return kind.value;
    case 'text':
      return '';
    case 'number':
      return Math.max(kind.min ?? 0, Math.min(0, kind.max ?? 0));
    case 'boolean':
      return false;
    case 'union':
      return startValue(root, kind.branches[0]?.schema ?? {}, depth + 1);
    case 'json':
      return null;
  }
}
