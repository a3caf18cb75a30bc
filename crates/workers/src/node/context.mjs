// The context of a call: its data, and the declared capabilities as named methods.

import { capabilityError, encoded, refusal } from './faults.mjs';

const [, , , , resultLimit] = process.argv;
const longestRequest = Number(resultLimit);

/** The context that a handler receives. `call` sends messages and keeps open requests. */
export function offered(call, capabilities, { context: data, secrets, voice }) {
  const began = performance.now();
  const context = {
    ...data,
    now: () => data.now + Math.floor(performance.now() - began),
    progress: (update) => call.show('progress', { update: update ?? null }),
    partial: (piece) => call.show('partial', { data: piece ?? null }),
    signal: call.abort.signal,
  };
  for (const { name, methods, sync } of capabilities) {
    const object = {};
    for (const method of methods) object[method] = (...args) => request(call, name, method, args);
    for (const method of sync) object[method] = immediate(call, `${name}.${method}`, secrets, voice);
    context[name] = object;
  }
  return context;
}

/** A method that answers without a request to the server. */
function immediate(call, method, secrets, voice) {
  switch (method) {
    case 'secret.get':
      return (name) => secret(secrets, name);
    case 'voice.isActive':
      return () => voice;
    case 'voice.endSession':
      return () => ({ type: 'END_VOICE_SESSION', after: 'current_turn' });
    case 'audio.suppress':
      return (value) => ({ type: 'SUPPRESS_AUDIO', value: expected('boolean', value) });
    case 'audit.log':
      return (event, details) => note(call, expected('string', event), details ?? null);
    default:
      return () => refuse(`there is no method \`${method}\``);
  }
}

function expected(type, value) {
  return typeof value === type ? value : refuse(`the request cannot be read: expected a ${type}, found ${typeof value}`);
}

function refuse(message) {
  throw capabilityError(refusal(message), new Error());
}

function secret(secrets, name) {
  const found = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (typeof found?.value === 'string') return found.value;
  const undeclared = refusal(`the tool does not declare the capability \`secret:${name}\``);
  throw capabilityError(found?.fault ?? undeclared, new Error());
}

function note(call, event, details) {
  const text = encoded({ type: 'note', id: call.id, event, details });
  if (Buffer.byteLength(text) > longestRequest) refuse('the note is longer than the limit');
  call.sendText(text);
}

/** Asks the server. The promise is rejected when the call is cancelled. */
function request(call, capability, method, args) {
  const place = new Error();
  const reply = new Promise((resolve, reject) => {
    const ended = call.endedReason();
    if (ended) {
      reject(capabilityError(refusal(ended), place));
      return;
    }
    const number = call.nextRequest();
    const text = encoded({ type: 'request', id: call.id, request: number, capability, method, args });
    if (Buffer.byteLength(text) > longestRequest) {
      reject(capabilityError(refusal('the request is longer than the limit'), place));
      return;
    }
    call.waiting.set(number, { resolve, reject, place });
    call.sendText(text);
  });
  // A handler need not await a request; its fault then concerns nobody.
  reply.catch(() => {});
  return reply;
}
