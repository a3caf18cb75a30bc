// Ranks items by the weighted mean of their keys, each key scaled to 0..1 over the items given.
import { ErrorType, ToolError } from 'aileron';
import { parseInstant } from '../_lib/datetime.js';

export async function execute({ args }) {
  const { items, keys } = args;
  requireUnique(
    items.map(({ id }) => id),
    'item id',
  );
  requireUnique(
    keys.map(({ key }) => key),
    'key',
  );
  const scales = keys.map((key) => scaleOf(key, items));
  const scored = items.map((item) => ({ id: item.id, score: scoreOf(item, scales) }));
  const order = scored.sort((a, b) => b.score - a.score);
  const ranked = order.slice(0, args.limit ?? order.length).map((item, index) => ({ rank: index + 1, ...item }));
  return { ok: true, data: { ranked } };
}

function scaleOf({ key, weight = 1, prefer = 'high' }, items) {
  const values = items.map((item) => valueOf(item, key)).filter((value) => value !== undefined);
  if (values.length === 0) throw refusal(`no item has a value for the key "${key}"`, 'check how the key is spelled');
  return { key, weight, prefer, low: Math.min(...values), high: Math.max(...values) };
}

function valueOf(item, key) {
  const entry = item.values.find((value) => value.key === key);
  return entry?.number ?? (entry?.time ? parseInstant(entry.time) : undefined);
}

/** Rounded, so that a tie is a tie and not a matter of the last bit. */
function scoreOf(item, scales) {
  const total = scales.reduce((sum, { weight }) => sum + weight, 0);
  const sum = scales.reduce((part, scale) => part + scale.weight * scaled(item, scale), 0);
  return Math.round((sum / total) * 1e6) / 1e6;
}

function scaled(item, { key, prefer, low, high }) {
  const value = valueOf(item, key);
  if (value === undefined) return 0;
  if (high === low) return 1;
  const share = (value - low) / (high - low);
  return prefer === 'high' ? share : 1 - share;
}

function requireUnique(names, what) {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw refusal(`the ${what} "${repeated}" appears twice`, `give each ${what} once`);
}

function refusal(message, suggestion) {
  return new ToolError(ErrorType.PERMANENT, message, { retryable: false, partialSideEffects: false, suggestion });
}
