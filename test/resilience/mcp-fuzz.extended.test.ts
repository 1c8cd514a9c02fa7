// Random client messages, random server responses and random OAuth calls: every response is timely and valid, never a
// 5xx, no client token reaches a server, and valid calls continue. GATEWARDEN_FUZZ=100000 is the long run.
import { seededRandom } from '@gatewarden/agent/test/random.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE, HOSTILE_TEXTS } from '../support/hostile.ts';
import { aToken } from '../support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { MODERN } from '../support/mcp-messages.ts';
import { aModernServer, aServer, type Running } from '../support/mcp-servers.ts';

const RUNS = Number(process.env.GATEWARDEN_FUZZ ?? 600);
const SEED = Number(process.env.GATEWARDEN_SEED ?? Date.now() % 1_000_000);
const AT_ONCE = 4;
const PATIENCE_MS = Math.max(300_000, RUNS * 100);
/** Longer than any limit that the hub sets itself for these calls. */
const ANSWER_MS = 60_000;

const random = seededRandom(SEED);
const chance = (share: number) => random() < share;
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

let mcp: McpHub;
let good: Running;
let mad: Running;
const sessions: string[] = [];
/** Tokens by URL; each is valid at that URL alone. */
const tokens = new Map<string, string>();

beforeAll(async () => {
  mcp = await startMcpHub();
  good = await aModernServer();
  mad = await aServer(
    (_request, response, body) => {
      const { type, text, status } = madAnswer(body);
      response.writeHead(status, { 'content-type': type, 'set-cookie': 'of=server' });
      if (chance(0.05)) response.write(text.slice(0, 10));
      if (chance(0.05)) response.destroy();
      else response.end(text);
    },
    { allMethods: true },
  );
  await mcp.aBackend('good', good.url);
  await mcp.aBackend('mad', mad.url);
  for (const prefix of ['/gwone', '/good', '/mad', `/gwone/${mcp.hub.tenantId}`]) {
    tokens.set(`${prefix}/mcp`, await aToken(mcp.hub, mcp.email, { prefix }));
  }
});
afterAll(async () => {
  await mcp?.hub.stop();
  await Promise.all([good?.close(), mad?.close()]);
});

/** Any part of a value may become anything. */
function mutated(value: unknown, share: number): unknown {
  if (chance(share)) return pick(HOSTILE);
  if (Array.isArray(value)) return value.map((item) => mutated(item, share));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(() => !chance(share / 2));
  const mutatedMembers = members.map(([name, member]) => [name, mutated(member, share)]);
  if (chance(share)) mutatedMembers.push([pick(HOSTILE_TEXTS), pick(HOSTILE)]);
  return Object.fromEntries(mutatedMembers);
}

const broken = (text: string) =>
  pick([
    text.slice(0, Math.floor(random() * text.length)),
    text + text,
    `[${text},${text}]`,
    text.replace(/\d/, '9'.repeat(400)),
    text.replace('"jsonrpc":', '"jsonrpc":"1.0","jsonrpc":'),
    `${'['.repeat(5_000)}${text}`,
    '',
  ]);

function madAnswer(body: string): { type: string; text: string; status: number } {
  let id: unknown = 1;
  try {
    id = JSON.parse(body).id;
  } catch {
    // No message: it is answered all the same.
  }
  const share = pick([0, 0.02, 0.1, 0.5]);
  const tool = {
    name: pick(['do', 'a__b', ...HOSTILE_TEXTS]),
    description: 'x',
    inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'a' } } },
  };
  const result = pick<object>([
    { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'm' } },
    { tools: [tool, tool], nextCursor: pick([undefined, 'a', '']) },
    { content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } },
    {
      resultType: 'input_required',
      inputRequests: { a: { method: 'roots/list' } },
      requestState: 's',
    },
    { resources: [{ uri: 'memo://a', name: 'a' }] },
    { contents: [{ uri: 'memo://a', text: 'a' }] },
    {},
  ]);
  const message = mutated(
    pick<object>([
      { jsonrpc: '2.0', id, result },
      { jsonrpc: '2.0', id, error: { code: -32_000, message: 'no', data: { a: [1] } } },
      { jsonrpc: '2.0', id: 7, method: 'sampling/createMessage', params: { messages: [] } },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    ]),
    share,
  );
  const json = chance(share) ? broken(JSON.stringify(message)) : JSON.stringify(message);
  const isStream = chance(0.4);
  return {
    type: isStream
      ? 'text/event-stream'
      : pick(['application/json', 'application/json', 'text/html']),
    text: isStream ? `${pick(['', 'id: 1\n', 'retry: x\n', ':c\n'])}data: ${json}\n\n` : json,
    status: chance(share) ? pick([202, 204, 301, 400, 401, 404, 429, 500, 503]) : 200,
  };
}

