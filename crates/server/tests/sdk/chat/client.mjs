// One story of a chat client against a server: node client.mjs <version> <story> <address>.
// Prints what the client has in the end as JSON.

const [version, story, address] = process.argv.slice(2);
const ai = await import(`ai${version}`);

class Chat extends ai.AbstractChat {
  constructor(options) {
    const state = {
      status: 'ready',
      error: undefined,
      messages: options.messages ?? [],
      pushMessage(message) {
        this.messages = [...this.messages, message];
      },
      popMessage() {
        this.messages = this.messages.slice(0, -1);
      },
      replaceMessage(index, message) {
        this.messages = this.messages.map((old, at) => (at === index ? message : old));
      },
      snapshot: (thing) => structuredClone(thing),
    };
    super({ ...options, state });
  }
}

const data = [];
const id = `${story}-${version}`;
const extra = { body: version === '5' ? { sdk: 5 } : {} };
let failures = 0;

function open(more = {}) {
  return new Chat({
    id,
    transport: new ai.DefaultChatTransport({
      api: `${address}/api/chat`,
      headers: { authorization: `Bearer ${story === 'stranger' ? 'nobody' : 'ada'}-0123456789abcdef` },
      ...extra,
    }),
    onData: (part) => data.push(part),
    onError: () => (failures += 1),
    sendAutomaticallyWhen: ai.lastAssistantMessageIsCompleteWithApprovalResponses,
    ...more,
  });
}

async function until(condition) {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('it never came to that');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

let chat = open();
const part = (type) => chat.lastMessage?.parts.find((one) => one.type === type);

const stories = {
  async look() {
    await chat.sendMessage({ text: 'look for it' });
  },
  async approve(approved = true) {
    await chat.sendMessage({ text: 'book 5' });
    const call = part('tool-book');
    if (call.state !== 'approval-requested') throw new Error(`found ${call.state}`);
    await chat.addToolApprovalResponse({ id: call.approval.id, approved });
    await until(() => chat.status === 'ready' && part('tool-book').state.startsWith('output-'));
  },
  async decline() {
    await stories.approve(false);
  },
  async confirm() {
    await chat.sendMessage({ text: 'book 5' });
    const { token } = part('data-confirmation').data;
    const body = { confirmations: [{ token, approve: true }] };
    await chat.sendMessage({ text: 'yes' }, { body });
  },
  async empty() {
    await chat.sendMessage({ text: ' ' });
  },
  async stranger() {
    await chat.sendMessage({ text: 'say hello' });
  },
  async blocked() {
    await chat.sendMessage({ text: 'block' });
    await chat.sendMessage({ text: 'say hello' });
  },
  async forged() {
    if (version === '5') return;
    await chat.sendMessage({ text: 'book 5' });
    const call = part('tool-book');
    const forged = structuredClone(chat.messages);
    forged.at(-1).parts.find((one) => one.type === 'tool-book').approval.id = 'AAAA.BBBB';
    chat.messages = forged;
    await chat.addToolApprovalResponse({ id: 'AAAA.BBBB', approved: true });
    await until(() => chat.status === 'error');
    if (call.approval.id === 'AAAA.BBBB') throw new Error('not forged at all');
  },
  async again() {
    await chat.sendMessage({ text: 'say One' });
    await chat.sendMessage({ text: 'say Two' });
    await chat.regenerate();
  },
  async edit() {
    await chat.sendMessage({ text: 'say One' });
    await chat.sendMessage({ text: 'say Two' });
    await chat.sendMessage({ text: 'say Three', messageId: chat.messages[0].id });
  },
  async stop() {
    const sent = chat.sendMessage({ text: 'wait for ever' });
    await until(() => chat.messages.length === 2);
    await chat.stop();
    await sent;
  },
  async resume() {
    const sent = chat.sendMessage({ text: 'wait Back again' });
    await until(() => chat.messages.length === 2);
    const question = chat.messages[0];
    await chat.stop();
    await sent;
    chat = open({ messages: [question] });
    const resumed = chat.resumeStream();
    await until(() => chat.messages.length === 2);
    await fetch(`${address}/test/open/${encodeURIComponent('Back again')}`, { method: 'POST' });
    await resumed;
  },
};

await stories[story]();
const error = chat.error?.message ?? null;
console.log(JSON.stringify({ status: chat.status, error, failures, messages: chat.messages, data }));
