// Descriptions of thrown values, and the errors that capabilities throw.

import { fileURLToPath } from 'node:url';

export const LONGEST_TEXT = 4096;
const LONGEST_STACK = 8192;
const LONGEST_DETAILS = 65536;

const [, , , sourceRoot] = process.argv;

/** The faults of capabilities by the errors that were made of them, which a handler may change. */
const faults = new WeakMap();

/** JSON text of a value. Lone surrogates, which UTF-8 cannot express, become U+FFFD. */
export function encoded(value) {
  const text = JSON.stringify(value);
  if (!text?.includes('\\ud')) return text;
  return text.replace(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/g, (escape, surrogate) => (surrogate ? '\\ufffd' : escape));
}

/** The error of a capability, with the stack of the place where it was called. */
export function capabilityError(fault, place) {
  const error = new Error(fault.message);
  Object.defineProperty(error, 'name', { value: 'CapabilityError', configurable: true, writable: true });
  error.code = fault.code;
  error.stack = `CapabilityError: ${fault.message}\n${(place.stack ?? '').split('\n').slice(1).join('\n')}`;
  faults.set(error, { fault, stack: ownStack(place) });
  return error;
}

/** A fault that this side finds, in fixed text. */
export function refusal(message) {
  return { code: 'REFUSED', message, is_diagnosis: true };
}

/** A thrown value as JSON text. The result is a description even if its getters throw. */
export function described(thrown) {
  const type = typeof thrown;
  if (thrown === null || (type !== 'object' && type !== 'function')) {
    return encoded({ kind: 'error', name: thrown === null ? 'null' : type, message: asText(thrown) });
  }
  const known = faults.get(thrown);
  if (known) return encoded({ kind: 'capability', ...known });
  const name = asText(read(thrown, 'name'));
  const message = asText(read(thrown, 'message'));
  if (name === 'ToolError' && typeof read(thrown, 'type') === 'string') return encoded(toolError(thrown, message));
  return encoded({ kind: 'error', name, message, stack: ownStack(thrown) });
}

/** The description of a result that is no JSON. */
export function unreadable(message) {
  return encoded({ kind: 'unreadable', message });
}

/** Why a handler cannot be loaded. */
export function loadFault(thrown) {
  const message = asText(read(thrown, 'message')) || asText(thrown);
  const code = read(thrown, 'code');
  const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(message);
  if ((code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && missing && !/^[./]/.test(missing[1])) {
    return { kind: 'package', package: packageName(missing[1]), message };
  }
  const name = asText(read(thrown, 'name'));
  const kind = name === 'SyntaxError' ? 'syntax' : 'top_level';
  return { kind, message: name ? `${name}: ${message}` : message, stack: ownStack(thrown) };
}

/** The package of a specifier: `@scope/name/file` is in `@scope/name`. */
function packageName(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function toolError(thrown, message) {
  const flag = (name) => (typeof read(thrown, name) === 'boolean' ? read(thrown, name) : undefined);
  const suggestion = read(thrown, 'suggestion');
  return {
    kind: 'tool',
    type: asText(read(thrown, 'type')),
    message,
    retryable: flag('retryable'),
    partialSideEffects: flag('partialSideEffects'),
    idempotencyRequired: flag('idempotencyRequired'),
    suggestion: typeof suggestion === 'string' ? cut(suggestion, LONGEST_TEXT) : undefined,
    details: asJson(read(thrown, 'details')),
  };
}

/** The frames of a stack that are in the toolset, with paths below the tools folder. */
function ownStack(error) {
  const lines = asText(read(error, 'stack'), LONGEST_STACK).split('\n').map((line) => line.trim());
  const own = lines.flatMap((line, index) => {
    // The stack of a SyntaxError begins with the place in the file, without a frame.
    const place = /^at (?:(.*) \()?(?:file:\/\/)?(\/.*?):(\d+):(\d+)\)?$/.exec(line)
      ?? (index === 0 ? /^()(?:file:\/\/)?(\/.*?):(\d+)()$/.exec(line) : null);
    const path = place && decoded(place[2]);
    if (!path?.startsWith(`${sourceRoot}/`)) return [];
    const name = place[1] ? `${place[1]} (` : '(';
    const column = place[4] ? `:${place[4]}` : '';
    return [`at ${name}${path.slice(sourceRoot.length + 1)}:${place[3]}${column})`];
  });
  return own.join('\n');
}

function decoded(path) {
  try {
    return fileURLToPath(`file://${path}`);
  } catch {
    return path;
  }
}

export function read(object, key) {
  try {
    return object?.[key];
  } catch {
    return undefined;
  }
}

export function asText(value, longest = LONGEST_TEXT) {
  try {
    return value === undefined ? '' : cut(String(value), longest);
  } catch {
    return '';
  }
}

function asJson(value) {
  try {
    const text = JSON.stringify(value);
    return text?.length <= LONGEST_DETAILS ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

export function cut(text, longest) {
  return text.slice(0, longest).toWellFormed();
}
