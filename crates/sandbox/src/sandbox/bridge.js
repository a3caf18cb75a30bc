// Carries one call into a tool and its outcome out again. Only JSON text crosses, in both directions.

const { parse, stringify } = JSON;
const { call } = Function.prototype;
const { keys } = Object;
const { defineProperty, get } = Reflect;
const HostPromise = Promise;
const wellFormed = call.bind(String.prototype.toWellFormed);
const slice = call.bind(String.prototype.slice);
const startsWith = call.bind(String.prototype.startsWith);
const join = call.bind(Array.prototype.join);
const remember = call.bind(Map.prototype.set);
const recall = call.bind(Map.prototype.get);
const map = call.bind(Array.prototype.map);

const LONGEST_TEXT = 4096;
const LONGEST_STACK = 8192;
const LONGEST_DETAILS = 65536;

/** When no error object fits into memory any more, the engine throws null, or a value that has no type. */
const OUT_OF_MEMORY = '{"kind":"memory"}';

/** The engine's messages when memory runs out; the last one if it cannot even pass a text on. */
const NO_ROOM = ['out of memory', 'string too long', 'QuickJS library created a unknown error'];

/** The faults of capabilities by the errors that were made of them, which a tool may change. */
const faults = new Map();

export function bridge(native) {
  const waiting = { __proto__: null };
  let offers = surface(native);
  define(globalThis, 'console', consoleFor(native));

  /** A sandbox is for one tool: what it may use is there before its call comes. */
  function equip(capabilities) {
    offers = { __proto__: null, ...offers, ...bound(capabilities, native, waiting) };
  }

  function start(execute, { args, context }) {
    const inner = { ...context, ...offers, args };
    run(execute, { ...inner, context: inner }, native);
  }

  function settle(id, failed, value) {
    const promise = waiting[id];
    delete waiting[id];
    if (failed) promise?.reject(capabilityError(value, promise.place));
    else promise?.resolve(value);
  }

  return { __proto__: null, equip, start, settle, describe: (thrown) => describe(thrown, 'error') };
}

function define(object, name, value) {
  defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
}

/** Tells the host how `execute` ended. A value that is no JSON is told apart from an error that was thrown. */
async function run(execute, input, native) {
  let value;
  try {
    value = await execute(input);
  } catch (thrown) {
    report(thrown, 'error', native);
    return;
  }
  try {
    const text = stringify(value);
    if (text === undefined) native.unreadable(`execute returned ${typeof value}`);
    else native.done(text);
  } catch (thrown) {
    report(thrown, 'unreadable', native);
  }
}

function report(thrown, kind, native) {
  try {
    native.failed(describe(thrown, kind));
  } catch {
    native.speechless();
  }
}

/** The members of every context besides its data and its capabilities. */
function surface(native) {
  return {
    now: () => native.now(),
    progress: (update) => native.progress(stringify(update) ?? 'null'),
    partial: (data) => native.partial(stringify(data) ?? 'null'),
    signal: signalFor(native),
  };
}

/** The call ends at once when it is cancelled, so a listener is accepted and never called. */
function signalFor(native) {
  return {
    get aborted() {
      return native.stopped();
    },
    throwIfAborted() {
      if (native.stopped()) throw new Error('the call was cancelled');
    },
    addEventListener() {},
    removeEventListener() {},
  };
}

function bound(capabilities, native, waiting) {
  const objects = { __proto__: null };
  for (const { name, methods, sync } of capabilities) {
    const object = {};
    for (const method of methods) object[method] = waits(name, method, native, waiting);
    for (const method of sync) object[method] = answers(name, method, native);
    objects[name] = object;
  }
  return objects;
}

function waits(capability, method, native, waiting) {
  return (...args) =>
    new HostPromise((resolve, reject) => {
      const id = requested(capability, method, args, native);
      // By the time it fails, nothing on the stack tells where it was called.
      waiting[id] = { resolve, reject, place: stackHere() };
    });
}

