// A user who revokes a credential for a server ends streams and calls that it started, and only newer credentials
// continue. Credentials of a disabled user stay stored and unused.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aToken, signedInBrowser } from '../support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aSession, type Message, messagesIn, send } from '../support/mcp-messages.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';

const KEY = 'x-key';
let at: McpHub;
let secondHub: TestHub;
let server: Running;
let backend: { id: string };
let pages: Awaited<ReturnType<typeof signedInBrowser>>;
/** Streams besides answers, and running calls, by the key with which each was opened. */
const open = { streams: [] as string[], calls: [] as string[] };

beforeAll(async () => {
  server = await aServer(
    (request, response, body) => {
      const key = String(request.headers[KEY]);
      const keepOpen = (kind: 'streams' | 'calls') => {
        open[kind].push(key);
        response.once('close', () => open[kind].splice(open[kind].indexOf(key), 1));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': open\n\n');
      };
      if (request.method === 'GET') return keepOpen('streams');
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body);
      if (method === 'server/discover') return void response.writeHead(404).end();
      if (id === undefined) return void response.writeHead(202).end();
      if (params?.name === 'hang') return keepOpen('calls');
      const result = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 's', version: '1' },
        },
        'tools/list': { tools: [{ name: 'hang', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [] },
      }[method as string];
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': key });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    },
    { allMethods: true },
  );
  at = await startMcpHub();
  secondHub = await startTestHub(at.hub.config);
  backend = await at.aBackend('own', server.url, { auth: { kind: 'personal_key', header: KEY } });
  pages = await signedInBrowser(at.hub, at.email);
});
afterAll(async () => {
  await server.close();
  await secondHub.stop();
  await at.hub.stop();
});

const give = async (secret: string) => {
  const stored = await pages.console('PUT', `/mcp/connections/${backend.id}`, { secret });
  expect(stored.status).toBe(200);
};
const takeBack = async () =>
  expect((await pages.console('DELETE', `/mcp/connections/${backend.id}`)).status).toBe(200);
const call = (name: string, hub: TestHub, session: Record<string, string>) =>
  send(
    hub,
    at.token,
    { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name: `own__${name}` } },
    session,
  );

beforeEach(() => give('first'));

/** A person who was disabled needs a new session and a new token. */
async function signInAgain() {
  pages = await signedInBrowser(at.hub, at.email);
  at = { ...at, token: await aToken(at.hub, at.email, { prefix: '/gwone' }) };
}

