// A chat handler as one would write it: http, streamText, the UI message stream. It keeps no history.
// node chat.mjs <port of the provider>; prints its own port.

import { createServer } from 'node:http';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { convertToModelMessages, streamText } from 'ai';

const google = createGoogleGenerativeAI({
  apiKey: 'k',
  baseURL: `http://127.0.0.1:${process.argv[2]}/v1beta`,
});

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { messages } = JSON.parse(Buffer.concat(pieces).toString());
  const result = streamText({
    model: google('gemini-3-flash'),
    system: 'You are helpful.',
    messages: await convertToModelMessages(messages),
  });
  result.pipeUIMessageStreamToResponse(response);
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
