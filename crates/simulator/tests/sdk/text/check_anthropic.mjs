// Drives the simulated Anthropic Messages with the official SDK and prints what the SDK understood.
import Anthropic from '@anthropic-ai/sdk';

const [base, failing] = process.argv.slice(2);
const client = (baseURL) => new Anthropic({ apiKey: 'test-key', baseURL, maxRetries: 0 });
const anthropic = client(base);
const model = 'claude-sonnet';

const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ name: 'get_weather', description: 'w', input_schema }];
const body = (messages, more = {}) => ({ model, max_tokens: 100, messages, ...more });
const text = (message) => message.content.filter((block) => block.type === 'text').map((block) => block.text).join('');

const plain = await anthropic.messages.create(body([{ role: 'user', content: 'plain' }]));

const pieces = [];
for await (const event of await anthropic.messages.create(body([{ role: 'user', content: 'plain' }], { stream: true }))) {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') pieces.push(event.delta.text);
}

async function round(words, streamed) {
  const messages = [{ role: 'user', content: words }];
  const first = streamed
    ? await anthropic.messages.stream(body(messages, { tools })).finalMessage()
    : await anthropic.messages.create(body(messages, { tools }));
  const calls = first.content.filter((block) => block.type === 'tool_use');
  const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '{"temp":21}' }));
  messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: results });
  const last = await anthropic.messages.create(body(messages, { tools }));
  return { calls: calls.map(({ name, input }) => ({ name, args: input })), final: text(last) };
}

const tool = await round('tool', false);
const streamedTool = await round('tool', true);
const parallel = await round('parallel', true);
const error = await client(failing).messages.create(body([{ role: 'user', content: 'plain' }])).then(() => null, (error) => error.status);

console.log(JSON.stringify({ plain: text(plain), streamed: pieces.join(''), pieces: pieces.length > 1, tool, streamedTool, parallel, error }));
