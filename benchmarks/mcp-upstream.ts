// A minimal MCP server of the official SDK, and before it a proxy that passes everything through: what the gateway is
// measured against.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import { Pool } from 'undici';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool('greet', { description: 'Greets' }, async () => ({
    content: [{ type: 'text', text: 'hello' }],
  }));
  return server;
});
const upstream = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const headers = Object.entries(request.headers).map(([k, v]): [string, string] => [
      k,
      String(v),
    ]);
    const asked = new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    void handler.fetch(asked).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
});
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;

const proxy = Fastify();
proxy.removeAllContentTypeParsers();
proxy.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
const pool = new Pool(origin, { connections: 64, pipelining: 1 });
proxy.post('/mcp', async (request, reply) => {
  const {
    host: _host,
    connection: _connection,
    'content-length': _length,
    authorization: _auth,
    ...headers
  } = request.headers;
  const answer = await pool.request({
    path: '/mcp',
    method: 'POST',
    headers,
    body: request.body as Buffer,
  });
  return reply
    .code(answer.statusCode)
    .header('content-type', answer.headers['content-type'])
    .send(answer.body);
});
const proxied = await proxy.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${origin}/mcp ${proxied}\n`);