/** A message that a client may send, or almost. */
function aMessage(): {
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string;
} {
  const share = pick([0, 0, 0.03, 0.15]);
  const isModern = chance(0.5);
  const named = {
    name: pick(['good__greet', 'mad__do', 'greet', 'do', 'none__x']),
    arguments: { a: 'b' },
  };
  const [method, params] = pick<[string, object]>([
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't' } }],
    ['tools/list', {}],
    ['tools/list', { cursor: pick([...HOSTILE_TEXTS, 'a']) }],
    ['tools/call', named],
    ['tools/call', { ...named, requestState: 'gw1.x', inputResponses: { a: {} } }],
    ['resources/list', {}],
    ['resources/read', { uri: 'memo://note' }],
    ['prompts/get', { name: 'mad__do' }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'mad__do' }, argument: { name: 'a', value: '' } },
    ],
    ['ping', {}],
    ['server/discover', {}],
    ['logging/setLevel', { level: 'info' }],
    ['notifications/cancelled', { requestId: 1 }],
    ['notifications/initialized', {}],
    ['tasks/get', { taskId: '1' }],
    [pick(HOSTILE_TEXTS), {}],
  ]);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { sampling: {}, elicitation: {} },
  };
  const message = mutated(
    {
      jsonrpc: '2.0',
      ...(method.startsWith('notifications/') ? {} : { id: pick([1, 'a', 2 ** 53 - 1]) }),
      method,
      params: isModern ? { ...params, _meta: meta } : params,
    },
    share,
  );
  const json = JSON.stringify(message);
  const name = 'name' in params ? String(params.name) : 'uri' in params ? String(params.uri) : null;
  const headers: Record<string, string> = {
    'content-type': chance(share) ? 'text/plain' : 'application/json',
    accept: chance(share) ? '*/*' : 'application/json, text/event-stream',
    'mcp-protocol-version': chance(share) ? '1999-01-01' : isModern ? MODERN : '2025-11-25',
  };
  if (isModern) {
    headers['mcp-method'] = chance(share) ? 'ping' : inHeader(method);
    if (name !== null) headers['mcp-name'] = inHeader(name);
    if (chance(share)) headers[`mcp-param-${pick(['a', 'b'])}`] = inHeader(pick(HOSTILE_TEXTS));
  } else if (method !== 'initialize' && sessions.length > 0) {
    headers['mcp-session-id'] = chance(share) ? 'x' : pick(sessions);
  }
  return {
    path: pick([...tokens.keys()]),
    method: chance(share) ? pick(['DELETE', 'PUT']) : 'POST',
    headers,
    body: chance(share) ? broken(json) : json,
  };
}

const inHeader = (text: string) =>
  text
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 200)
    .trim();

