// Request bodies from unauthenticated clients are bounded at every route, in a budget apart from that of devices.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, inFlightBodyBytes } from '../../../../../test/support/hub.ts';
import { aPerson, aToken } from '../../../../../test/support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../../../../../test/support/mcp-hub.ts';
import { aSession, listen, messagesIn, modern } from '../../../../../test/support/mcp-messages.ts';
import { createLog } from '../../telemetry/log.ts';
import { createMetrics } from '../../telemetry/metrics.ts';
import { createApp } from '../server/app.ts';
import { listen as listenOn } from '../server/listener.ts';
import { assignBodyBudget, releaseBody } from './in-flight-bodies.ts';
import { createInFlightBytesLimiter } from './in-flight-bytes.ts';

const MESSAGE = 4 * 1024 * 1024;
const FORM = 64 * 1024;
const SIGN_IN = 16 * 1024;
const BUDGET = 128 * 1024 * 1024;
const BYTES = Buffer.alloc(MESSAGE, ' ');

/** Requests of this test, each on its own connection; they end with the test. */
const requests: ClientRequest[] = [];
afterEach(() => {
  for (const pending of requests.splice(0)) pending.destroy();
});

function begin(url: string, headers: Record<string, string | number>, method = 'POST') {
  const pending = request(url, { method, agent: false, headers });
  pending.on('error', () => undefined);
  requests.push(pending);
  return pending;
}

/** Announces a body and sends everything except the last byte. */
function unfinished(
  url: string,
  bytes: number,
  headers: Record<string, string> = {},
  method = 'POST',
) {
  const all = { 'content-type': 'application/json', 'content-length': bytes, ...headers };
  const pending = begin(url, all, method);
  pending.write(BYTES.subarray(0, bytes - 1));
  return pending;
}

async function responseTo(request: ClientRequest) {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of answer) text += part;
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], text };
}

