// The limits of a field in a few words, shown beside it before anything is wrong.

import { asNumber, asText, type Schema } from './json';

export function limitsOf(schema: Schema): string[] {
  const words: string[] = [];
  range(words, schema, 'minLength', 'maxLength', 'characters');
  range(words, schema, 'minItems', 'maxItems', 'items');
  range(words, schema, 'minimum', 'maximum', '');
  const above = asNumber(schema.exclusiveMinimum);
  const below = asNumber(schema.exclusiveMaximum);
  const step = asNumber(schema.multipleOf);
  if (above !== undefined) words.push(`more than ${above}`);
  if (below !== undefined) words.push(`less than ${below}`);
  if (step !== undefined) words.push(`a multiple of ${step}`);
  if (schema.uniqueItems === true) words.push('all different');
  const format = asText(schema.format);
  const pattern = asText(schema.pattern);
  if (format !== undefined) words.push(format);
  if (pattern !== undefined) words.push(`matches ${pattern}`);
  return words;
}

function range(words: string[], schema: Schema, low: string, high: string, unit: string): void {
  const min = asNumber(schema[low]);
  const max = asNumber(schema[high]);
  const tail = unit === '' ? '' : ` ${unit}`;
  if (min !== undefined && max !== undefined) words.push(min === max ? `exactly ${min}${tail}` : `${min} to ${max}${tail}`);
  else if (min !== undefined && (min > 0 || unit === '')) words.push(`at least ${min}${tail}`);
  else if (max !== undefined) words.push(`at most ${max}${tail}`);
}
