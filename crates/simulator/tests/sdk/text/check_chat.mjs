// Drives the simulated Chat Completions with the official SDK and prints what the SDK understood.
import OpenAI from 'openai';

const [base, failing] = process.argv.slice(2);
const client = (url) => new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 });
const openai = client(base);
const model = 'gpt-5';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'w', parameters } }];
const ask = (messages, more = {}) => openai.chat.completions.create({ model, messages, ...more });

const plain = await ask([{ role: 'user', content: 'plain' }]);

const pieces = [];
for await (const chunk of await ask([{ role: 'user', content: 'plain' }], { stream: true })) {
  const piece = chunk.choices[0]?.delta?.content;
  if (piece) pieces.push(piece);
}

async function round(words, streamed) {
  const messages = [{ role: 'system', content: 'be brief' }, { role: 'user', content: words }];
  const first = streamed
    ? await openai.chat.completions.stream({ model, messages, tools, stream_options: { include_usage: true } }).finalChatCompletion()
    : await ask(messages, { tools });
  const { content, tool_calls } = first.choices[0].message;
  const plainCalls = tool_calls.map(({ id, type, function: { name, arguments: args } }) => ({ id, type, function: { name, arguments: args } }));
  messages.push({ role: 'assistant', content, tool_calls: plainCalls });
  messages.push(...tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '{"temp":21}' })));
  const last = await ask(messages, { tools });
  const calls = plainCalls.map(({ function: { name, arguments: args } }) => ({ name, args: JSON.parse(args) }));
  return { calls, final: last.choices[0].message.content };
}

const tool = await round('tool', false);
const streamedTool = await round('tool', true);
const parallel = await round('parallel', true);
const error = await client(failing).chat.completions.create({ model, messages: [{ role: 'user', content: 'plain' }] }).then(() => null, (error) => error.status);

console.log(JSON.stringify({ plain: plain.choices[0].message.content, streamed: pieces.join(''), pieces: pieces.length > 1, tool, streamedTool, parallel, error }));
