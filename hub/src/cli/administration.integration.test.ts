// Tenants, users and tokens at the command line: suspension refuses access everywhere, deletion leaves no row.
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../test/support/builders.ts';
import {
  call,
  cloneDatabase,
  deviceCall,
  eventsOf,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../test/support/hub.ts';
import { CLAIM_NAMES } from '../platform/config/config.ts';
import { countTenantRows } from '../platform/db/tenant-rows.ts';
import { ERRORS } from '../platform/http/errors/error-list.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { runDoctor } from './doctor.ts';
import { runInit } from './init.ts';
import { runKeyExport, runTokenNode, runUserCreate, runUserList } from './operator-commands.ts';
import {
  runTenantDelete,
  runTenantRename,
  runTenantResume,
  runTenantSuspend,
} from './tenant-actions.ts';
import { runTokenCreate, runTokenList, runTokenRevoke } from './token-actions.ts';
import { runUserDisable, runUserEnable, runUserInvite } from './user-actions.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const run = (input = '', config = hub.config) => ({
  config,
  log: createLog('silent'),
  stdin: Readable.from([input]),
});
const yes = { yes: true };

async function newTenant(name: string) {
  const tenant = await hub.newTenant(name);
  const device = aDevice();
  const { key } = await runKeyExport(run(), { tenant: tenant.tenantId, allApps: true });
  const { token: nodeToken } = await runTokenNode(run(), { name: 'n', tenant: tenant.tenantId });
  const statuses = async () => {
    const sync = await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [anEntity('editor')]),
    });
    const console = await hub.console('GET', '/devices', {
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
    });
    const logs = await call(`${hub.url}/llmgateway/logs/export`, 'GET', {
      'x-gw-log-export-key': key,
    });
    const node = await call(`${hub.url}/node/v1/config`, 'GET', {
      authorization: `Bearer ${nodeToken}`,
    });
    const mcp = await call(`${hub.url}/gwone/${tenant.tenantId}/mcp`, 'POST', {}, {});
    return { sync, console, logs, node, mcp };
  };
  return { ...tenant, statuses };
}

describe('tenant', () => {
  it('renames a tenant, found by its name', async () => {
    const { tenantId } = await newTenant('Before');
    expect(await runTenantRename(run(), { tenant: 'before', name: ' After ' })).toEqual({
      tenant_id: tenantId,
      name: 'After',
    });
    await expect(runTenantRename(run(), { tenant: 'After', name: ' ' })).rejects.toThrow(/--name/);
    await expect(runTenantRename(run(), { tenant: 'Before', name: 'x' })).rejects.toThrow(
      'there is no tenant Before',
    );
    expect(await eventsOf(hub, tenantId)).toContainEqual(
      expect.objectContaining({ operation: 'tenant.rename' }),
    );
  });

  it('refuses console, sync, export, node and MCP gateway of a suspended tenant with 403', async () => {
    const { tenantId: tenant, statuses } = await newTenant('Suspended');
    const before = await statuses();
    expect([before.sync.status, before.console.status, before.node.status]).toEqual([
      202, 200, 200,
    ]);
    await expect(runTenantSuspend(run(), { tenant })).rejects.toThrow(/Add --yes/);
    const dryRun = await runTenantSuspend(run(), { tenant, dryRun: true });
    expect(dryRun).toMatchObject({
      would_suspend: { tenant_id: tenant, users: 0, devices: 1 },
      effects: expect.arrayContaining([expect.stringMatching(/^users cannot sign in/)]),
    });
    expect(await runTenantSuspend(run(), { tenant, ...yes })).toEqual({
      tenant_id: tenant,
      suspended: true,
    });
    await expect
      .poll(async () => Object.values(await statuses()).map(({ body }) => body.error.message))
      .toEqual(Array(5).fill(ERRORS.tenant_suspended.message));
    expect(Object.values(await statuses()).map(({ status }) => status)).toEqual(Array(5).fill(403));
    await runTenantResume(run(), { tenant });
    await expect.poll(async () => (await statuses()).sync.status).toBe(202);
    expect((await statuses()).console.status).toBe(200);
  });

  it('deletes a tenant with all its rows after its name is confirmed', async () => {
    const { tenantId: tenant, statuses } = await newTenant('Doomed');
    await statuses();
    const user = { tenant, email: 'gone@example.com', role: 'Viewer', passwordStdin: true };
    await runUserCreate(run('correct horse'), user);
    const { db } = hub.context.database;
    expect(await countTenantRows(db, tenant)).toBeGreaterThan(5);
    // Jobs of the calls above may still add rows.
    await expect
      .poll(async () => {
        const rows = await countTenantRows(db, tenant);
        const answer = await runTenantDelete(run(), { tenant, dryRun: true });
        return { rows, answer };
      })
      .toSatisfy(({ rows, answer }) => {
        expect(answer).toMatchObject({ would_delete: { name: 'Doomed', rows } });
        return true;
      });
    await expect(runTenantDelete(run(), { tenant, ...yes })).rejects.toThrow(/--confirm-name/);
    await expect(runTenantDelete(run(), { tenant, ...yes, confirmName: 'Other' })).rejects.toThrow(
      /nothing was deleted/,
    );
    const deleted = await runTenantDelete(run(), { tenant, ...yes, confirmName: 'Doomed' });
    expect(deleted).toMatchObject({ tenant_id: tenant, deleted: true });
    expect(await countTenantRows(db, tenant)).toBe(0);
    const accounts = await sql`
      SELECT 1 FROM accounts WHERE email_folded = 'gone@example.com'`.execute(db);
    expect(accounts.rows).toEqual([]);
    await expect.poll(async () => (await statuses()).sync.status).toBe(401);
    expect(await runDoctor(run())).toMatchObject({ ok: true });
  });
});

