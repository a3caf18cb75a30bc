// Drives the simulated OpenAI Responses with the official SDK and prints what the SDK understood.
import OpenAI from 'openai';

const [base, failing] = process.argv.slice(2);
const client = (url) => new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 });
const openai = client(base);
const model = 'gpt-5';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
const tools = [{ type: 'function', name: 'get_weather', description: 'w', parameters, strict: true }];

const plain = await openai.responses.create({ model, input: 'plain' });

const pieces = [];
for await (const event of await openai.responses.create({ model, input: 'plain', stream: true })) {
  if (event.type === 'response.output_text.delta') pieces.push(event.delta);
}

const understood = (response, last) => ({
  calls: response.output.filter((item) => item.type === 'function_call').map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) })),
  final: last.output_text,
});

async function round(words, streamed) {
  const input = [{ role: 'user', content: words }];
  const first = streamed
    ? await openai.responses.stream({ model, input, tools }).finalResponse()
    : await openai.responses.create({ model, input, tools });
  const calls = first.output.filter((item) => item.type === 'function_call');
  const outputs = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '{"temp":21}' }));
  // Half of the clients refer to the response before, the others send everything again.
  const last = streamed
    ? await openai.responses.create({ model, input: outputs, previous_response_id: first.id, tools })
    : await openai.responses.create({ model, input: [...input, ...first.output, ...outputs], tools });
  return understood(first, last);
}

const tool = await round('tool', false);
const streamedTool = await round('tool', true);
const parallel = await round('parallel', true);
const error = await client(failing).responses.create({ model, input: 'plain' }).then(() => null, (error) => error.status);

console.log(JSON.stringify({ plain: plain.output_text, streamed: pieces.join(''), pieces: pieces.length > 1, tool, streamedTool, parallel, error }));
