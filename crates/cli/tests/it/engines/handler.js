// The behaviours of engines/behaviours.rs, for the sandbox and for Node.js.

import { ErrorType, IntentType, ToolError } from 'aileron';

const search = (context, query) => context.kb.search({ query, namespace: 'studio', topK: 3 });

async function codeOf(act) {
  try {
    await act();
    return 'no error';
  } catch (error) {
    return error.code ?? error.name;
  }
}

const BEHAVIOURS = {
  data: ({ args }) => ({ ok: true, data: { n: 1, text: args.value, list: [true, null, 0.5] } }),
  no_data: () => ({ ok: true }),
  intents: () => ({ ok: true, data: {}, intents: [{ type: IntentType.SUPPRESS_TRANSCRIPT, value: true }] }),
  returned_error: () => ({
    ok: false,
    error: { type: 'CONFLICT', message: 'taken', retryable: true, suggestion: 'later', details: { a: 1 } },
  }),
  no_envelope: () => 7,
  nothing: () => undefined,
  too_large: () => ({ ok: true, data: 'x'.repeat(5_000_000) }),
  circular: () => {
    const data = {};
    data.data = data;
    return { ok: true, data };
  },
  every_field: () => {
    throw new ToolError(ErrorType.CONFLICT, 'taken', {
      retryable: false,
      partialSideEffects: true,
      idempotencyRequired: true,
      suggestion: 'another',
      details: { free: [1, 2] },
    });
  },
  error_type: ({ args }) => {
    throw new ToolError(args.value, 'as told', { retryable: false });
  },
  unknown_type: () => {
    throw new ToolError('NO_SUCH_TYPE', 'as told');
  },
  thrown_error: () => {
    throw new TypeError('something broke');
  },
  thrown_text: () => {
    throw 'only a text';
  },
  kb: async ({ context }) => {
    const hits = await search(context, 'plan');
    const records = await context.kb.get({ ids: ['doc:plan'] });
    return { ok: true, data: [hits[0].id, hits[0].sourceType, records[0].title, records[0].lastUpdated] };
  },
  calendar: async ({ context }) => {
    const span = { start: '2026-03-02T00:00:00Z', end: '2026-03-03T00:00:00Z' };
    const busy = await context.calendar.freeBusy({ attendees: ['ada@example.com'], ...span });
    const draft = { id: 'draft-1', expires: '2099-01-01T00:00:00Z', title: 'Talk', ...span };
    await context.calendar.saveDrafts({ drafts: [draft] });
    const saved = await context.calendar.getDraft({ id: 'draft-1' });
    return { ok: true, data: [busy[0].email, busy[0].busy.length, saved.title] };
  },
  images: async ({ context }) => {
    const request = { prompt: 'a boat', aspectRatio: '1:1', count: 1, idempotencyKey: 'k' };
    const { images } = await context.images.generate(request);
    const found = await context.images.get({ id: images[0].id });
    const looked = await context.images.look({ url: 'https://example.com/a.png' });
    return { ok: true, data: [images.length, found.id === images[0].id, typeof looked.width] };
  },
  messaging: async ({ context }) => {
    await context.messaging.send({ text: 'hello there' });
    return { ok: true, data: {} };
  },
  audit: ({ context }) => {
    context.audit.log('looked', { at: 'this' });
    return { ok: true, data: {} };
  },
  voice: ({ context }) => ({
    ok: true,
    data: [context.voice.isActive(), context.voice.endSession(), context.audio.suppress(true)],
  }),
  tools: async ({ context }) => {
    const { ok, data } = await context.tools.call('contract_bare', { do: 'no_data' });
    return { ok: true, data: [ok, data] };
  },
  secret: ({ context }) => ({ ok: true, data: { key: context.secret.get('CONTRACT_SECRET') } }),
  secret_undeclared: async ({ context }) => ({ ok: true, data: await codeOf(() => context.secret.get('HOME')) }),
  fault_caught: async ({ context }) => ({
    ok: true,
    data: await codeOf(() => context.http.fetch('https://other.example.com/')),
  }),
  fault_uncaught: async ({ context }) => {
    await context.http.fetch('https://other.example.com/');
  },
  fault_after_effect: async ({ context }) => {
    await context.messaging.send({ text: 'sent before' });
    await context.http.fetch('https://other.example.com/');
  },
  undeclared: ({ context }) => ({ ok: true, data: [typeof context.kb, typeof context.http, typeof context.messaging] }),
  context: ({ context }) => ({
    ok: true,
    data: {
      mode: context.mode,
      conversation: context.conversationId,
      client: context.clientId,
      call: context.callId,
      user: context.user.id,
      active: context.session.isActive,
      toolsVersion: context.session.toolsVersion,
      stateMode: context.session.state.mode,
      capabilities: context.capabilities,
      meta: context.meta,
      tool: context.tool,
      key: context.idempotencyKey.length > 0,
      time: context.now() > 1_700_000_000_000 && context.deadline > context.now(),
      aborted: context.signal.aborted,
    },
  }),
  progress: ({ context }) => {
    context.progress({ done: 1 });
    context.partial({ piece: 'first' });
    return { ok: true, data: {} };
  },
  console: () => {
    console.warn('mind the step');
    return { ok: true, data: {} };
  },
  waits: async ({ context }) => {
    context.progress('begun');
    await search(context, 'never');
    return { ok: true, data: 'after all' };
  },
  spins: ({ context }) => {
    context.progress('begun');
    for (;;);
  },
  memory: ({ context }) => {
    const kept = [];
    for (;;) kept.push(new Array(10_000).fill(kept.length));
  },
  keeps_context: async ({ context }) => {
    const before = globalThis.kept;
    globalThis.kept = context;
    const code = before ? await codeOf(() => search(before, 'plan')) : 'REFUSED';
    return { ok: true, data: code };
  },
  unawaited: ({ context }) => {
    search(context, 'never');
    search(context, 'plan').then(() => {});
    return { ok: true, data: 'done' };
  },
  own_call: async ({ args, context }) => {
    console.log(`of ${args.value}`);
    await search(context, 'plan');
    context.progress(args.value);
    return { ok: true, data: [args.value, context.callId] };
  },
};

export async function execute({ args, context }) {
  return BEHAVIOURS[args.do]({ args, context });
}
