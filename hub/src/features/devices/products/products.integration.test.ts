// Products over platforms and sources: grouping, counts, the list with its filters and orders, and its file.
import { randomUUID } from 'node:crypto';
import { entityId } from '@gatewarden/shared/identity.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { reaching } from '../../../../../test/support/sinks.ts';
import { resolveNameConflicts } from '../inventory/index.ts';
import { groupProducts, recountAllProducts, sightProductsAgain } from './product-counts.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub(reaching(hubConfig(await cloneDatabase())));
});
afterAll(() => hub.stop());

type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;

function sighting(
  platform: Platform,
  kind: WireEntity['kind'],
  source: string,
  name: string,
  over: Partial<WireEntity> = {},
): WireEntity {
  const id = entityId(platform, kind, source, name);
  return anEntity(name, { entity_id: id, kind, source, publisher: null, ...over });
}

const CLAUDE_CODE = {
  darwin: sighting('darwin', 'application', 'homebrew', 'claude-code'),
  linux: sighting('linux', 'package', 'npm', '@anthropic-ai/claude-code'),
  win32: sighting('win32', 'ai_tool', 'ai_cli', 'Claude Code', { details: { binary: 'claude' } }),
} satisfies Record<Platform, WireEntity>;

async function scan(
  tenant: Tenant,
  device: WireDevice,
  entities: WireEntity[],
  subscriberId = 'alice',
): Promise<void> {
  const answer = await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, entities),
    headers: { 'x-subscriber-id': subscriberId },
  });
  expect(answer.status).toBe(202);
}

