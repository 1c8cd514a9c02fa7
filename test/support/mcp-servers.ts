// Real MCP servers behind the gateway: a server of the newest SDK in this process, a package of npm as a program of its
// own, and a server whose answers a test defines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { freePort } from './programs.ts';
import { isStray } from './stray-requests.ts';

export interface Running {
  url: string;
  /** The headers of each request that arrived, newest last. */
  requests: { method: string; headers: IncomingMessage['headers']; body: string }[];
  close(): Promise<void>;
}

/** Starts a server whose answers `respond` sends. */
export async function aServer(
  respond: (
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
  ) => void | Promise<void>,
  options: { allMethods?: boolean } = {},
): Promise<Running> {
  const requests: Running['requests'] = [];
  const server = createServer((request, response) => {
    if (isStray(request, response)) return;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      // Tests define answers to messages only, so the server offers no stream besides.
      if (request.method !== 'POST' && !options.allMethods && !isWellKnown(request)) {
        response.writeHead(405).end();
        return;
      }
      requests.push({ method: request.method ?? '', headers: request.headers, body });
      void respond(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The newest official SDK: serves both revisions, without sessions. */
export async function aModernServer(): Promise<Running> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'modern', version: '1.0.0' });
    server.registerTool('greet', { description: 'Greets' }, async () => ({
      content: [{ type: 'text', text: 'hello' }],
    }));
    server.registerTool('secret-tool', { description: 'Not for everybody' }, async () => ({
      content: [{ type: 'text', text: 'hidden' }],
    }));
    server.registerResource('note', 'memo://note', {}, async (uri) => ({
      contents: [{ uri: uri.href, text: 'a note' }],
    }));
    return server;
  });
  return aServer(async (request, response, body) => {
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([k, v]): [string, string] => [k, String(v)]),
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

/** `@modelcontextprotocol/server-everything`: the older revision, with sessions, progress and its own requests. */
export async function everythingServer(
  known?: number,
  transport: 'streamableHttp' | 'sse' = 'streamableHttp',
): Promise<{ url: string; close(): Promise<void> }> {
  const port = known ?? (await freePort());
  const main = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  );
  const child = spawn(process.execPath, [main, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({ input: child.stderr });
  for await (const line of lines) if (/listening|is running/.test(line)) break;
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const isWellKnown = ({ url }: IncomingMessage) => url?.startsWith('/.well-known/') ?? false;

type Answering = (
  // biome-ignore lint/suspicious/noExplicitAny: parameters of the protocol, looked into by tests
  params: any,
  response: ServerResponse,
) => object | undefined | Promise<object | undefined>;

/**
 * Starts a server of the revision before, without sessions: each method answers with the result of its function, or the
 * function answers by itself and returns nothing.
 */
export function anOldServer(answers: Record<string, Answering>): Promise<Running> {
  return aServer(async (_request, response, body) => {
    const { id, method, params } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (id === undefined || method === undefined) return void response.writeHead(202).end();
    const initialized = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'old', version: '1' },
    };
    const result =
      method === 'initialize' ? initialized : await (answers[method] ?? none)(params, response);
    if (result === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
}

const none: Answering = (_params, response) => void response.writeHead(404).end();
