// The gateway joins the lists of all servers into pages. A server is queried once for all clients until it announces a
// change; a slow or unreachable server is left out and named.

import type { ServerResponse } from 'node:http';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { aSession, first, messagesIn, modern, send } from '../support/mcp-messages.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';
import { aServerOfBefore, aTalkingServer } from '../support/mcp-talking-servers.ts';

let hub: TestHub;
let token: string;
let many: Running;
let slow: Running;
let talking: Awaited<ReturnType<typeof aTalkingServer>>;
let before: Awaited<ReturnType<typeof aServerOfBefore>>;
const TOOLS = Array.from({ length: 1_700 }, (_, i) => ({
  name: `tool-${String(i).padStart(4, '0')}`,
  inputSchema: { type: 'object' },
}));

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  many = await aServer((_request, response, body) => {
    const { id, method, params } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    const from = Number(params?.cursor ?? 0);
    const result =
      method === 'tools/list'
        ? {
            tools: TOOLS.slice(from, from + 100),
            ...(from + 100 < TOOLS.length ? { nextCursor: String(from + 100) } : {}),
          }
        : {};
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  // Takes every request, and answers none.
  slow = await aServer(() => undefined);
  [talking, before] = await Promise.all([aTalkingServer(), aServerOfBefore()]);
  const urls = {
    many: many.url,
    slow: slow.url,
    away: 'http://127.0.0.1:9/mcp',
    talking: talking.url,
    before: before.url,
  };
  for (const [slug, url] of Object.entries(urls)) {
    const body = { slug, name: `The ${slug}`, url, auth: { kind: 'none' } };
    expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
  }
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
});
afterAll(async () => {
  await hub.stop();
  await Promise.all([many.close(), slow.close(), talking.close(), before.close()]);
});

async function list(params: object = {}) {
  const asked = modern({ id: 1, method: 'tools/list', params });
  const answer = await first(
    messagesIn(await send(hub, token, asked.body, asked.headers)),
    (message) => message.id === 1,
  );
  return answer;
}
const asked = () => many.requests.filter((request) => request.body.includes('"tools/list"')).length;

test('pages through the lists of all servers, and names missing servers', async () => {
  const page = (await list()).result;
  expect(page.tools).toHaveLength(1_000);
  expect(page._meta['dev.gatewarden/missing']).toEqual([
    { server: 'away', reason: expect.stringContaining('not available') },
    { server: 'slow', reason: expect.stringContaining('in time') },
  ]);
  const secondPage = (await list({ cursor: page.nextCursor })).result;
  const names = [...page.tools, ...secondPage.tools].map((tool: { name: string }) => tool.name);
  expect(secondPage.nextCursor).toBeUndefined();
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name: string) => name.startsWith('many__'))).toHaveLength(TOOLS.length);
  expect(names).toEqual(expect.arrayContaining(['talking__ask', 'before__ask']));
  for (const cursor of ['x', `${page.nextCursor}x`, '1000']) {
    expect((await list({ cursor })).error).toMatchObject({ code: -32602 });
  }
});

test("lists a server's tools once for simultaneous clients", async () => {
  const earlierRequests = asked();
  // An earlier list may still be fresh, so the server is asked at most once more.
  const answers = await Promise.all(Array.from({ length: 20 }, () => list()));
  expect(answers.every((message) => message.result.tools.length === 1_000)).toBe(true);
  expect(asked() - earlierRequests).toBeLessThanOrEqual(TOOLS.length / 100);
});

test('keeps lists of other servers while a server announces changes without pause', async () => {
  const announcement = { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' };
  let stream: ServerResponse | undefined;
  let noisyId = '';
  const listener = await hub.context.database.pool.connect();
  await listener.query('LISTEN gatewarden');
  /** Announces a change of the list, and waits until every hub process was notified. */
  const announceChange = () =>
    new Promise<void>((resolve) => {
      const heard = ({ payload = '' }: { payload?: string | undefined }) => {
        if (!payload.includes(`${noisyId}/prompts`)) return;
        listener.off('notification', heard);
        resolve();
      };
      listener.on('notification', heard);
      stream?.write(`data: ${JSON.stringify(announcement)}\n\n`);
    });
  // Its list is asked for in the midst of such words.
  const calm = await aServer(async (_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (method === 'tools/list') await announceChange();
    const result = method === 'tools/list' ? { tools: [TOOLS[0]], ttlMs: 600_000 } : {};
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  const noisy = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (method !== 'tools/call') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    stream = response;
  });
  for (const [slug, { url }] of Object.entries({ calm, noisy })) {
    const body = { slug, name: `The ${slug}`, url, auth: { kind: 'none' } };
    const created = await hub.console('POST', '/mcp/backends', { body });
    expect(created.status).toBe(201);
    noisyId = created.body.backend.id;
  }
  const controller = new AbortController();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'noisy__x' } };
  const answer = fetch(`${hub.url}/gwone/mcp`, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(call),
  }).catch(() => undefined);
  await expect.poll(() => stream).toBeDefined();
  const lists = () =>
    calm.requests.filter((request) => request.body.includes('"tools/list"')).length;
  for (let i = 0; i < 3; i++) {
    await list();
    await announceChange();
  }
  expect(lists()).toBe(1);
  controller.abort();
  await answer;
  listener.release(true);
  await Promise.all([calm.close(), noisy.close()]);
});

test.each(['talking', 'before'])(
  'queries the %s server again after it announces a tool change',
  async (slug) => {
    const own = async () => {
      const session = await aSession(hub, token);
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await first(
          messagesIn(
            await send(
              hub,
              token,
              { ...body, params: cursor === undefined ? {} : { cursor } },
              session,
            ),
          ),
          (message) => message.id === 1,
        );
        pages.push(...page.result.tools.map((tool: { name: string }) => tool.name));
        cursor = page.result.nextCursor;
      } while (cursor !== undefined);
      return pages.filter((name) => name.startsWith(`${slug}__grown`)).length;
    };
    expect(await own()).toBe(0);
    (slug === 'talking' ? talking : before).grow();
    await expect.poll(own, { timeout: 20_000 }).toBeGreaterThan(0);
  },
);