describe('request bodies of a hub', () => {
  let at: McpHub;
  beforeAll(async () => {
    at = await startMcpHub();
  });
  afterAll(() => at.hub.stop());

  const bodyBytes = () => inFlightBodyBytes(at.hub);
  const withToken = (token: string) => ({ authorization: `Bearer ${token}` });
  /** Sends a message without its last byte. */
  const aMessage = (token = at.token) =>
    unfinished(`${at.hub.url}/gwone/mcp`, MESSAGE, withToken(token));
  const ping = async (token: string) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const answer = await at.post(message, withToken(token));
    if (answer.status === 503) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    return answer.status;
  };

  it('counts announced bodies, and releases them on the response or a disconnect', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const message = aMessage();
    const pendingForms = [
      unfinished(`${at.hub.url}/gwone/oauth/token`, FORM, form),
      unfinished(`${at.hub.url}/auth/interaction/none`, SIGN_IN, form),
    ];
    await expect.poll(bodyBytes).toBe(MESSAGE + FORM + SIGN_IN);
    message.end(' ');
    expect((await responseTo(message)).status).toBe(400);
    await expect.poll(bodyBytes).toBe(FORM + SIGN_IN);
    for (const pending of pendingForms) pending.destroy();
    await expect.poll(bodyBytes).toBe(0);
  });

  it('reserves the largest form for a body without a length at open routes', async () => {
    const form = {
      'content-type': 'application/x-www-form-urlencoded',
      'transfer-encoding': 'chunked',
    };
    const sent = ['/gwone/oauth/token', '/auth/interaction/none', '/auth/token'].map((path) => {
      const pending = begin(at.hub.url + path, form);
      pending.write('a=');
      return pending;
    });
    await expect.poll(bodyBytes).toBe(FORM + SIGN_IN + FORM);
    for (const pending of sent) pending.destroy();
    await expect.poll(bodyBytes).toBe(0);
  });

  it('bounds all bodies, keeps no device out, and yields to authenticated bodies', async () => {
    const anotherToken = async () => {
      const { email } = await aPerson(at.hub);
      return aToken(at.hub, email, { prefix: '/gwone' });
    };
    const [second, third] = [await anotherToken(), await anotherToken()];
    const closed: ClientRequest[] = [];
    const all = BUDGET / MESSAGE;
    // A single client gets no more than three quarters.
    const clients = Array.from({ length: all }, (_, i) =>
      aMessage(i < (all * 3) / 4 ? at.token : second),
    );
    for (const pending of clients) pending.on('close', () => closed.push(pending));
    await expect.poll(bodyBytes, { timeout: 20_000 }).toBe(BUDGET);
    const batch = aBatch(aDevice(), [anEntity('a')]);
    const push = await deviceCall(at.hub, 'POST', '/ea/v1/sync/discovered-apps', { body: batch });
    expect(push.status).toBe(202);
    await expect.poll(bodyBytes).toBe(BUDGET);
    // The bodies that fill the limiter may not be stalled yet.
    await expect.poll(() => ping(third), { timeout: 20_000 }).toBe(200);
    await expect.poll(() => closed.length).toBe(1);
    for (const pending of clients) pending.destroy();
    await expect.poll(bodyBytes).toBe(0);
  });

  it('counts bodies per token, whatever subscriber they name', async () => {
    await at.hub.console('PUT', '/mcp/settings', {
      body: { allowed_email_domains: ['example.com'] },
    });
    const backend = await at.aBackend('names', 'http://127.0.0.1:9/');
    const issued = await at.hub.console('POST', `/mcp/backends/${backend.id}/api-tokens`, {
      body: { name: 'script', agent: 'bot' },
    });
    const send = (i: number) =>
      unfinished(`${at.hub.url}/names/mcp`, MESSAGE, {
        ...withToken(issued.body.token.secret),
        'user-agent': 'bot/1',
        mcpuser: `someone-${i}@example.com`,
      });
    const share = (BUDGET * 3) / 4;
    const first = Array.from({ length: share / MESSAGE }, (_, i) => send(i));
    await expect.poll(bodyBytes, { timeout: 20_000 }).toBe(share);
    // The bodies that fill the limiter may be stalled by now; then the oldest of them is aborted.
    const outcome = new Promise((resolve) => {
      for (const old of first) old.on('close', () => resolve('cut'));
      send(-1).on('response', (answer) => resolve(answer.statusCode));
    });
    expect([503, 'cut']).toContain(await outcome);
    await expect.poll(bodyBytes).toBe(share);
  });

  it("keeps bodies without a token out of the MCP gateway's budget, and rejects them before they are sent", async () => {
    const answers = await Promise.all(
      Array.from({ length: 2 * (BUDGET / MESSAGE) }, () => {
        const pending = begin(`${at.hub.url}/gwone/mcp`, {
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        });
        pending.write('{');
        return responseTo(pending);
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await bodyBytes()).toBe(0);
    expect(await ping(at.token)).toBe(200);
  });

  it('rejects a late body whose token was revoked meanwhile', async () => {
    const { email } = await aPerson(at.hub);
    const token = await aToken(at.hub, email, { prefix: '/gwone' });
    const late = aMessage(token);
    await expect.poll(bodyBytes).toBe(MESSAGE);
    const { body } = await at.hub.console('GET', '/mcp/tokens?of=all&limit=200');
    const issued = body.items.find((pending: { email: string }) => pending.email === email);
    expect((await at.hub.console('DELETE', `/mcp/tokens/${issued.id}`)).status).toBe(200);
    await expect.poll(() => ping(token)).toBe(401);
    late.end(' ');
    expect((await responseTo(late)).status).toBe(401);
  });

  it('reserves nothing for an unauthenticated client, however much it announces', async () => {
    const pending = unfinished(
      `${at.hub.url}/console/api/v1/tenants/${at.hub.tenantId}/leaked-keys/find`,
      FORM,
    );
    expect((await responseTo(pending)).status).toBe(401);
    expect(await bodyBytes()).toBe(0);
  });

  it('releases the request body of a stream of the MCP gateway', async () => {
    const message = modern({
      id: 'listen',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
    });
    const listened = messagesIn(await at.post(message.body, message.headers));
    expect((await listened.next()).value).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    });
    const session = await aSession(at.hub, at.token);
    const followed = await listen(at.hub, at.token, session);
    expect(followed.status).toBe(200);
    await expect.poll(bodyBytes).toBe(0);
    await listened.return(undefined);
    await followed.body?.cancel();
  });
});

