// The gateway is a client of real logins: oidc-provider, and another hub's OAuth server.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../../test/support/hub.ts';
import {
  aBrowser,
  aPerson,
  aToken,
  fieldsOf,
  PASSWORD,
  signedInBrowser,
} from '../../../../../../test/support/mcp-client.ts';
import {
  aModernServer,
  aServer,
  type Running,
} from '../../../../../../test/support/mcp-servers.ts';
import { readConfig } from '../../../../platform/config/config.ts';

let hub: TestHub;
let other: TestHub;
let modern: Running;
let login: Server;
let provider: Provider;
let server: Running;

const reaching = async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  return { ...hubConfig(await cloneDatabase()), allowedPrivateNetworks };
};

beforeAll(async () => {
  hub = await startTestHub(await reaching());
  other = await startTestHub(await reaching());
  modern = await aModernServer();
  login = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => login.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(login.address() as AddressInfo).port}`;
  provider = new Provider(issuer, {
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => server.url,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'read',
          audience: server.url,
          accessTokenFormat: 'opaque',
          accessTokenTTL: 600,
        }),
      },
    },
    scopes: ['openid', 'offline_access', 'read'],
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: async (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid offline_access read');
      grant.addResourceScope(server.url, 'read');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  async function handle(...[request, response]: Parameters<typeof callback>) {
    if (request.url?.startsWith('/interaction/')) {
      await provider.interactionFinished(request, response, { login: { accountId: 'ann' } });
      return;
    }
    await callback(request, response);
  }
  server = await aServer(async (request, response, body) => {
    const json = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      return void json(200, { resource: server.url, authorization_servers: [issuer] });
    }
    const bearer = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const token = await provider.AccessToken.find(bearer);
    if (token === undefined) return void json(401, {});
    const { id, method } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === 'tools/call'
        ? { content: [{ type: 'text', text: token.accountId }] }
        : {
            protocolVersion: '2025-11-25',
            capabilities: {},
            serverInfo: { name: 's', version: '1' },
          };
    json(200, { jsonrpc: '2.0', id, result });
  });
});
afterAll(async () => {
  await hub.stop();
  await other.stop();
  await modern.close();
  await server.close();
  login.closeAllConnections();
  login.close();
});

async function aBackend(at: TestHub, slug: string, url: string, auth: object): Promise<string> {
  const made = await at.console('POST', '/mcp/backends', {
    body: { slug, name: slug, url, auth },
  });
  return made.body.backend.id;
}

async function call(token: string, name: string): Promise<string> {
  const response = await fetch(`${hub.url}/gwone/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
    }),
  });
  const body = (await response.json()) as {
    result?: { content: { text: string }[] };
    error?: { message: string };
  };
  return body.result?.content[0]?.text ?? body.error?.message ?? '';
}

/** To the end of what a browser does by itself at `origin`. */
async function wayBack(origin: string, url: string): Promise<string> {
  const { at } = await aBrowser(origin).follow(url);
  return at;
}

test('registers, connects, refreshes with rotation and revokes at oidc-provider', async () => {
  const id = await aBackend(hub, 'oidc', server.url, {
    kind: 'oauth',
    scopes: ['openid', 'offline_access', 'read'],
  });
  const { email } = await aPerson(hub);
  const token = await aToken(hub, email, { prefix: '/gwone' });
  const pages = await signedInBrowser(hub, email);
  const begun = await pages.console('POST', `/mcp/grants/${id}/start`);
  expect(begun.status).toBe(200);
  const back = await wayBack(new URL(provider.issuer).origin, begun.body.authorization_url);
  expect(back).toContain(`${hub.url}/oauth/callback?`);
  expect((await pages.request(back)).status).toBe(303);
  expect(await call(token, 'oidc__whoami')).toBe('ann');
  for (let round = 0; round < 2; round++) {
    await hub.context.database.pool.query('UPDATE mcp_grants SET refresh_at = now()');
    await hub.context.database.pool.query(`SELECT pg_notify('gatewarden', $1)`, [
      JSON.stringify({
        kind: 'forget',
        cache: 'mcp-grant',
        keys: [`${hub.tenantId}/${id}/${pages.session.tenants[0]?.user_id}`],
      }),
    ]);
    const generation = async () =>
      (await hub.context.database.pool.query('SELECT generation FROM mcp_grants')).rows[0]
        .generation;
    await expect
      .poll(async () => {
        expect(await call(token, 'oidc__whoami')).toBe('ann');
        return generation();
      })
      .toBe(round + 2);
  }
  const ended = await pages.console('DELETE', `/mcp/grants/${id}`);
  expect(ended.body.revoked).toBe(true);
  expect(await call(token, 'oidc__whoami')).toMatch(/Connect \(or reconnect\) to/);
});

test("connects to another hub's gateway with its own sign-in and consent", async () => {
  await aBackend(other, 'modern', modern.url, { kind: 'none' });
  const theirs = await aPerson(other);
  const id = await aBackend(hub, 'far', `${other.url}/gwone/mcp`, { kind: 'oauth' });
  const { email } = await aPerson(hub);
  const token = await aToken(hub, email, { prefix: '/gwone' });
  const pages = await signedInBrowser(hub, email);
  const begun = await pages.console('POST', `/mcp/grants/${id}/start`);
  expect(begun.status).toBe(200);
  const browser = aBrowser(other.url);
  const consent = await browser.follow(begun.body.authorization_url);
  const form = await browser.submit('/oauth/consent', {
    ...fieldsOf(await consent.response.text()),
    decision: 'approve',
  });
  const end = await browser.submit(form.at, { email: theirs.email, password: PASSWORD });
  expect(new URL(end.at).searchParams.get('iss')).toBe(`${other.url}/gwone`);
  expect((await pages.request(end.at)).status).toBe(303);
  expect(await call(token, 'far__modern__greet')).toBe('hello');
  // The login issues no refresh token, so the user must connect again after a revocation.
  const own = await other.console('GET', '/mcp/tokens?of=all');
  await other.console('DELETE', `/mcp/tokens/${own.body.items[0].id}`);
  await hub.context.database.pool.query(
    `UPDATE mcp_grants SET refreshed_at = now() - interval '1 hour'`,
  );
  await expect.poll(() => call(token, 'far__modern__greet')).toMatch(/Connect \(or reconnect\) to/);
  const state = await pages.console('GET', '/mcp/grants');
  expect(state.body.items).toMatchObject([{ backend_id: id, state: 'renew' }]);
});
