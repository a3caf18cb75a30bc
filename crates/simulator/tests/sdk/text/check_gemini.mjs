// Drives the simulated Gemini with the official SDK and prints what the SDK understood.
import { GoogleGenAI, Type } from '@google/genai';

const [base, failing] = process.argv.slice(2);
const client = (baseUrl) => new GoogleGenAI({ apiKey: 'test-key', httpOptions: { baseUrl } });
const ai = client(base);
const model = 'gemini-3-flash';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const native = { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] };
const declared = (fields) => ({ tools: [{ functionDeclarations: [{ name: 'get_weather', description: 'w', ...fields }] }] });
const user = (text) => ({ role: 'user', parts: [{ text }] });

const plain = await ai.models.generateContent({ model, contents: 'plain' });

const pieces = [];
for await (const chunk of await ai.models.generateContentStream({ model, contents: 'plain' })) {
  if (chunk.text) pieces.push(chunk.text);
}

async function round(words, config, streamed) {
  const contents = [user(words)];
  let content;
  if (streamed) {
    const parts = [];
    for await (const chunk of await ai.models.generateContentStream({ model, contents, config })) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    }
    content = { role: 'model', parts };
  } else {
    content = (await ai.models.generateContent({ model, contents, config })).candidates[0].content;
  }
  const calls = content.parts.filter((part) => part.functionCall).map((part) => part.functionCall);
  const answers = calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: { temp: 21 } } } }));
  contents.push(content, { role: 'user', parts: answers });
  const last = await ai.models.generateContent({ model, contents, config });
  return { calls: calls.map(({ name, args }) => ({ name, args })), final: last.text };
}

const tool = await round('tool', declared({ parametersJsonSchema: schema }), false);
const streamedTool = await round('tool', declared({ parameters: native }), true);
const parallel = await round('parallel', declared({ parametersJsonSchema: schema }), true);

const error = await client(failing).models.generateContent({ model, contents: 'plain' }).then(
  () => null,
  (error) => error.status,
);

console.log(JSON.stringify({ plain: plain.text, streamed: pieces.join(''), pieces: pieces.length > 1, tool, streamedTool, parallel, error }));
