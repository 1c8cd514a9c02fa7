// Guardrails and policies apply beyond calls: server messages, subscriptions, completions, and allowed web origins.
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import {
  aSession,
  first,
  listen,
  type Message,
  messagesIn,
  modern,
  send,
} from '../support/mcp-messages.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';

let m: McpHub;
let server: Running;
let streams: ServerResponse[] = [];
let backendId: string;

beforeAll(async () => {
  m = await startMcpHub();
  server = await aServer(
    (request, response, body) => {
      if (request.method === 'GET') {
        streams.push(response);
        response.on('close', () => {
          streams = streams.filter((item) => item !== response);
        });
        return void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(': open\n\n');
      }
      const { id, method } = body === '' ? {} : JSON.parse(body);
      if (method === 'server/discover') return void response.writeHead(404).end();
      if (id === undefined || method === undefined) return void response.writeHead(202).end();
      const results: Record<string, object> = {
        initialize: { capabilities: { resources: { subscribe: true }, completions: {} } },
        'completion/complete': { completion: { values: ['ann@example.com'] } },
      };
      response.writeHead(200, {
        'content-type': 'application/json',
        'mcp-session-id': 'stream-session',
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    },
    { allMethods: true },
  );
  backendId = (await m.aBackend('notices', server.url)).id;
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});
afterEach(async () => {
  // The gateway follows no stream for which no client listens any more.
  await expect.poll(() => streams.length).toBe(0);
  for (const [path, key] of [
    ['/mcp/rules', 'rule_id'],
    ['/mcp/call-rules', 'id'],
  ] as const) {
    const { body } = await m.hub.console('GET', `${path}?limit=200`);
    for (const item of body.items) {
      await m.hub.console('DELETE', `${path}/${item[key]}`, {
        headers: { 'if-match': item.version },
      });
    }
  }
});

const announce = (message: object) => {
  for (const response of streams)
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
};
const log = (data: string) =>
  announce({ method: 'notifications/message', params: { level: 'error', data } });
const guardrail = async (action: string, direction = 'output') =>
  expect(
    (
      await m.hub.console('POST', '/mcp/call-rules', {
        body: {
          name: 'No addresses',
          definition: { kind: 'guardrail', direction, action, detectors: ['email'] },
        },
      })
    ).status,
  ).toBe(201);
async function deny(more: object = {}) {
  const created = await m.hub.console('POST', '/mcp/rules', {
    body: { effect: 'deny', backend_id: backendId, subject: { kind: 'everybody' }, ...more },
  });
  expect(created.status).toBe(201);
  return created.body.rule as { rule_id: string; version: string };
}

/** Opens a session that has called the server, and returns readers of its stream. */
async function openStream() {
  const session = await aSession(m.hub, m.token, { sampling: {} });
  const answer = await listen(m.hub, m.token, session);
  const before = streams.length;
  const read = {
    jsonrpc: '2.0',
    id: 1,
    method: 'resources/read',
    params: { uri: 'gw-notices+memo://a' },
  };
  await (await send(m.hub, m.token, read, session)).text();
  await expect.poll(() => streams.length).toBeGreaterThan(before);
  const stream = messagesIn(answer);
  const words = async () =>
    (await first(stream, (message) => message.method === 'notifications/message')).params
      .data as string;
  const close = async () => {
    await stream.return(undefined);
    // A response that was never read does not end by that.
    if (answer.body?.locked === false) await answer.body.cancel();
  };
  return { stream, words, close };
}

test.each([
  ['block', []],
  ['redact', ['of [REDACTED_EMAIL]']],
  ['monitor', ['of ann@example.com']],
])('applies a guardrail with the action %s to messages on the stream', async (action, passed) => {
  const { words, close } = await openStream();
  await guardrail(action);
  log('of ann@example.com');
  log('of nobody');
  const received: string[] = [];
  while (received.at(-1) !== 'of nobody') received.push(await words());
  expect(received).toEqual([...passed, 'of nobody']);
  await close();
});

/** The server's question on the stream, once it was answered with a refusal. */
async function refused(id: string) {
  const content = { type: 'text', text: 'write to ann@example.com' };
  announce({
    id,
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content }] },
  });
  const answers = () =>
    server.requests
      .filter((request) => request.body.includes(`"id":"${id}"`))
      .map((request) => JSON.parse(request.body));
  await expect.poll(answers).toMatchObject([{ id, error: { code: -32600 } }]);
}

test('rejects an elicitation that a guardrail stops', async () => {
  const { close } = await openStream();
  await guardrail('block');
  await refused('stopped');
  await close();
});

test('silences the open stream of a server while an access policy excludes the user', async () => {
  const { words, close } = await openStream();
  log('before');
  expect(await words()).toBe('before');
  const rule = await deny();
  log('meanwhile');
  // Asked after it, so that it has been dropped by then.
  await refused('denied');
  await m.hub.console('DELETE', `/mcp/rules/${rule.rule_id}`, {
    headers: { 'if-match': rule.version },
  });
  log('after');
  expect(await words()).toBe('after');
  await close();
});

