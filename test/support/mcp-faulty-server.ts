// An MCP server of the older revision with tools that are slow, large or broken, and with faults of the whole server.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from './mcp-messages.ts';
import { isStray } from './stray-requests.ts';

/** `refuse`: does not listen. `html`: answers every message with a page. `forget`: answers 404 to every known session. */
export type Fault = 'refuse' | 'forget' | 'html';

export interface FaultyServer {
  url: string;
  /** Every message that arrived, oldest first. */
  received: Message[];
  /** The headers of every request that arrived, oldest first. */
  headers: IncomingMessage['headers'][];
  /** Sends a byte, or a message, on the stream of the call that is running. */
  write(text: string): void;
  /** Sends the result of the call that is running. */
  finish(result?: object): void;
  /** Resolves when a call of this tool has arrived. */
  called(tool: string): Promise<void>;
  setFault(fault: Fault | null): Promise<void>;
  setInstructions(text: string | undefined): void;
  setTools(names: string[]): void;
  close(): Promise<void>;
}

const TOOLS = ['quiet', 'mute', 'large', 'note', 'broken', 'ask', 'hang-up'];

export async function aFaultyServer(): Promise<FaultyServer> {
  const received: Message[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const waiting: { tool: string; resolve: () => void }[] = [];
  let running: { id: unknown; response: ServerResponse } | null = null;
  let fault: Fault | null = null;
  let instructions: string | undefined = 'MARKER-INSTRUCTIONS';
  let tools = TOOLS;
  let sessions = new Set<string>();
  let numbered = 0;

  const json = (response: ServerResponse, id: unknown, result: object, more = {}) => {
    response.writeHead(200, { 'content-type': 'application/json', ...more });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

  function call({ id, params }: Message, response: ServerResponse): void {
    const { name: tool, arguments: args = {} } = params ?? {};
    for (const item of waiting.filter((each) => each.tool === tool)) item.resolve();
    if (tool === 'broken') {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Broken</h1>');
    } else if (tool === 'hang-up') {
      response.destroy();
    } else if (tool === 'large') {
      const text = 'x'.repeat(Number(args.mb ?? 1) * 1024 * 1024);
      const result = { content: [{ type: 'text', text }] };
      if (args.events === true) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(event({ id, result }));
      } else json(response, id, result);
    } else if (tool === 'mute') {
      running = { id, response };
    } else if (tool === 'quiet' || tool === 'ask') {
      running = { id, response };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      const asked = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
      if (tool === 'ask') {
        response.write(
          event({ id: 'question', method: args.method ?? 'elicitation/create', params: asked }),
        );
      }
    } else json(response, id, { content: [] });
  }

  function answer(message: Message, request: IncomingMessage, response: ServerResponse): void {
    const { id, method } = message;
    if (fault === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    } else if (method === 'server/discover') {
      response.writeHead(404).end();
    } else if (method === 'initialize') {
      const session = `session-${++numbered}`;
      sessions.add(session);
      const greeting = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'r', version: '1' },
        ...(instructions === undefined ? {} : { instructions }),
      };
      json(response, id, greeting, { 'mcp-session-id': session });
    } else if (!sessions.has(String(request.headers['mcp-session-id']))) {
      response.writeHead(404).end();
    } else if (method === undefined && id === 'question' && running !== null) {
      running.response.end(event({ id: running.id, result: { content: [] } }));
      response.writeHead(202).end();
    } else if (id === undefined || method === undefined) {
      response.writeHead(202).end();
    } else if (method === 'tools/list') {
      json(response, id, {
        tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })),
      });
    } else if (method === 'prompts/list') {
      json(response, id, { prompts: tools.map((name) => ({ name })) });
    } else if (method === 'prompts/get') {
      json(response, id, { messages: [], description: message.params.name });
    } else if (method === 'tools/call') {
      call(message, response);
    } else response.writeHead(404).end();
  }

  const server: Server = createServer((request, response) => {
    if (isStray(request, response)) return;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      headers.push(request.headers);
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(parts).toString('utf8')) as Message;
      received.push(message);
      answer(message, request, response);
    });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stopListening = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    headers,
    write: (text) => void running?.response.write(text),
    finish(result = { content: [] }) {
      if (running === null) throw new Error('no call is running');
      const { id, response } = running;
      running = null;
      if (response.headersSent) response.end(event({ id, result }));
      else json(response, id, result);
    },
    called: (tool) => new Promise((resolve) => waiting.push({ tool, resolve })),
    async setFault(next) {
      if (fault === 'refuse' && next !== 'refuse') await listen(port);
      if (fault !== 'refuse' && next === 'refuse') await stopListening();
      if (next === 'forget') sessions = new Set();
      fault = next;
    },
    setInstructions(text) {
      instructions = text;
    },
    setTools(names) {
      tools = names;
    },
    async close() {
      if (fault !== 'refuse') await stopListening();
    },
  };
}