async function inLanes(work: () => Promise<void>): Promise<void> {
  let sentCount = 0;
  const lane = async () => {
    while (sentCount++ < RUNS) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Returns the fault in an answer of the gateway; null if there is none. */
function faultOf(answer: Response, text: string): string | null {
  if (answer.status >= 500) return `a status of ${answer.status}`;
  if (answer.headers.has('set-cookie')) return 'a cookie of the server';
  if (answer.headers.get('x-content-type-options') !== 'nosniff') return 'no nosniff';
  if (text === '') return null;
  const type = answer.headers.get('content-type') ?? '';
  const messages = type.startsWith('text/event-stream')
    ? text
        .split('\n')
        .filter((line) => /^data: ?\S/.test(line))
        .map((line) => line.replace(/^data: ?/, ''))
    : [text];
  if (!/^(application\/json|text\/event-stream)/.test(type)) return `a type of ${type}`;
  for (const value of messages) {
    const message = parsed(value);
    const isOAuthError = answer.status === 401 && typeof message?.error === 'string';
    if (message?.jsonrpc !== '2.0' && !isOAuthError && message?.request_id === undefined) {
      return 'something that is no JSON-RPC';
    }
  }
  return null;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked into
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

describe('fuzzed gateway', () => {
  it(
    'answers any message in time with a valid response, whatever its servers send',
    async () => {
      const wrong = new Map<string, string>();
      const statuses = new Map<number, number>();
      await inLanes(async () => {
        const { path, method, headers, body } = aMessage();
        const sent = `${method} ${path} ${JSON.stringify(headers)} ${body.slice(0, 600)}`;
        try {
          const answer = await fetch(mcp.hub.url + path, {
            method,
            headers: { authorization: `Bearer ${tokens.get(path)}`, ...headers },
            body,
            redirect: 'manual',
            signal: AbortSignal.timeout(ANSWER_MS),
          });
          const text = await answer.text();
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const session = answer.headers.get('mcp-session-id');
          if (session !== null && sessions.push(session) > 20) sessions.shift();
          const fault = faultOf(answer, text);
          if (fault !== null) wrong.set(fault, `${sent} → ${text.slice(0, 400)}`);
        } catch (error) {
          wrong.set(`${(error as Error).name}`, `${sent} ${String((error as Error).cause)}`);
        }
      });
      if (process.env.GATEWARDEN_FUZZ !== undefined) {
        process.stdout.write(`${JSON.stringify([...statuses])}\n`);
      }
      expect(Object.fromEntries(wrong), `seed ${SEED}`).toEqual({});
      expect(statuses.get(200)).toBeGreaterThan(RUNS / 8);
      for (const { requests } of [good, mad]) {
        expect(requests.length).toBeGreaterThan(0);
        const bodies = JSON.stringify(requests);
        for (const token of tokens.values()) expect(bodies).not.toContain(token);
      }
      const honest = await mcp.post({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'good__greet', arguments: {} },
      });
      expect(await honest.text()).toContain('hello');
    },
    PATIENCE_MS,
  );
});

describe('fuzzed OAuth server', () => {
  const PATHS = [
    ...['/oauth/authorize', '/oauth/token', '/oauth/register', '/oauth/userinfo', '/oauth/consent'],
    ...['/userinfo', '/api/mcp_base_url', '/mcp'],
  ];
  const PREFIXES = ['', '/gwone', '/good', '/mad', '/none', '/%00', '/..%2f'];
  const WELL_KNOWN = [
    'oauth-authorization-server',
    'oauth-protected-resource',
    'openid-configuration',
  ];

  it(
    'answers any OAuth call with a valid response, and redirects nowhere else',
    async () => {
      const wrong = new Map<string, string>();
      await inLanes(async () => {
        const { url, init } = anOAuthCall();
        let answer: Response;
        try {
          answer = await fetch(mcp.hub.url + url, init);
        } catch (error) {
          wrong.set(String((error as Error).cause), `${init.method} ${url} ${String(init.body)}`);
          return;
        }
        const text = await answer.text();
        const exchange = `${init.method} ${url} ${String(init.body).slice(0, 300)} → ${answer.status} ${text.slice(0, 300)}`;
        if (answer.status >= 500) wrong.set(`${answer.status}`, exchange);
        const location = answer.headers.get('location');
        if (location !== null && !isAllowed(location))
          wrong.set('a way elsewhere', `${exchange} ${location}`);
        const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
        if (isJson && parsed(text) === null && text !== '') wrong.set('no JSON', exchange);
      });
      expect(Object.fromEntries(wrong), `seed ${SEED}`).toEqual({});
    },
    PATIENCE_MS,
  );

  const isAllowed = (location: string) =>
    location.startsWith('/')
      ? !location.startsWith('//')
      : [mcp.hub.url, 'http://127.0.0.1:1234'].some((value) => location.startsWith(`${value}/`));

  function anOAuthCall(): { url: string; init: RequestInit } {
    const path = chance(0.3)
      ? `/.well-known/${pick(WELL_KNOWN)}${pick(PREFIXES)}${pick(['', '/mcp', '/'])}`
      : `${pick([...PREFIXES, `/gwone/${mcp.hub.tenantId}`])}${pick(PATHS)}`;
    const fields: Record<string, string> = {
      response_type: 'code',
      client_id: pick(['gateway-onemcp', `gateway-onemcp-${mcp.hub.tenantId}`]),
      redirect_uri: 'http://127.0.0.1:1234/cb',
      scope: 'openid email',
      state: 's',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      resource: `${mcp.hub.url}/gwone/mcp`,
      grant_type: pick(['authorization_code', 'refresh_token', 'client_credentials']),
      code: 'x',
      refresh_token: 'x',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    };
    const share = pick([0, 0.05, 0.3]);
    const odd = Object.entries(fields)
      .filter(() => !chance(share))
      .map(([name, value]) => [name, chance(share) ? String(pick(HOSTILE)).toWellFormed() : value]);
    const sent = new URLSearchParams(odd as [string, string][]).toString();
    const method = pick(['GET', 'POST', 'POST', 'PUT']);
    if (method === 'GET') return { url: `${path}?${sent}`, init: { method, redirect: 'manual' } };
    const isJson = path.endsWith('register') || chance(share);
    const metadata = mutated(
      {
        redirect_uris: ['http://127.0.0.1:1234/cb'],
        client_name: 'x',
        grant_types: ['authorization_code'],
      },
      share,
    );
    return {
      url: path,
      init: {
        method,
        redirect: 'manual',
        headers: {
          'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
        },
        body: isJson ? JSON.stringify(metadata) : sent,
      },
    };
  }
});
