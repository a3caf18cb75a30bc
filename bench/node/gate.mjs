// A plain tool server as one would write it for speed in Node: `http`, one compiled Ajv validator, and the
// same gates as ours in the same order, all state in memory and nothing durable.
// node gate.mjs <file with the tool's schema.json>; prints its port.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const tool = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false });
addFormats(ajv);
const validate = ajv.compile(tool.parameters);
const tools = new Map([[tool.toolId, { ...tool, validate, execute: (args) => ({ total: args.top_k }) }]]);

const BUDGETS = { text: { retrieval: 5, total: 10 }, voice: { retrieval: 2, total: 3 } };
const AUDIT_KEPT = 10_000;
const ANSWERS_KEPT = 256;
const conversations = new Map();
const blocked = new Map();
const audit = [];

class Conversation {
  constructor(mode) {
    this.mode = mode;
    this.active = true;
    this.answers = new Map();
    this.history = [];
    this.turn = 0;
    this.begin();
  }

  begin() {
    this.turn += 1;
    this.used = { retrieval: 0, total: 0 };
    this.history.push(new Map());
    if (this.history.length > 5) this.history.shift();
  }
}

const failure = (type, message, details) => ({ ok: false, error: { type, message, retryable: false, details } });

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

/** Known tool, door, duplicate, mode, rate limit, budgets, arguments, loops, clamp, confirmation. */
function admit(conversation, call) {
  const found = tools.get(call.toolId);
  if (!found) return failure('NOT_FOUND', `no tool ${call.toolId}`);
  if (!conversation.active) return failure('SESSION_INACTIVE', 'the conversation has ended');
  if (blocked.size > 0 && (blocked.get(conversation.user) ?? 0) > Date.now()) return failure('DENIED', 'blocked');
  if (!found.allowedModes.includes(conversation.mode)) return failure('MODE_RESTRICTED', conversation.mode);
  const budget = BUDGETS[conversation.mode];
  const isRetrieval = found.category === 'retrieval';
  if (conversation.used.total >= budget.total) return failure('BUDGET_EXCEEDED', 'total');
  if (isRetrieval && conversation.used.retrieval >= budget.retrieval) return failure('BUDGET_EXCEEDED', 'retrieval');
  if (!found.validate(call.args)) return failure('VALIDATION', ajv.errorsText(found.validate.errors), found.validate.errors);
  const fingerprint = createHash('sha256').update(call.toolId).update(canonical(call.args)).digest('base64');
  const turn = conversation.history.at(-1);
  const times = (turn.get(fingerprint) ?? 0) + 1;
  if (times >= 3) return failure('LOOP_DETECTED', 'the same call a third time');
  turn.set(fingerprint, times);
  for (const [name, limit] of Object.entries(found.modeLimits?.[conversation.mode] ?? {})) {
    if (limit.maximum !== undefined && call.args[name] > limit.maximum) call.args[name] = limit.maximum;
  }
  if (found.requiresConfirmation) return failure('CONFIRMATION_REQUIRED', 'ask the person');
  conversation.used.total += 1;
  if (isRetrieval) conversation.used.retrieval += 1;
  return undefined;
}

function answered(conversation, call) {
  const before = conversation.answers.get(call.callId);
  if (before) return { ...before, meta: { ...before.meta, replayed: true } };
  const began = performance.now();
  const refused = admit(conversation, call);
  const result = refused ?? { ok: true, data: tools.get(call.toolId).execute(call.args), intents: [] };
  const duration = Math.round(performance.now() - began);
  const response = {
    ...result,
    meta: { toolId: call.toolId, toolVersion: tool.version, callId: call.callId, duration, attempts: 1 },
  };
  conversation.answers.set(call.callId, response);
  if (conversation.answers.size > ANSWERS_KEPT) {
    conversation.answers.delete(conversation.answers.keys().next().value);
  }
  audit.push({ at: Date.now(), turn: conversation.turn, call, ok: response.ok, duration });
  if (audit.length > AUDIT_KEPT) audit.splice(0, AUDIT_KEPT / 2);
  return response;
}

function respond(response, status, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function route(request, response, body) {
  const [, , , id, what] = request.url.split('/');
  const read = JSON.parse(body);
  if (id === undefined) {
    const made = randomUUID();
    conversations.set(made, new Conversation(read.mode ?? 'text'));
    return respond(response, 201, { id: made });
  }
  const conversation = conversations.get(id);
  if (!conversation) return respond(response, 404, { error: { code: 'NOT_FOUND' } });
  if (what === 'turns') {
    conversation.begin();
    return respond(response, 201, { turn: conversation.turn, questions: [] });
  }
  respond(response, 200, { answers: [{ callId: read.callId, response: answered(conversation, read) }] });
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (piece) => { body += piece; });
  request.on('end', () => {
    try {
      route(request, response, body);
    } catch (error) {
      respond(response, 400, { error: { code: 'INVALID', message: String(error) } });
    }
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
