// Runs Node.js handlers for an Aileron server. Speaks the worker protocol (docs/worker-protocol.md), version 1.

import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync } from 'node:fs';
import { register } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatWithOptions } from 'node:util';

import { offered } from './context.mjs';
import { LONGEST_TEXT, asText, capabilityError, cut, described, encoded, loadFault, read, unreadable } from './faults.mjs';

const PROTOCOL = 1;
const NEWLINE = 10;

const [, , socketPath, sourceRoot, resultLimit, textLimit] = process.argv;
const longestResult = Number(resultLimit);
const handlers = new Map();
const calls = new Map();
const current = new AsyncLocalStorage();

closeInherited();
patchConsole();
process.argv.length = 2;
process.on('uncaughtException', (thrown) => stray(thrown, 'an exception was thrown that no call handles'));
process.on('unhandledRejection', (thrown) => stray(thrown, 'a promise was rejected and nothing handled it'));

const socket = connect(socketPath, () => {
  send({ type: 'hello', protocol: PROTOCOL, runtime: 'node', version: process.versions.node });
});
socket.on('error', () => process.exit(0));
socket.on('close', () => process.exit(0));
socket.on('data', lines(receive));

/** Descriptors of the server that are not closed on exec, as the launcher found them. */
function closeInherited() {
  const inherited = (process.env.AILERON_INHERITED ?? '').split(',').filter(Boolean);
  delete process.env.AILERON_INHERITED;
  for (const descriptor of inherited) closeSync(Number(descriptor));
}

function send(message) {
  socket.write(`${encoded(message)}\n`);
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
      calls.get(message.id)?.settle(message);
      return;
    case 'cancel':
      calls.get(message.id)?.cancel();
      return;
    case 'ping':
      send({ type: 'pong' });
      return;
    default:
      process.exit(1);
  }
}

async function load({ tool, entry, capabilities, typescript }) {
  try {
    if (typescript) acceptTypescript();
    const module = await import(pathToFileURL(join(sourceRoot, entry)).href);
    const source = typeof module.execute === 'function' ? module : module.default;
    if (typeof source?.execute !== 'function') {
      send({ type: 'loaded', tool, fault: { kind: 'no_execute', message: '' } });
      return;
    }
    handlers.set(tool, { execute: source.execute, capabilities });
    send({ type: 'loaded', tool, concurrent: source.concurrent !== false });
  } catch (thrown) {
    send({ type: 'loaded', tool, fault: loadFault(thrown) });
  }
}

let acceptsTypescript = false;

function acceptTypescript() {
  if (!acceptsTypescript) register('./typescript.mjs', import.meta.url, { data: `${pathToFileURL(sourceRoot).href}/` });
  acceptsTypescript = true;
}

/** One call: its cancellation, and its requests that wait for a reply. */
class Call {
  constructor(id) {
    this.id = id;
    this.abort = new AbortController();
    this.waiting = new Map();
    this.requests = 0;
    this.textLeft = Number(textLimit);
  }

  nextRequest() {
    this.requests += 1;
    return this.requests;
  }

  /** Why it may ask for nothing any more. */
  endedReason() {
    if (!calls.has(this.id)) return 'the call has ended';
    return this.abort.signal.aborted ? 'the call was cancelled' : undefined;
  }

  settle({ request, value, fault }) {
    const promise = this.waiting.get(request);
    this.waiting.delete(request);
    if (fault) promise?.reject(capabilityError(fault, promise.place));
    else promise?.resolve(value);
  }

  /** The server answers no further request of a cancelled call, so all that wait fail. */
  cancel() {
    this.abort.abort(new Error('the call was cancelled'));
    for (const { reject, place } of this.waiting.values()) {
      reject(capabilityError({ code: 'CANCELLED', message: 'the call was cancelled' }, place));
    }
    this.waiting.clear();
  }

  /** Progress, partial data or a log line. The server drops what exceeds the limit, so it is not sent. */
  show(type, members) {
    const text = encoded({ type, id: this.id, ...members });
    if (text.length > this.textLeft) return;
    this.textLeft -= text.length;
    this.sendText(text);
  }

  sendText(text) {
    if (calls.has(this.id)) socket.write(`${text}\n`);
  }
}

function run(message) {
  const { id, tool, args } = message;
  const handler = handlers.get(tool);
  const call = new Call(id);
  calls.set(id, call);
  // A call that this process did not begin is run by another one when this one ends, so it is told before anything runs.
  call.sendText(`{"type":"began","id":"${id}"}`);
  current.run(call, async () => {
    const end = await outcome(handler, args, offered(call, handler.capabilities, message));
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
    const text = encoded(value);
    if (text === undefined) return `"fault":${unreadable(`execute returned ${typeof value}`)}`;
    return Buffer.byteLength(text) > longestResult ? '"tooLarge":true' : `"result":${text}`;
  } catch (thrown) {
    return `"fault":${unreadable(`${asText(read(thrown, 'name'))}: ${asText(read(thrown, 'message'))}`)}`;
  }
}

/** Lines of a call go to its log; others stay on standard output and standard error. */
function patchConsole() {
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    const usual = console[level];
    console[level] = (...values) => {
      const call = current.getStore();
      if (call && calls.has(call.id)) call.show('log', { level, text: cut(formatWithOptions({}, ...values), LONGEST_TEXT) });
      else usual(...values);
    };
  }
}

/** An error that no call awaits. Its process is replaced when its calls have ended. */
function stray(thrown, where) {
  if (read(thrown, 'name') === 'CapabilityError' && read(thrown, 'code') === 'CANCELLED') return;
  console.error(`${where}: ${asText(read(thrown, 'stack') ?? thrown)}`);
  send({ type: 'retire', reason: `the worker process was replaced because ${where}` });
}
