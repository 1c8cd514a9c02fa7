// MCP servers that send messages of their own accord: of the newest SDK (questions by `input_required`, change notices
// on `subscriptions/listen`), and of the SDK before (sessions, requests of its own, GET streams).
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  ElicitResultSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { isStray } from './stray-requests.ts';

type Handle = (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>;

export async function listening(handle: Handle) {
  const server = createServer((request, response) => {
    if (isStray(request, response)) return;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => void handle(request, response, Buffer.concat(parts)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A request to a handler of the newest SDK, whose answer may be a stream. */
export async function relayed(
  handler: Pick<ReturnType<typeof createMcpHandler>, 'fetch'>,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const controller = new AbortController();
  response.on('close', () => controller.abort());
  const answer = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([k, v]): [string, string] => [k, String(v)]),
      ...(body.length === 0 ? {} : { body }),
      signal: controller.signal,
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body === null) return void response.end();
  Readable.fromWeb(answer.body as never)
    .on('error', () => response.end())
    .pipe(response);
}

const FORM = {
  type: 'object' as const,
  properties: { colour: { type: 'string' as const } },
  required: ['colour'],
};

/** Starts a server: `ask` asks the client for a color, `changed` announces a change of the note, `grow` adds a tool. */
export async function aTalkingServer() {
  let grown = false;
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'talking', version: '1.0.0' },
      {
        capabilities: {
          resources: { subscribe: true, listChanged: true },
          tools: { listChanged: true },
        },
      },
    );
    server.registerTool('ask', { description: 'Asks' }, async (context) => {
      const answer = context.mcpReq.inputResponses?.colour as
        | { action: string; content?: { colour?: string } }
        | undefined;
      if (answer === undefined) {
        return inputRequired({
          inputRequests: {
            colour: inputRequired.elicit({ message: 'Which colour?', requestedSchema: FORM }),
          },
          requestState: 'state-of-the-server',
        });
      }
      const state = context.mcpReq.requestState();
      return { content: [{ type: 'text', text: `${answer.content?.colour} ${state}` }] };
    });
    if (grown) {
      server.registerTool('grown', { description: 'New' }, async () => ({ content: [] }));
    }
    server.registerResource('note', 'memo://note', {}, async (uri) => ({
      contents: [{ uri: uri.href, text: 'a note' }],
    }));
    return server;
  });
  const running = await listening((request, response, body) =>
    relayed(handler, request, response, body),
  );
  return {
    ...running,
    changed: () => handler.notify.resourceUpdated('memo://note'),
    grow() {
      grown = true;
      handler.notify.toolsChanged();
    },
  };
}

/** `ask` asks by a request of its own; `wait` goes on until it is cancelled; sessions, and streams besides answers. */
export async function aServerOfBefore() {
  const sessions = new Map<
    string,
    { transport: StreamableHTTPServerTransport; server: OldServer }
  >();
  const seen = { cancelled: 0, subscribed: [] as string[], ended: 0, progress: 0 };
  let waiting: (() => void) | null = null;

  async function begin() {
    const server = new OldServer(
      { name: 'before', version: '1' },
      { capabilities: { resources: { subscribe: true, listChanged: true }, logging: {} } },
    );
    server.registerTool('ask', { description: 'Asks' }, async (extra) => {
      const answer = await extra.sendRequest(
        {
          method: 'elicitation/create',
          params: { message: 'Which colour?', requestedSchema: FORM },
        },
        ElicitResultSchema,
        { timeout: 60_000 },
      );
      return { content: [{ type: 'text', text: `${answer.action} ${answer.content?.colour}` }] };
    });
    server.registerTool('ask-besides', { description: 'Asks on its stream' }, async () => {
      const { roots } = await server.server.listRoots({}, { timeout: 60_000 });
      return { content: [{ type: 'text', text: JSON.stringify(roots) }] };
    });
    server.registerTool('wait', { description: 'Waits' }, async (extra) => {
      waiting?.();
      await new Promise<void>((resolve) => {
        extra.signal.addEventListener('abort', () => {
          seen.cancelled++;
          resolve();
        });
      });
      return { content: [] };
    });
    server.registerResource('note', 'memo://note', {}, async (uri) => ({
      contents: [{ uri: uri.href, text: 'a note' }],
    }));
    server.server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
      seen.subscribed.push(params.uri);
      return {};
    });
    server.server.setRequestHandler(UnsubscribeRequestSchema, async ({ params }) => {
      seen.subscribed = seen.subscribed.filter((value) => value !== params.uri);
      return {};
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => {
        seen.ended++;
        sessions.delete(id);
      },
    });
    await server.connect(transport as never);
    return transport;
  }
  const running = await listening(async (request, response, body) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const parsed = body.length === 0 ? undefined : JSON.parse(body.toString());
    if (known !== undefined) return known.transport.handleRequest(request, response, parsed);
    if (parsed?.method !== 'initialize') return void response.writeHead(404).end();
    await (await begin()).handleRequest(request, response, parsed);
  });
  const each = (act: (server: OldServer) => void) => {
    for (const { server } of sessions.values()) act(server);
  };
  return {
    ...running,
    seen,
    sessions: () => sessions.size,
    changed: () => each((server) => void server.server.sendResourceUpdated({ uri: 'memo://note' })),
    log: (data: string) =>
      each((server) => void server.server.sendLoggingMessage({ level: 'error', data })),
    grow: () =>
      each((server) => {
        server.registerTool(`grown-${randomUUID()}`, { description: 'New' }, async () => ({
          content: [],
        }));
      }),
    untilWaits: () =>
      new Promise<void>((resolve) => {
        waiting = resolve;
      }),
  };
}
