// Leaked keys: every kind is found by its text, revoked if it is valid, and shown to nobody else.
import { Readable } from 'node:stream';
import { ISSUED_KINDS, runLeaked } from '@gatewarden/hub/src/app/issued-keys.ts';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { makeSecret, SECRET_PREFIXES } from '@gatewarden/shared/secrets.ts';
import type { LeakedKey } from '@gatewarden/shared/wire/console/leaked-keys.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deviceCall } from '../../../test/support/hub.ts';
import { anExportKey, exportPage, sendRaw } from '../../../test/support/logs.ts';
import { makeApp, manage } from '../../../test/support/management.ts';
import { aPerson, aToken } from '../../../test/support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../../../test/support/mcp-hub.ts';

let at: McpHub;
beforeAll(async () => {
  at = await startMcpHub();
  const { status } = await at.hub.console('PUT', '/mcp/settings', {
    body: { allowed_email_domains: ['example.com'] },
  });
  expect(status).toBe(200);
});
afterAll(() => at.hub.stop());

const leaked = async (verb: 'find' | 'revoke', text: string, over: object = {}) => {
  const answer = await at.hub.console('POST', `/leaked-keys/${verb}`, { body: { text }, ...over });
  expect(answer.status).toBe(200);
  return answer.body.items as LeakedKey[];
};

interface One {
  secret: string;
  works(): Promise<boolean>;
}

/** A key of each kind of the tenant, with a request that it authorizes. */
async function oneOfEach(): Promise<Record<LeakedKey['kind'], One>> {
  const { hub } = at;
  const by = await manage(hub);
  const name = crypto.randomUUID();
  await makeApp(by, name);
  const keysOfApp = `/apps/${name}/keys`;
  const appKey = await by.call('POST', keysOfApp, { body: { name: 'k' } });
  const backend = await at.aBackend(`s${name.slice(0, 8)}`, 'http://127.0.0.1:9/mcp');
  const api = await hub.console('POST', `/mcp/backends/${backend.id}/api-tokens`, {
    body: { name: 'script', agent: 'bot' },
  });
  const agent = await hub.console('POST', '/agent-tokens', {
    body: { name: 'fleet', expires_in_days: 30 },
  });
  const scim = await hub.console('POST', '/scim-tokens', {
    body: { name: 'directory', expires_in_days: 30 },
  });
  const node = await createNodeToken(hub.context.database.db, { name, tenantId: hub.tenantId });
  const exported = await anExportKey(hub, { scope: 'all_apps' });
  const { email } = await aPerson(hub);
  const token = await aToken(hub, email, { prefix: '/gwone' });
  const mcp = (path: string, bearer: string, agent: string) =>
    at.post(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { authorization: `Bearer ${bearer}`, 'user-agent': agent, mcpuser: email },
      path,
    );
  const isOpen = (status: number) => status !== 401 && status !== 403;
  const { secret: appSecret, key_id: keyId } = appKey.body.key;
  const { secret: apiSecret } = api.body.token;
  return {
    management_key: {
      secret: by.secret,
      works: async () => isOpen((await by.call('GET', '/apps')).status),
    },
    key: {
      secret: appSecret,
      works: async () => {
        const again = await manage(hub);
        const { body } = await again.call('GET', keysOfApp);
        return body.items.some(
          (item: { key_id: string; status: string }) =>
            item.key_id === keyId && item.status === 'active',
        );
      },
    },
    log_export_key: {
      secret: exported.secret,
      works: async () => isOpen((await exportPage(hub, 'llmgateway', exported.secret)).status),
    },
    agent_token: {
      secret: agent.body.secret,
      works: async () => {
        const as = { ...hub, agentToken: agent.body.secret };
        return (await deviceCall(as, 'GET', '/ea/v1/sync/delta')).status !== 401;
      },
    },
    node_token: {
      secret: node.token,
      works: async () => isOpen((await sendRaw(hub, node.token, 'llm-requests', '')).status),
    },
    mcp_token: {
      secret: token,
      works: async () => isOpen((await mcp('/gwone/mcp', token, 'x')).status),
    },
    scim_token: {
      secret: scim.body.secret,
      works: async () => {
        const headers = { authorization: `Bearer ${scim.body.secret}` };
        return isOpen((await fetch(`${hub.url}/scim/v2/Users`, { headers })).status);
      },
    },
    mcp_api_token: {
      secret: apiSecret,
      works: async () => isOpen((await mcp(`/${backend.slug}/mcp`, apiSecret, 'bot/1')).status),
    },
  };
}

const run = (input = '') => ({
  config: at.hub.config,
  log: createLog('silent'),
  stdin: Readable.from([input]),
});

it('looks up every kind of secret', () => {
  expect(ISSUED_KINDS.map(({ kind }) => kind).sort()).toEqual(Object.keys(SECRET_PREFIXES).sort());
});

