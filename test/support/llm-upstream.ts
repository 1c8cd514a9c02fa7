// Upstream doubles that answer in the vendors' public wire formats, and record the requests that they got.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface UpstreamCall {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: bodies have the shape of the API that a test calls
  json: any;
}

export type Answerer = (call: UpstreamCall, response: ServerResponse) => void | Promise<void>;

export interface LlmUpstream {
  url: string;
  calls: UpstreamCall[];
  /** Replaces the answer to the following requests. */
  answerWith(answerer: Answerer): void;
  stop(): Promise<void>;
}

/** Starts a double on a free port of this machine. */
export async function startLlmUpstream(answerer: Answerer): Promise<LlmUpstream> {
  let current = answerer;
  const calls: UpstreamCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body, json: parse(body) };
    calls.push(call);
    await current(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answerWith(next) {
      current = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with server-sent events: strings are data as they are, objects become JSON with `event:` if they have a type. */
export function sendEvents(response: ServerResponse, events: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(encodeEvent(event));
  response.end();
}

export function encodeEvent(event: unknown): string {
  if (typeof event === 'string') return `data: ${event}\n\n`;
  const { type } = event as { type?: string };
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
}

export const chatCompletion = (text: string, model = 'm') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_750_000_000,
  model,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: text },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: {
    ...{ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
});

/** Returns the events of a streamed chat completion with one piece of text each. */
export const chatChunks = (pieces: readonly string[], model = 'm'): unknown[] => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_750_000_000,
    model,
    choices: [{ index: 0, delta, finish_reason }],
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    '[DONE]',
  ];
};

export const message = (text: string, model = 'claude') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 9,
    output_tokens: 5,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  },
});

/** Returns the events of a streamed Anthropic message. */
export const messageEvents = (pieces: readonly string[], model = 'claude'): unknown[] => [
  {
    type: 'message_start',
    message: {
      ...message('', model),
      content: [],
      stop_reason: null,
      usage: { input_tokens: 9, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...pieces.map((text) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  })),
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  { type: 'message_stop' },
];