async function read(tenant: Tenant, path: string) {
  const answer = await hub.console('GET', path, {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function list(tenant: Tenant, query = '') {
  await groupProducts(hub.context.database.db);
  return read(tenant, `/products${query}`);
}

const namesOf = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

describe('a product', () => {
  it('lists a single row for three platforms, with distinct devices and users', async () => {
    const tenant = await hub.newTenant('Three platforms');
    const mac = aDevice({ platform: 'darwin' });
    await scan(tenant, mac, [CLAUDE_CODE.darwin], 'alice');
    await scan(tenant, aDevice(), [CLAUDE_CODE.linux], 'alice');
    await scan(tenant, aDevice({ platform: 'win32' }), [CLAUDE_CODE.win32], 'bob');
    const { items, total } = await list(tenant);
    expect(total).toBe(1);
    expect(items).toEqual([
      expect.objectContaining({
        product_key: 'alias:claude-code',
        category: 'ai_tool',
        name: 'Claude Code',
        vendor: 'Anthropic',
        application_count: 3,
        device_count: 3,
        user_count: 2,
        approval_status: 'pending',
        statuses: { pending: 3, approved: 0, restricted: 0, blocked: 0 },
        sources: ['ai_cli', 'homebrew', 'npm'],
      }),
    ]);
    const platforms = items[0].platforms.map(({ platform }: { platform: Platform }) => platform);
    expect(platforms.sort()).toEqual(['darwin', 'linux', 'win32']);
    // A second source on the same device is the same device of the same product.
    const cli = sighting('darwin', 'ai_tool', 'ai_cli', 'Claude Code', {
      details: { binary: 'claude' },
    });
    await scan(tenant, mac, [CLAUDE_CODE.darwin, cli], 'alice');
    expect((await list(tenant)).items[0]).toMatchObject({ application_count: 4, device_count: 3 });
  });

  it('answers for each of its apps', async () => {
    const tenant = await hub.newTenant('Of an app');
    await scan(tenant, aDevice({ platform: 'darwin' }), [CLAUDE_CODE.darwin]);
    await scan(tenant, aDevice(), [CLAUDE_CODE.linux]);
    const [{ product_id }] = (await list(tenant)).items;
    for (const { entity_id } of [CLAUDE_CODE.darwin, CLAUDE_CODE.linux]) {
      const { product } = await read(tenant, `/discovered-apps/${entity_id}/product`);
      expect(product).toMatchObject({ product_id, name: 'Claude Code', application_count: 2 });
    }
    const stranger = await hub.newTenant('Another');
    const refused = await hub.console(
      'GET',
      `/discovered-apps/${CLAUDE_CODE.linux.entity_id}/product`,
      { tenantId: stranger.tenantId, token: stranger.adminToken },
    );
    expect(refused.status).toBe(404);
  });

  it('counts a product soon after a scan, without a job', async () => {
    const tenant = await hub.newTenant('Soon');
    await scan(tenant, aDevice(), [CLAUDE_CODE.linux]);
    await expect.poll(async () => (await read(tenant, '/products')).total).toBe(1);
  });

  it('loses what a later scan removes', async () => {
    const tenant = await hub.newTenant('Removed');
    const device = aDevice();
    await scan(tenant, device, [CLAUDE_CODE.linux, anEntity('curl')]);
    expect(namesOf(await list(tenant, '?sort=name'))).toEqual(['Claude Code', 'curl']);
    await scan(tenant, device, [anEntity('curl')]);
    expect(namesOf(await list(tenant, '?sort=name'))).toEqual(['curl']);
  });

  it('shows its applications, risk hints and the origin of each policy in force', async () => {
    const tenant = await hub.newTenant('Detail');
    const server = sighting('linux', 'mcp_server', 'mcp_config', '@acme/mcp', {
      details: {
        configured: [{ command: 'npx', args: ['@acme/mcp'], env: ['ACME_TOKEN'], unpinned: true }],
      },
    });
    await scan(tenant, aDevice(), [server]);
    const call = { tenantId: tenant.tenantId, token: tenant.adminToken };
    const decision = { approval_status: 'blocked', execution_policy: 'block' };
    for (const match of [{ entity_id: server.entity_id }, { kind: 'mcp_server', name: 'x' }]) {
      const body = { ...decision, match, scope: { kind: 'tenant' } };
      expect((await hub.console('POST', '/overrides', { ...call, body })).status).toBe(201);
    }
    const [row] = (await list(tenant)).items;
    expect(row).toMatchObject({
      product_key: 'mcp_server:npm:@acme/mcp',
      risk_hints: ['environment_secrets', 'unpinned'],
      approval_status: 'blocked',
      execution_policy: 'block',
    });
    const { product } = await read(tenant, `/products/${row.product_id}`);
    expect(product).toMatchObject({
      running_device_count: 0,
      applications: [
        { entity_id: server.entity_id, approval_status: 'blocked', platform: 'linux' },
      ],
      policies: { count: 1, items: [{ origin: 'application', entity_ids: [server.entity_id] }] },
    });
  });

  it('answers 404 for an id that no product has', async () => {
    const answer = await hub.console('GET', `/products/${'0'.repeat(64)}`);
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});

describe('the list of products', () => {
  it('filters by category, platform, status, drift and words, each with its total', async () => {
    const tenant = await hub.newTenant('Filters');
    const call = { tenantId: tenant.tenantId, token: tenant.adminToken };
    await scan(tenant, aDevice(), [anEntity('curl'), anEntity('wget'), CLAUDE_CODE.linux]);
    await scan(tenant, aDevice({ platform: 'darwin' }), [
      sighting('darwin', 'application', 'homebrew', 'vlc', { publisher: 'VideoLAN' }),
    ]);
    const body = {
      match: { entity_id: anEntity('curl').entity_id },
      approval_status: 'approved',
      execution_policy: 'allow',
      scope: { kind: 'tenant' },
    };
    expect((await hub.console('POST', '/overrides', { ...call, body })).status).toBe(201);
    const expected: [string, string[]][] = [
      ['?category=ai_tool', ['Claude Code']],
      ['?platform=darwin', ['vlc']],
      ['?approval_status=approved', ['curl']],
      ['?approval_status=pending&sort=name', ['Claude Code', 'vlc', 'wget']],
      ['?approval_status=pending&category=package', ['wget']],
      ['?drifted=true', []],
      ['?query=anthro', ['Claude Code']],
      ['?query=anthro&sort=name', ['Claude Code']],
      ['?query=videolan&sort=-device_count', ['vlc']],
      ['?query=deb:&sort=-name', ['wget', 'curl']],
    ];
    for (const [query, names] of expected) {
      const answer = await list(tenant, query);
      expect([query, namesOf(answer), answer.total]).toEqual([query, names, names.length]);
    }
    // An approved product follows the unreviewed products by default.
    expect(namesOf(await list(tenant)).at(-1)).toBe('curl');
  });

  it('pages each order to its end without a gap or a repetition', async () => {
    const tenant = await hub.newTenant('Pages');
    const names = Array.from({ length: 23 }, (_, i) => `tool-${String(i).padStart(2, '0')}`);
    for (let i = 0; i < 3; i++) {
      const entities = names.filter((_, n) => n % (i + 1) === 0).map((name) => anEntity(name));
      await scan(tenant, aDevice(), entities, `user-${i}`);
    }
    for (const sort of [
      'unreviewed',
      ...['name', 'device_count', 'user_count', 'first_seen_at', 'last_seen_at'].flatMap(
        (column) => [column, `-${column}`],
      ),
    ]) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await list(tenant, `?limit=4&sort=${sort}${cursor}`);
        seen.push(...namesOf(page));
        expect(page.total).toBe(23);
        cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
      } while (cursor !== '');
      expect([sort, [...seen].sort()]).toEqual([sort, names]);
      if (sort.endsWith('name')) {
        expect(seen).toEqual(sort === 'name' ? names : names.toReversed());
      }
    }
  });

  it('writes a CSV file with the same filters', async () => {
    const tenant = await hub.newTenant('File');
    await scan(tenant, aDevice(), [CLAUDE_CODE.linux, anEntity('curl')]);
    await list(tenant);
    const text = await read(tenant, '/products/download?format=csv&category=ai_tool');
    const [heading, ...lines] = (text as string).trim().split('\r\n');
    expect(heading).toContain('name,vendor,category,platforms,sources,device_count,user_count');
    expect(lines).toEqual([expect.stringContaining('"Claude Code","Anthropic","ai_tool","linux"')]);
  });

  it('shows a tenant its own products only', async () => {
    const [mine, theirs] = [await hub.newTenant('Mine'), await hub.newTenant('Theirs')];
    await scan(mine, aDevice(), [CLAUDE_CODE.linux]);
    const [product] = (await list(mine)).items;
    expect(await list(theirs)).toMatchObject({ items: [], total: 0 });
    const path = `/products/${product.product_id}`;
    const token = theirs.adminToken;
    expect((await hub.console('GET', path, { tenantId: theirs.tenantId, token })).status).toBe(404);
    expect((await hub.console('GET', path, { tenantId: mine.tenantId, token })).status).toBe(403);
  });
});

it('finds a published MCP server on devices by its product', async () => {
  const tenant = await hub.newTenant('Local equivalents');
  const image = sighting('linux', 'mcp_server', 'mcp_config', 'ghcr.io/github/github-mcp-server', {
    details: { configured: [{ command: 'docker', args: ['run', '-i'] }] },
  });
  await scan(tenant, aDevice(), [image, CLAUDE_CODE.linux]);
  const call = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const body = {
    ...{ slug: 'github', name: 'GitHub', url: 'http://127.0.0.1:9/mcp', auth: { kind: 'none' } },
    same_as: ['npx -y @modelcontextprotocol/server-github'],
  };
  const { backend } = (await hub.console('POST', '/mcp/backends', { ...call, body })).body;
  const { items } = await read(tenant, `/mcp/backends/${backend.id}/device-servers`);
  expect(items).toMatchObject([{ entity_id: image.entity_id, device_count: 1 }]);
});

describe('jobs', () => {
  it('identify applications that an older release or older rules stored', async () => {
    const tenant = await hub.newTenant('Older rules');
    await scan(tenant, aDevice(), [CLAUDE_CODE.win32]);
    await list(tenant);
    const { db } = hub.context.database;
    await sql`
      UPDATE products SET product_id = NULL, product_key = NULL, product_rules = 0
      WHERE tenant_id = ${tenant.tenantId}`.execute(db);
    await sql`DELETE FROM inventory_products WHERE tenant_id = ${tenant.tenantId}`.execute(db);
    expect((await list(tenant)).items).toMatchObject([{ product_key: 'alias:claude-code' }]);
  });

  it('move an application to the product of the name that most devices report', async () => {
    const tenant = await hub.newTenant('Renamed');
    const app = sighting('win32', 'application', 'registry_uninstall', 'Editor', {
      publisher: 'Acme Inc.',
    });
    const devices = [1, 2, 3].map(() => aDevice({ platform: 'win32' }));
    for (const device of devices) await scan(tenant, device, [app]);
    expect((await list(tenant)).items).toMatchObject([
      { product_key: 'application:name:acme/editor' },
    ]);
    for (const device of devices) await scan(tenant, device, [{ ...app, name: 'Editor Pro' }]);
    await resolveNameConflicts(hub.context.database.db);
    const { items } = await list(tenant);
    expect(items).toMatchObject([
      { product_key: 'application:name:acme/editor pro', device_count: 3 },
    ]);
  });

  it('correct user counts after a device changed its owner, and the last sight', async () => {
    const tenant = await hub.newTenant('Owners');
    const device = aDevice();
    await scan(tenant, device, [CLAUDE_CODE.linux], 'alice');
    await scan(tenant, aDevice(), [CLAUDE_CODE.linux], 'bob');
    expect((await list(tenant)).items[0].user_count).toBe(2);
    const { db } = hub.context.database;
    await sql`
      UPDATE devices SET subscriber_id = 'bob'
      WHERE tenant_id = ${tenant.tenantId} AND device_id = ${device.device_id}`.execute(db);
    await recountAllProducts(db);
    expect((await list(tenant)).items[0].user_count).toBe(1);
    await sql`
      UPDATE products SET last_seen_at = now() + interval '1 hour'
      WHERE tenant_id = ${tenant.tenantId}`.execute(db);
    const [before] = (await list(tenant)).items;
    await sightProductsAgain(db);
    const [after] = (await list(tenant)).items;
    expect(Date.parse(after.last_seen_at)).toBeGreaterThan(Date.parse(before.last_seen_at));
  });
});

it('rejects an unknown category with 400', async () => {
  const answer = await hub.console('GET', `/products?category=${randomUUID()}`);
  expect(answer.status).toBe(400);
});