/** Opens a session's stream, subscribes to its list, and starts a call that does not end, all at a single hub. */
async function openSession(hub: TestHub) {
  const session = await aSession(hub, at.token);
  await call('quick', hub, session);
  await (await send(hub, at.token, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).text();
  const controller = new AbortController();
  await fetch(`${hub.url}/gwone/mcp`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${at.token}`, ...session },
    signal: controller.signal,
  });
  const hanging = call('hang', hub, session);
  const soon = { timeout: 10_000 };
  await expect.poll(() => open.calls, soon).toEqual(['first']);
  // Streams of the session and of every subscription to the list, also those of an earlier test.
  await expect.poll(() => open.streams.length, soon).toBeGreaterThanOrEqual(2);
  expect(new Set(open.streams)).toEqual(new Set(['first']));
  return { hanging, end: () => controller.abort() };
}

/** Longer than the pause before the gateway opens a stream again. */
const RECONNECT_MS = 1_500;

/** Fails when the gateway opens a stream to the server within the time of a reconnect. */
async function expectNoReconnect(): Promise<void> {
  const end = performance.now() + RECONNECT_MS;
  while (performance.now() < end) {
    expect(open.streams).toEqual([]);
    await sleep(50);
  }
}

test.each(['here', 'at the other hub'])(
  'ends open streams and calls of a revoked key %s',
  async (where) => {
    const { hanging, end } = await openSession(where === 'here' ? at.hub : secondHub);
    await takeBack();
    await expect.poll(() => open, { timeout: 5_000 }).toEqual({ streams: [], calls: [] });
    const answers: Message[] = [];
    for await (const message of messagesIn(await hanging)) answers.push(message);
    expect(answers.at(-1)?.error?.message).toMatch(/requires your own API key/);
    await expectNoReconnect();
    end();
  },
);

test('replaces a key, and lets running calls finish', async () => {
  const { end } = await openSession(at.hub);
  await give('second');
  const keys = () => [...new Set(open.streams)];
  await expect.poll(keys, { timeout: 10_000 }).toEqual(['second']);
  expect(open.calls).toEqual(['first']);
  end();
  await takeBack();
});

/** Returns a function that disables or enables the person in the console, or through SCIM as a directory does. */
async function aSwitch(by: 'console' | 'directory'): Promise<(isOn: boolean) => Promise<void>> {
  if (by === 'console') {
    const users = await at.hub.console('GET', `/users?query=${at.email}`);
    const path = `/users/${users.body.items[0].user_id}`;
    return async (isOn) => {
      const { headers } = await at.hub.console('GET', path);
      const ifMatch = { 'if-match': headers.get('etag') ?? '' };
      const changed = { body: { disabled: !isOn }, headers: ifMatch };
      expect((await at.hub.console('PATCH', path, changed)).status).toBe(200);
    };
  }
  const created = await at.hub.console('POST', '/scim-tokens', {
    body: { name: `directory ${Date.now()}`, expires_in_days: 30 },
  });
  const scim = async (path: string, init: RequestInit = {}) => {
    const headers = {
      authorization: `Bearer ${created.body.secret}`,
      'content-type': 'application/scim+json',
    };
    const answer = await fetch(`${at.hub.url}/scim/v2/Users${path}`, { ...init, headers });
    expect(answer.status).toBe(200);
    return answer.json() as Promise<{ Resources: { id: string }[] }>;
  };
  const [user] = (await scim(`?filter=${encodeURIComponent(`userName eq "${at.email}"`)}`))
    .Resources;
  return async (isOn) => {
    const active = { op: 'replace', path: 'active', value: isOn };
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    const body = JSON.stringify({ schemas, Operations: [active] });
    await scim(`/${user?.id}`, { method: 'PATCH', body });
  };
}

test.each([
  ['console', 'here'],
  ['console', 'at the other hub'],
  ['directory', 'here'],
  ['directory', 'at the other hub'],
] as const)(
  "ends everything that a user's key opened when the %s disables the user %s, until the user is enabled",
  async (by, where) => {
    const turn = await aSwitch(by);
    const { hanging, end } = await openSession(where === 'here' ? at.hub : secondHub);
    await turn(false);
    await expect.poll(() => open, { timeout: 5_000 }).toEqual({ streams: [], calls: [] });
    const answers: Message[] = [];
    for await (const message of messagesIn(await hanging)) answers.push(message);
    expect(answers.at(-1)?.error?.message).toMatch(/no longer has access/);
    await expectNoReconnect();
    end();
    await turn(true);
    expect((await call('quick', at.hub, {})).status).toBe(401);
    await signInAgain();
    await give('first');
    const quick = async () => (await call('quick', at.hub, {})).status;
    await expect.poll(quick, { timeout: 5_000 }).toBe(200);
  },
);

test('ends open calls of a user whose e-mail domain is no longer allowed', async () => {
  const { end } = await openSession(secondHub);
  const allow = async (allowed_email_domains: string[]) => {
    const { body } = await at.hub.console('GET', '/mcp/settings');
    const headers = { 'if-match': body.settings.version };
    const changed = { body: { allowed_email_domains }, headers };
    expect((await at.hub.console('PUT', '/mcp/settings', changed)).status).toBe(200);
  };
  await allow(['elsewhere.example']);
  await expect.poll(() => open, { timeout: 5_000 }).toEqual({ streams: [], calls: [] });
  await allow([]);
  end();
});

test.each(['here', 'at the other hub'])(
  'ends open calls when an access policy closes the server %s, and allows calls after its removal',
  async (where) => {
    const { hanging, end } = await openSession(where === 'here' ? at.hub : secondHub);
    const rule = await at.hub.console('POST', '/mcp/rules', {
      body: {
        backend_id: backend.id,
        effect: 'deny',
        subject: { kind: 'person', email: at.email },
      },
    });
    expect(rule.status, JSON.stringify(rule.body)).toBe(201);
    await expect.poll(() => open, { timeout: 5_000 }).toEqual({ streams: [], calls: [] });
    const answers: Message[] = [];
    for await (const message of messagesIn(await hanging)) answers.push(message);
    expect(answers.at(-1)?.error?.message).toMatch(
      /Your access to the MCP server "The own" was removed/,
    );
    await expectNoReconnect();
    end();
    const path = `/mcp/rules/${rule.body.rule.rule_id}`;
    const headers = { 'if-match': rule.body.rule.version };
    expect((await at.hub.console('DELETE', path, { headers })).status).toBe(200);
    const quick = async () => (await call('quick', at.hub, {})).status;
    await expect.poll(quick, { timeout: 5_000 }).toBe(200);
  },
);