it('every kind is found by its text, and ended at once', async () => {
  const all = await oneOfEach();
  for (const [kind, item] of Object.entries(all)) expect(await item.works(), kind).toBe(true);
  const text = Object.values(all)
    .map((item) => `export KEY="${item.secret}"`)
    .join('\n');
  const wanted = (status: string) =>
    Object.keys(all).map((kind, i) => ({
      kind,
      status,
      line: i + 1,
      key: { id: expect.any(String) },
    }));
  const found = await leaked('find', text);
  expect(found).toMatchObject(wanted('active'));
  for (const [kind, item] of Object.entries(all)) expect(await item.works(), kind).toBe(true);

  expect(await leaked('revoke', text)).toMatchObject(wanted('revoked'));
  for (const [kind, item] of Object.entries(all)) {
    await expect.poll(() => item.works(), { message: kind }).toBe(false);
  }
  const { rows } = await at.hub.context.database.pool.query<{ operation: string; id: string }>(
    `SELECT operation, resource->>'id' AS id FROM audit_events
     WHERE tenant_id = $1 AND detail->>'why' = 'leaked'`,
    [at.hub.tenantId],
  );
  const events = found.map(({ kind, key }) => ({ operation: `${kind}.revoke`, id: key?.id }));
  expect(rows).toHaveLength(events.length);
  expect(rows).toEqual(expect.arrayContaining(events));
  // A repetition changes nothing.
  expect(await leaked('revoke', text)).toMatchObject(wanted('revoked'));
});

it("another tenant's key, and one of nobody, look alike and stay as they are", async () => {
  const other = await at.hub.newTenant('Other');
  const text = `${other.agentToken} ${makeSecret('agent')}`;
  const unknown = { kind: 'agent_token', status: 'unknown', key: null, line: 1 };
  expect(await leaked('revoke', text)).toMatchObject([unknown, unknown]);
  const mine = { tenantId: other.tenantId, token: other.adminToken };
  expect(await leaked('find', text, mine)).toMatchObject([{ status: 'active' }, unknown]);
});

it('answers concurrent revocations alike, and records each end once', async () => {
  const made = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      if (i % 3 === 0) return (await anExportKey(at.hub, { scope: 'all_apps' })).secret;
      if (i % 3 === 1) return (await manage(at.hub)).secret;
      const { database } = at.hub.context;
      return (await createNodeToken(database.db, { name: `n${i}`, tenantId: at.hub.tenantId }))
        .token;
    }),
  );
  const text = made.join(' ');
  const ids = (await leaked('find', text)).map((item) => item.key?.id);
  const answers = await Promise.all([1, 2, 3].map(() => leaked('revoke', text)));
  for (const items of answers) {
    expect(items.map((item) => item.status)).toEqual(made.map(() => 'revoked'));
  }
  const { rows } = await at.hub.context.database.pool.query<{ id: string }>(
    `SELECT resource->>'id' AS id FROM audit_events
     WHERE operation LIKE '%.revoke' AND resource->>'id' = ANY($1)`,
    [ids],
  );
  expect(rows.map((row) => row.id).sort()).toEqual([...ids].sort());
});

it('takes half a million characters of any script', async () => {
  const text = `${'鍵'.repeat(499_900)} ${makeSecret('node')}`;
  expect(await leaked('find', text)).toMatchObject([{ status: 'unknown', line: 1 }]);
  const more = await at.hub.console('POST', '/leaked-keys/find', {
    body: { text: 'x'.repeat(500_001) },
  });
  expect(more.status).toBe(400);
});

it('rejects roles below administrator', async () => {
  for (const role of ['Member', 'Viewer', 'Reviewer'] as const) {
    const answer = await at.hub.console('POST', '/leaked-keys/find', {
      body: { text: 'x' },
      token: await at.hub.tokenFor(role),
    });
    expect(answer.status, role).toBe(403);
  }
});

it('reports leaked keys of every tenant to the operator, and revokes each with --revoke', async () => {
  const other = await at.hub.newTenant('Third');
  const node = await createNodeToken(at.hub.context.database.db, { name: 'all', tenantId: null });
  const dump = `a\n${other.agentToken}\n${node.token}\n${makeSecret('node')}\n`;
  const kinds = [
    { kind: 'agent_token', tenant_id: other.tenantId, line: 2 },
    { kind: 'node_token', tenant_id: null, name: 'all', line: 3 },
    { kind: 'node_token', status: 'unknown', id: null, line: 4 },
  ];
  const found = await runLeaked(run(dump), { file: '-' });
  expect(found).toMatchObject({ ok: false, keys: kinds });
  expect(JSON.stringify(found)).not.toContain(other.agentToken);
  const ended = await runLeaked(run(dump), { file: '-', revoke: true });
  expect(ended).toMatchObject({ ok: true, keys: kinds });
  expect(ended.keys.slice(0, 2)).toMatchObject([{ status: 'revoked' }, { status: 'revoked' }]);
  await expect(runLeaked(run(), { file: '/nowhere/at/all' })).rejects.toThrow('cannot be read');
});
