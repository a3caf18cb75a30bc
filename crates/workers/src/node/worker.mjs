// Runs Node.js handlers for an Aileron server. Speaks the worker protocol (docs/worker-protocol.md), version 1.

import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { formatWithOptions } from 'node:util';

const PROTOCOL = 1;
const LONGEST_TEXT = 4096;
const LONGEST_STACK = 8192;
const LONGEST_DETAILS = 65536;
const NEWLINE = 10;
const O_CLOEXEC = 0o2000000;

const [, , socketPath, sourceRoot, resultLimit] = process.argv;
const longestResult = Number(resultLimit);
const handlers = new Map();
const calls = new Map();
const faults = new WeakMap();
const current = new AsyncLocalStorage();

closeInherited();
patchConsole();
process.on('uncaughtException', (thrown) => stray(thrown, 'an exception was thrown outside of any call'));
process.on('unhandledRejection', (thrown) => stray(thrown, 'a promise was rejected and nothing handled it'));

const socket = connect(socketPath, () => {
  send({ type: 'hello', protocol: PROTOCOL, runtime: 'node', version: process.versions.node });
});
socket.on('error', () => process.exit(0));
socket.on('close', () => process.exit(0));
socket.on('data', lines(receive));

/** Descriptors that the server itself inherited; those of this process close on exec. */
function closeInherited() {
  let open;
  try {
    open = readdirSync('/proc/self/fdinfo');
  } catch {
    return;
  }
  for (const name of open) {
    const descriptor = Number(name);
    if (descriptor <= 2) continue;
    try {
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'));
      if (flags && (parseInt(flags[1], 8) & O_CLOEXEC) === 0) closeSync(descriptor);
    } catch {
      // The descriptor of the listing itself is gone by now.
    }
  }
}

function send(message) {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** Cuts a stream into lines. */
function lines(each) {
  let pieces = [];
  return (chunk) => {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      pieces.push(rest.subarray(0, at));
      const line = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      pieces = [];
      rest = rest.subarray(at + 1);
      each(JSON.parse(line.toString('utf8')));
    }
    if (rest.length > 0) pieces.push(rest);
  };
}

function receive(message) {
  switch (message.type) {
    case 'load':
      load(message);
      return;
    case 'call':
      run(message);
      return;
    case 'reply':
      settle(message);
      return;
    case 'cancel':
      calls.get(message.id)?.abort.abort(new Error('the call was cancelled'));
      return;
    case 'ping':
      send({ type: 'pong' });
      return;
    default:
      process.exit(1);
  }
}

async function load({ tool, entry, capabilities }) {
  try {
    const module = await import(pathToFileURL(join(sourceRoot, entry)).href);
    const execute = typeof module.execute === 'function' ? module.execute : module.default?.execute;
    if (typeof execute !== 'function') {
      send({ type: 'loaded', tool, fault: { kind: 'no_execute', message: '' } });
      return;
    }
    handlers.set(tool, { execute, capabilities });
    send({ type: 'loaded', tool, concurrent: true });
  } catch (thrown) {
    send({ type: 'loaded', tool, fault: loadFault(thrown) });
  }
}

