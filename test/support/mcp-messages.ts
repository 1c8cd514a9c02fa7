// MCP without an SDK: tests send to a hub process and read from another.
import type { TestHub } from './hub.ts';

export interface Message {
  id?: string | number;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the protocol, looked into by tests
  params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  result?: any;
  error?: { code: number; message: string; data?: unknown };
}

export const MODERN = '2026-07-28';

/** The headers and the envelope of a request of the newest revision. */
export function modern(message: Message & { method: string }, capabilities: object = {}) {
  const name = message.params?.name ?? message.params?.uri;
  return {
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': message.method,
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
    },
    body: {
      jsonrpc: '2.0',
      ...message,
      params: {
        ...message.params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...message.params?._meta,
        },
      },
    },
  };
}

export function send(
  { url }: Pick<TestHub, 'url'>,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/gwone/mcp',
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

export function listen(
  { url }: Pick<TestHub, 'url'>,
  token: string,
  headers: Record<string, string>,
  path = '/gwone/mcp',
): Promise<Response> {
  return fetch(url + path, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
  });
}

/** Yields the messages of an answer in order, whether it is a stream or not. */
export async function* messagesIn(answer: Response): AsyncGenerator<Message> {
  if (!answer.headers.get('content-type')?.includes('event-stream')) {
    yield (await answer.json()) as Message;
    return;
  }
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    rest += decoder.decode(part as Uint8Array, { stream: true });
    for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
      const data = rest
        .slice(0, end)
        .split('\n')
        .find((line) => line.startsWith('data: '));
      rest = rest.slice(end + 2);
      // An event without data only carries its id.
      if (data !== undefined && data !== 'data: ') yield JSON.parse(data.slice(6)) as Message;
    }
  }
}

/** The first that is meant. Throws where the stream ends before. */
export async function first(
  messages: AsyncGenerator<Message>,
  isMeant: (message: Message) => boolean,
): Promise<Message> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done) throw new Error('the stream ended');
    if (isMeant(value)) return value;
  }
}

/** A session of the older revision. */
export async function aSession(
  hub: Pick<TestHub, 'url'>,
  token: string,
  capabilities: object = {},
  path = '/gwone/mcp',
): Promise<Record<string, string>> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'test', version: '1' },
  };
  const initialized = await send(
    hub,
    token,
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    {},
    path,
  );
  return {
    'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
}