test('forwards messages but no resources to a user with access to a tool only', async () => {
  const { stream, close } = await openStream();
  await m.hub.console('POST', '/mcp/rules', {
    body: {
      effect: 'allow',
      backend_id: backendId,
      subject: { kind: 'person', email: 'somebody@example.com' },
    },
  });
  await m.hub.console('POST', '/mcp/rules', {
    body: {
      effect: 'allow',
      backend_id: backendId,
      tool: 'single',
      subject: { kind: 'person', email: m.email },
    },
  });
  announce({ method: 'notifications/resources/updated', params: { uri: 'memo://a' } });
  log('of the tool');
  const { value } = await stream.next();
  expect(value).toMatchObject({ params: { data: 'of the tool' } });
  await close();
});

test('rejects subscriptions to resources that the user may not read', async () => {
  const asked = () =>
    modern({
      id: 'mine',
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['gw-notices+memo://a'] },
      },
    });
  const acknowledged = async () => {
    const stream = messagesIn(await send(m.hub, m.token, asked().body, asked().headers));
    const { value } = await stream.next();
    await stream.return(undefined);
    return (value as Message).params.notifications;
  };
  expect(await acknowledged()).toEqual({
    toolsListChanged: true,
    resourceSubscriptions: ['gw-notices+memo://a'],
  });
  await deny();
  expect(await acknowledged()).toEqual({ toolsListChanged: true, resourceSubscriptions: [] });
});

test('checks completions in both directions, and leaves completed text unchanged', async () => {
  const complete = async (value: string) => {
    const params = {
      ref: { type: 'ref/prompt', name: 'notices__p' },
      argument: { name: 'to', value },
    };
    const answer = await m.post({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params });
    // biome-ignore lint/suspicious/noExplicitAny: an answer of the protocol
    return (await answer.json()) as any;
  };
  await guardrail('redact', 'both');
  const { result } = await complete('bob@example.com');
  expect(result.completion.values).toEqual(['[REDACTED_EMAIL]']);
  const { params } = JSON.parse(
    server.requests.findLast((request) => request.body.includes('"completion/complete"'))?.body ??
      '',
  );
  expect(params).toMatchObject({ ref: { name: 'p' }, argument: { value: '[REDACTED_EMAIL]' } });
  await guardrail('block', 'input');
  expect((await complete('bob@example.com')).error).toMatchObject({ code: -32602 });
});

test('counts streams per user of a shared token', async () => {
  const { body: settings, headers } = await m.hub.console('GET', '/mcp/settings');
  await m.hub.console('PUT', '/mcp/settings', {
    headers: { 'if-match': headers.get('etag') ?? '' },
    body: { ...settings.settings, version: undefined, allowed_email_domains: ['example.com'] },
  });
  const created = await m.hub.console('POST', `/mcp/backends/${backendId}/api-tokens`, {
    body: { name: 'Shared', agent: 'bot' },
  });
  const { body, headers: of } = modern({
    id: 'mine',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true } },
  });
  const controller = new AbortController();
  const open = (mcpuser: string) =>
    fetch(`${m.hub.url}/notices/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${created.body.token.secret}`,
        'user-agent': 'bot/1',
        mcpuser,
        ...of,
      },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
  const all = await Promise.all(Array.from({ length: 256 }, () => open('ann@example.com')));
  expect(new Set(all.map((response) => response.status))).toEqual(new Set([200]));
  expect((await open('Ann@example.com')).status).toBe(429);
  expect((await open('bob@example.com')).status).toBe(200);
  controller.abort();
});

test('lets a page of an allowed origin repeat arguments in any header', async () => {
  const origin = 'https://page.example';
  const { body: settings, headers } = await m.hub.console('GET', '/mcp/settings');
  await m.hub.console('PUT', '/mcp/settings', {
    headers: { 'if-match': headers.get('etag') ?? '' },
    body: { ...settings.settings, version: undefined, allowed_origins: [origin] },
  });
  const asked = async (from: string, names: string) => {
    const answer = await fetch(`${m.hub.url}/notices/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': names,
      },
    });
    const allowed = answer.headers.get('access-control-allow-headers')?.split(', ') ?? [];
    return {
      status: answer.status,
      vary: answer.headers.get('vary'),
      allowed: allowed.filter((value) => value.startsWith('mcp-param-') || value === 'x-other'),
    };
  };
  expect(
    await asked(origin, 'authorization,mcp-param-region,Mcp-Param-Tenant_Id, x-other,mcp-param-'),
  ).toEqual({
    status: 204,
    vary: 'Origin, Access-Control-Request-Headers',
    allowed: ['mcp-param-region', 'mcp-param-tenant_id'],
  });
  const many = Array.from({ length: 200 }, (_, i) => `mcp-param-${i}`).join(',');
  expect((await asked(origin, many)).allowed).toHaveLength(32);
  expect(await asked('https://other.example', 'mcp-param-region')).toMatchObject({
    status: 403,
    allowed: [],
  });
});