function loadFault(thrown) {
  const message = asText(read(thrown, 'message')) || asText(thrown);
  const code = read(thrown, 'code');
  const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(message);
  if ((code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && missing && !/^[./]/.test(missing[1])) {
    return { kind: 'package', package: packageName(missing[1]), message };
  }
  const name = asText(read(thrown, 'name'));
  const kind = name === 'SyntaxError' ? 'syntax' : 'top_level';
  return { kind, message: `${name}: ${message}`, stack: ownStack(thrown) };
}

/** The package of a specifier: `@scope/name/file` is in `@scope/name`. */
function packageName(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function run({ id, tool, args, context, secrets, voice }) {
  const handler = handlers.get(tool);
  const call = { id, abort: new AbortController(), waiting: new Map(), requests: 0 };
  calls.set(id, call);
  current.run(call, async () => {
    const end = await outcome(handler, args, offered(call, handler, context, secrets, voice));
    calls.delete(id);
    socket.write(`{"type":"done","id":"${id}",${end}}\n`);
  });
}

/** The members of the message that ends a call. */
async function outcome(handler, args, context) {
  let value;
  try {
    const inner = { ...context, args };
    value = await handler.execute({ ...inner, context: inner });
  } catch (thrown) {
    return `"fault":${described(thrown)}`;
  }
  try {
    const text = JSON.stringify(value);
    if (text === undefined) return unreadable(`execute returned ${typeof value}`);
    return Buffer.byteLength(text) > longestResult ? '"tooLarge":true' : `"result":${text}`;
  } catch (thrown) {
    return unreadable(asText(read(thrown, 'message')));
  }
}

function unreadable(message) {
  return `"fault":${JSON.stringify({ kind: 'unreadable', message })}`;
}

/** The context of a call: its data, and the declared capabilities as named methods. */
function offered(call, handler, data, secrets, voice) {
  const began = performance.now();
  const context = {
    ...data,
    now: () => data.now + Math.floor(performance.now() - began),
    progress: (update) => tell(call, { type: 'progress', update: update ?? null }),
    partial: (piece) => tell(call, { type: 'partial', data: piece ?? null }),
    signal: call.abort.signal,
  };
  for (const { name, methods } of handler.capabilities) {
    context[name] = {};
    for (const method of methods) context[name][method] = (...args) => request(call, name, method, args);
  }
  for (const { name } of handler.capabilities) addImmediate(context[name], name, call, secrets, voice);
  return context;
}

/** Methods that answer without a request to the server. */
function addImmediate(object, name, call, secrets, voice) {
  switch (name) {
    case 'secret':
      object.get = (wanted) => secret(secrets, wanted);
      break;
    case 'voice':
      object.isActive = () => voice;
      object.endSession = () => ({ type: 'END_VOICE_SESSION', after: 'current_turn' });
      break;
    case 'audio':
      object.suppress = (value) => ({ type: 'SUPPRESS_AUDIO', value: Boolean(value) });
      break;
    case 'audit':
      object.log = (event, details) => tell(call, { type: 'note', event: String(event), details: details ?? null });
      break;
    default:
  }
}

function secret(secrets, name) {
  const found = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (typeof found?.value === 'string') return found.value;
  const undeclared = { code: 'REFUSED', message: `the tool does not declare the capability \`secret:${name}\`` };
  throw capabilityError(found?.fault ?? undeclared, new Error());
}

/** A message of a call that has not ended. */
function tell(call, message) {
  if (calls.has(call.id)) send({ ...message, id: call.id });
}

function request(call, capability, method, args) {
  const place = new Error();
  return new Promise((resolve, reject) => {
    if (!calls.has(call.id)) {
      reject(capabilityError({ code: 'ENDED', message: 'the call has ended' }, place));
      return;
    }
    call.requests += 1;
    call.waiting.set(call.requests, { resolve, reject, place });
    send({ type: 'request', id: call.id, request: call.requests, capability, method, args });
  });
}

function settle({ id, request: number, value, fault }) {
  const waiting = calls.get(id)?.waiting;
  const promise = waiting?.get(number);
  waiting?.delete(number);
  if (fault) promise?.reject(capabilityError(fault, promise.place));
  else promise?.resolve(value);
}

function capabilityError(fault, place) {
  const error = new Error(fault.message);
  Object.defineProperty(error, 'name', { value: 'CapabilityError', configurable: true, writable: true });
  error.code = fault.code;
  error.stack = `CapabilityError: ${fault.message}\n${(place.stack ?? '').split('\n').slice(1).join('\n')}`;
  faults.set(error, { fault, stack: ownStack(place) });
  return error;
}

/** A thrown value as JSON text. Whatever its getters do, a description comes out. */
function described(thrown) {
  const type = typeof thrown;
  if (thrown === null || (type !== 'object' && type !== 'function')) {
    return JSON.stringify({ kind: 'error', name: thrown === null ? 'null' : type, message: asText(thrown) });
  }
  const known = faults.get(thrown);
  if (known) return JSON.stringify({ kind: 'capability', ...known });
  const name = asText(read(thrown, 'name'));
  const message = asText(read(thrown, 'message'));
  if (name === 'ToolError' && typeof read(thrown, 'type') === 'string') return JSON.stringify(toolError(thrown, message));
  return JSON.stringify({ kind: 'error', name, message, stack: ownStack(thrown) });
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
  const frames = asText(read(error, 'stack'), LONGEST_STACK).split('\n').map((line) => line.trim());
  const own = frames.flatMap((frame) => {
    const place = /^at (?:(.*) \()?(?:file:\/\/)?(\/.*?):(\d+):(\d+)\)?$/.exec(frame);
    const path = place && decoded(place[2]);
    if (!path?.startsWith(`${sourceRoot}/`)) return [];
    const name = place[1] ? `${place[1]} (` : '(';
    return [`at ${name}${path.slice(sourceRoot.length + 1)}:${place[3]}:${place[4]})`];
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

function read(object, key) {
  try {
    return object?.[key];
  } catch {
    return undefined;
  }
}

function asText(value, longest = LONGEST_TEXT) {
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

function cut(text, longest) {
  return text.slice(0, longest).toWellFormed();
}

/** Lines of a call go to its log; others stay on standard output and standard error. */
function patchConsole() {
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    const usual = console[level];
    console[level] = (...values) => {
      const call = current.getStore();
      if (call && calls.has(call.id)) tell(call, { type: 'log', level, text: cut(formatWithOptions({}, ...values), LONGEST_TEXT) });
      else usual(...values);
    };
  }
}

/** An error that no call awaits. Its process is replaced when its other calls have ended. */
function stray(thrown, where) {
  console.error(`${where}: ${asText(read(thrown, 'stack') ?? thrown, LONGEST_STACK)}`);
  send({ type: 'retire', reason: where });
}