describe('request body of a route', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** Serves routes that answer when `finish` is called. */
  async function serve() {
    const budget = createInFlightBytesLimiter(100);
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const listener = await listenOn('127.0.0.1', 0);
    closers.push(() => listener.drain(0));
    const app = await createApp({
      origin: 'http://127.0.0.1',
      log: createLog('silent'),
      metrics: createMetrics('test', {
        counter: { count: 0 },
        pools: [],
        bodyBytes: budget.used,
        utilization: () => 0,
      }),
      version: 'test',
      attach: listener.attach,
      bodyBudgets: { open: budget, calls: budget, others: budget },
    });
    const wait = async () => {
      await finished;
      return 'done';
    };
    app.post('/waits', wait);
    app.get('/gets', wait);
    app.post('/small', { bodyLimit: 50 }, wait);
    app.post('/streams', (request, reply) => {
      releaseBody(request);
      reply.hijack();
      reply.raw.writeHead(200);
      reply.raw.write('started');
    });
    await app.register(async (scope: typeof app) => {
      scope.addHook('onRoute', assignBodyBudget('own'));
      scope.post('/own', wait);
    });
    await app.ready();
    closers.push(() => app.close());
    listener.serve();
    return { budget, url: `http://127.0.0.1:${listener.port}`, finish };
  }
  const post = (url: string, body: string) => {
    const pending = begin(url, {
      'content-type': 'application/json',
      'content-length': body.length,
    });
    pending.end(body);
    return pending;
  };
  const json = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

  it('reserves a body until its response, and answers others with Retry-After', async () => {
    const { budget, url, finish } = await serve();
    const first = post(`${url}/waits`, json(80));
    await expect.poll(budget.used).toBe(80);
    const rejected = await responseTo(post(`${url}/waits`, json(30)));
    expect(rejected).toMatchObject({ status: 503, retryAfter: '1' });
    expect(JSON.parse(rejected.text).error.code).toBe('overloaded');
    expect(budget.used()).toBe(80);
    finish();
    expect((await responseTo(first)).status).toBe(200);
    await expect.poll(budget.used).toBe(0);
  });

  it("reserves the route's maximum for a body without a length, then its real size", async () => {
    const { budget, url, finish } = await serve();
    const pending = begin(`${url}/small`, {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    pending.write('"half');
    await expect.poll(budget.used).toBe(50);
    pending.end('"');
    await expect.poll(budget.used).toBe(6);
    finish();
    expect((await responseTo(pending)).status).toBe(200);
    await expect.poll(budget.used).toBe(0);
  });

  it('reserves the maximum for a body that is too large, and answers 413', async () => {
    const { budget, url } = await serve();
    expect((await responseTo(post(`${url}/small`, json(90)))).status).toBe(413);
    await expect.poll(budget.used).toBe(0);
  });

  it('counts an announced body that no handler reads, and nothing without a body', async () => {
    const { budget, url, finish } = await serve();
    const withoutBody = begin(`${url}/gets`, {}, 'GET');
    withoutBody.end();
    unfinished(`${url}/gets`, 40, {}, 'GET');
    await expect.poll(budget.used).toBe(40);
    finish();
    expect((await responseTo(withoutBody)).status).toBe(200);
    await expect.poll(budget.used).toBe(0);
  });

  it('reserves a body only once when its scope does it already', async () => {
    const { budget, url, finish } = await serve();
    const own = post(`${url}/own`, json(60));
    const pending = post(`${url}/waits`, json(70));
    await expect.poll(budget.used).toBe(70);
    finish();
    expect((await responseTo(own)).status).toBe(200);
    expect((await responseTo(pending)).status).toBe(200);
  });

  it('releases a body when a stream begins', async () => {
    const { budget, url } = await serve();
    const pending = post(`${url}/streams`, json(60));
    await once(pending, 'response');
    expect(budget.used()).toBe(0);
  });
});