describe('user', () => {
  it('invites a user with the link of the console, and disables and enables the user by e-mail address', async () => {
    const { tenantId: tenant } = await newTenant('Users');
    const invited = (await runUserInvite(run(), {
      ...{ tenant, email: ' ada@users.example', role: 'admin' },
    })) as { link: string };
    expect(invited).toMatchObject({
      ...{ email: 'ada@users.example', role: 'Admin', is_mailed: false },
      link: expect.stringMatching(/\/console\/invitation\?token=\w{43}$/),
    });
    const link = invited.link.replace(/^.*(?=\/console)/, hub.url);
    const accepted = await fetch(link, {
      ...{ method: 'POST', redirect: 'manual' as const },
      body: new URLSearchParams({ password: 'a long enough password' }),
    });
    expect(accepted.status).toBe(303);
    await expect(
      runUserInvite(run(), { tenant, email: 'ada@users.example', role: 'Member' }),
    ).rejects.toThrow('ada@users.example is already a user.');
    await expect(runUserInvite(run(), { tenant, email: 'ada', role: 'Member' })).rejects.toThrow(
      '--email is not an e-mail address',
    );
    const user = 'ADA@users.example';
    const { users } = (await runUserList(run(), { tenant })) as { users: { user_id: string }[] };
    expect(users).toMatchObject([{ email: 'ada@users.example', role: 'Admin' }]);
    const user_id = users[0]?.user_id;
    expect(await runUserDisable(run(), { tenant, user })).toEqual({ user_id, disabled: true });
    expect(await runUserEnable(run(), { tenant, user })).toEqual({ user_id, disabled: false });
    await expect(runUserEnable(run(), { tenant, user: 'x' })).rejects.toThrow('there is no user x');
  });

  it('invites a user of a login provider with the same link', async () => {
    const { tenantId: tenant } = await newTenant('Provider');
    const login = { issuer: 'https://idp.example', clientId: 'hub', clientSecret: 'x' };
    const config = { ...run().config, login: { ...login, claims: CLAIM_NAMES } };
    const invited = await runUserInvite(
      { ...run(), config },
      { tenant, email: 'bob@users.example', role: 'Member' },
    );
    expect(invited).toMatchObject({ link: expect.stringContaining('/console/invitation?token=') });
    const { users } = await runUserList(run(), { tenant });
    expect(users).toEqual([]);
  });
});

describe('token', () => {
  it('creates, lists and revokes tokens of agents and nodes', async () => {
    const { tenantId: tenant } = await newTenant('Tokens');
    const create = { tenant, role: 'Admin', kind: 'agent' as const, name: 'laptops' };
    const { token_id } = (await runTokenCreate(run(), create)) as { token_id: string };
    const { tokens } = (await runTokenList(run(), { tenant })) as {
      tokens: { kind: string; name: string }[];
    };
    expect(tokens.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining(['agent laptops', 'agent test', 'node n']),
    );
    expect(await runTokenRevoke(run(), { tokenId: token_id, dryRun: true })).toMatchObject({
      would_revoke: { kind: 'agent', name: 'laptops' },
    });
    await expect(runTokenRevoke(run(), { tokenId: token_id })).rejects.toThrow(/Add --yes/);
    await runTokenRevoke(run(), { tokenId: token_id, ...yes });
    const agents = (await runTokenList(run(), { tenant, kind: 'agent' })) as {
      tokens: { token_id: string; status: string }[];
    };
    expect(agents.tokens.find((token) => token.token_id === token_id)?.status).toBe('revoked');
  });

  it('requires the options of each kind', () => {
    const role = 'Admin';
    expect(() => runTokenCreate(run(), { kind: 'admin', role })).toThrow(
      '--kind admin requires --tenant',
    );
    expect(() => runTokenCreate(run(), { kind: 'node', role })).toThrow(
      '--kind node requires --name',
    );
  });
});

describe('init', () => {
  const options = { tenant: 'Acme', email: 'ada@acme.example', passwordStdin: true };

  it('creates the first tenant and its administrator, and nothing with a short password', async () => {
    const config = hubConfig(await cloneDatabase());
    await expect(runInit(run('short', config), options)).rejects.toThrow(/password must have/);
    const created = await runInit(run('correct horse battery\n', config), options);
    expect(created).toMatchObject({ console_url: expect.stringMatching(/\/console\/$/) });
    const { users } = await runUserList(run('', config), {});
    expect(users).toMatchObject([{ email: 'ada@acme.example', role: 'Admin' }]);
    await expect(runInit(run('correct horse battery', config), options)).rejects.toMatchObject({
      exitCode: 4,
      code: 'already_exists',
    });
  });

  it('requires its options without a terminal', () => {
    expect(() => runInit(run(), { tenant: 'Acme' })).toThrow(/--password-stdin are required/);
  });
});
