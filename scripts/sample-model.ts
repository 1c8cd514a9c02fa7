// The sample model of `npm start -- --demo`: an OpenAI-compatible server that answers fixed text. No model runs.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export const SAMPLE_MODEL = 'sample-model';
const ANSWER =
  'This is the sample model of Gatewarden. It answers this text to every question. Add a provider with your own key to reach a real model.';

interface ChatRequest {
  stream?: boolean;
  messages?: unknown;
}

/** Starts the server on a free port of this machine. Returns its address with `/v1`. */
export async function startSampleModel(): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/v1/chat/completions') {
      sendJson(response, 404, { error: { message: 'The sample model only completes chats.' } });
      return;
    }
    const chat = (await json(request).catch(() => ({}))) as ChatRequest;
    if (chat.stream === true) sendStream(response);
    else sendJson(response, 200, describeCompletion(chat));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const common = { id: 'chatcmpl-sample', created: 0, model: SAMPLE_MODEL };
const words = (text: string) => text.split(' ').length;

function describeCompletion({ messages }: ChatRequest): object {
  const prompt_tokens = words(JSON.stringify(messages ?? ''));
  const completion_tokens = words(ANSWER);
  const total_tokens = prompt_tokens + completion_tokens;
  const message = { role: 'assistant', content: ANSWER };
  return {
    ...{ ...common, object: 'chat.completion' },
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens, completion_tokens, total_tokens },
  };
}

function sendStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    const chunk = { ...common, object: 'chat.completion.chunk', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const word of ANSWER.split(/(?= )/)) send({ content: word }, null);
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