/** The number of a request; a refusal is thrown. */
function requested(capability, method, args, native) {
  const answer = parse(native.request(capability, method, stringify(args)));
  if (typeof answer === 'number') return answer;
  throw capabilityError(answer.fault, stackHere());
}

function answers(capability, method, native) {
  return (...args) => {
    const { fault, value } = parse(native.requestSync(capability, method, stringify(args)));
    if (fault) throw capabilityError(fault, stackHere());
    return value;
  };
}

/** A tool may have changed what a stack is. */
function stackHere() {
  return asText(read(new Error(), 'stack'), LONGEST_STACK);
}

function capabilityError(fault, stack) {
  const error = new Error(fault.message);
  define(error, 'name', 'CapabilityError');
  define(error, 'stack', stack);
  error.code = fault.code;
  remember(faults, error, { fault, stack });
  return error;
}

function consoleFor(native) {
  const lines = {};
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    lines[level] = (...values) => native.log(level, cut(join(map(values, printed), ' '), LONGEST_TEXT));
  }
  return lines;
}

function printed(value) {
  try {
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof Error) return String(value.stack || value);
    return stringify(value) ?? String(value);
  } catch {
    return '[unprintable]';
  }
}

/** The thrown value, as JSON text. The result is a description even if its getters throw. */
function describe(thrown, kind) {
  const type = typeof thrown;
  if (thrown === null || type === 'unknown') return OUT_OF_MEMORY;
  if (type !== 'object' && type !== 'function') return described({ kind, name: type, message: asText(thrown) });
  const name = asText(read(thrown, 'name'));
  const message = asText(read(thrown, 'message'));
  if (name === 'InternalError' && isWantOfRoom(message)) return OUT_OF_MEMORY;
  const known = kind === 'error' ? recall(faults, thrown) : undefined;
  if (known) return described({ kind: 'capability', ...known });
  if (kind === 'error' && name === 'ToolError' && typeof read(thrown, 'type') === 'string') {
    return described(toolError(thrown, message));
  }
  return described({ kind, name, message, stack: asText(read(thrown, 'stack'), LONGEST_STACK) });
}

/** The message is empty when there was no memory for one. */
function isWantOfRoom(message) {
  for (let index = 0; index < NO_ROOM.length; index += 1) {
    if (startsWith(message, NO_ROOM[index])) return true;
  }
  return message === '';
}

function toolError(thrown, message) {
  return {
    kind: 'tool',
    type: asText(read(thrown, 'type')),
    message,
    retryable: asFlag(read(thrown, 'retryable')),
    partialSideEffects: asFlag(read(thrown, 'partialSideEffects')),
    idempotencyRequired: asFlag(read(thrown, 'idempotencyRequired')),
    suggestion: asOptionalText(read(thrown, 'suggestion')),
    details: asJson(read(thrown, 'details')),
  };
}

function described(fields) {
  const plain = { __proto__: null };
  for (const key of keys(fields)) plain[key] = fields[key];
  return stringify(plain);
}

function read(object, key) {
  try {
    return get(object, key);
  } catch {
    return undefined;
  }
}

/** A text that is one already can only fail for want of memory, which is for the caller to know. */
function asText(value, longest = LONGEST_TEXT) {
  try {
    return value === undefined ? '' : cut(String(value), longest);
  } catch (failure) {
    if (typeof value === 'string') throw failure;
    return '';
  }
}

function asOptionalText(value) {
  return typeof value === 'string' ? cut(value, LONGEST_TEXT) : undefined;
}

function asFlag(value) {
  return typeof value === 'boolean' ? value : undefined;
}

/** Details that are no JSON, or too much of it, are left out rather than hide the error itself. */
function asJson(value) {
  try {
    const text = stringify(value);
    return text?.length <= LONGEST_DETAILS ? parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function cut(text, longest) {
  return wellFormed(slice(text, 0, longest));
}
