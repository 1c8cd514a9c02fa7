// A search returns the same rows before and after they are indexed, and applies the list's own filter.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { aBatch, aDevice, anEntity, anUnknownProcess } from '../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { makeApp, manage } from '../../../test/support/management.ts';
import {
  resolveNameConflicts,
  SEARCHED_DEVICES,
  SEARCHED_PRODUCTS,
} from '../features/devices/inventory/index.ts';
import { SEARCHED_PROCESSES } from '../features/devices/processes/index.ts';
import { SEARCHED_APPS } from '../features/management/apps/index.ts';
import { createUser, SEARCHED_MEMBERS } from '../features/people/identity/index.ts';
import { foldPiece } from '../platform/db/name-folding.ts';
import { indexSearches, type SearchedList, searchPage } from '../platform/db/search-index.ts';

// No index is kept there; what is found is the same.
const { isCitus } = inject('postgres');

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const db = () => hub.context.database.db;

/** Rows that the index does not know. */
async function waiting(list: SearchedList, at = db()): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM ${sql.table(list.table)} WHERE ${list.isPending}`.execute(
    at,
  );
  return rows[0]?.n ?? -1;
}

async function indexed(list: SearchedList): Promise<void> {
  if (isCitus) return;
  // The hub's own job may hold some of them.
  await expect
    .poll(async () => {
      await indexSearches(db(), list);
      return waiting(list);
    })
    .toBe(0);
}

type Tenant = Awaited<ReturnType<TestHub['newTenant']>>;

async function found(
  tenant: Tenant,
  path: string,
  query: string,
  at: TestHub = hub,
): Promise<string[]> {
  const answer = await at.console('GET', `${path}?limit=200&query=${encodeURIComponent(query)}`, {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  expect(answer.status).toBe(200);
  return (answer.body.items as { name?: string; email?: string; hostname?: string }[]).map(
    (item) => item.name ?? item.email ?? item.hostname ?? '',
  );
}

const LETTERS = ['a', 'b', 'A', 'ä', 'Σ', 'ς', 'İ', '%', '_', '\\', '-', ' ', '😀', 'é'];
const words = fc
  .string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 12 })
  .map((text) => text.trim())
  .filter((text) => text !== '');

/** Seed of the commit, as for properties. */
const SEED = Number(process.env.GATEWARDEN_PROPERTY_SEED);

it('finds any part of a text before, during and after indexing', async () => {
  const tenant = await hub.newTenant('Pieces');
  const names = fc.sample(words, { numRuns: 120, seed: SEED }).map((name, i) => `${name}${i % 7}`);
  const entities = names.map((name, i) =>
    anEntity(`piece-${i}`, { name, publisher: i % 3 === 0 ? `${names[(i * 5) % 120]}` : null }),
  );
  const send = async (some: typeof entities) => {
    for (let i = 0; i < some.length; i += 50) {
      const answer = await deviceCall(
        { ...hub, ...tenant },
        'POST',
        '/ea/v1/sync/discovered-apps',
        { body: aBatch(aDevice(), some.slice(i, i + 50)) },
      );
      expect(answer.status).toBe(202);
    }
  };
  const asked = fc.sample(words, { numRuns: 60, seed: SEED + 1 }).concat(
    // Pieces that are there, of all lengths.
    names.map((name, i) => [...name].slice(i % 3, (i % 3) + 1 + (i % 5)).join('')),
  );
  const expected = (query: string) =>
    entities
      .filter((entity) =>
        foldPiece(query)
          .split(/\s+/)
          .every((word) =>
            [entity.name, entity.publisher ?? '', entity.source].some((text) =>
              foldPiece(text).includes(word),
            ),
          ),
      )
      .map((entity) => entity.name)
      .sort();
  const compare = async () => {
    for (const query of asked.filter((text) => text.trim() !== '')) {
      const names = await found(tenant, '/discovered-apps', query);
      expect([query, names.sort()]).toEqual([query, expected(query)]);
    }
  };
  await send(entities.slice(0, 60));
  await indexed(SEARCHED_PRODUCTS);
  await send(entities.slice(60));
  await compare();
  await indexed(SEARCHED_PRODUCTS);
  await compare();
}, 300_000);

it('finds a product by its new name, and no longer by the former name', async () => {
  const tenant = await hub.newTenant('Renamed');
  const entity = anEntity('renamed', { name: 'Former Editor' });
  const scan = (device: ReturnType<typeof aDevice>, name: string) =>
    deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [{ ...entity, name }]),
    });
  const device = aDevice();
  await scan(device, 'Former Editor');
  await indexed(SEARCHED_PRODUCTS);
  await scan(device, 'Later Editor');
  await resolveNameConflicts(db());
  for (const round of ['waiting', 'indexed']) {
    expect([round, await found(tenant, '/discovered-apps', 'former')]).toEqual([round, []]);
    expect(await found(tenant, '/discovered-apps', 'later')).toEqual(['Later Editor']);
    await indexed(SEARCHED_PRODUCTS);
  }
});

it('finds a process by its path and a person by their address, each in their own tenant only', async () => {
  const [tenant, other] = [await hub.newTenant('One'), await hub.newTenant('Other')];
  const strange = anUnknownProcess('strange', { executable_path: '/opt/ΟΔΟΣ/Strange-Thing' });
  const device = aDevice();
  const answer = await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/unknown-processes', {
    body: { batch_id: randomUUID(), device, processes: [strange] },
  });
  expect(answer.status).toBe(202);
  for (const name of ['Ada.Lovelace', 'ada.other', 'grace']) {
    const user = { tenantId: tenant.tenantId, email: `${name}@example.com`, password: null };
    await createUser(db(), { ...user, role: 'Viewer' });
  }
  for (const list of [SEARCHED_PROCESSES, SEARCHED_MEMBERS]) await indexed(list);
  for (const query of ['thing', 'STRANGE', 'οδος/str', 'nowhere']) {
    const names = query === 'nowhere' ? [] : ['strange'];
    expect(await found(tenant, '/unknown-processes', query)).toEqual(names);
    expect(await found(other, '/unknown-processes', query)).toEqual([]);
  }
  const people: [string, string[]][] = [
    ['LOVELACE', ['Ada.Lovelace@example.com']],
    ['ada.', ['Ada.Lovelace@example.com', 'ada.other@example.com']],
    ['nobody', []],
  ];
  for (const [query, emails] of people) {
    expect(await found(tenant, '/users', query)).toEqual(emails);
    expect(await found(other, '/users', query)).toEqual([]);
  }
  // The removal of a device removes what only this device reported.
  const gone = await hub.console('DELETE', `/devices/${device.device_id}`, {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  expect(gone.status).toBeLessThan(300);
  const { rows } = await sql`
    SELECT 1 FROM search_grams
    WHERE tenant_id = ${tenant.tenantId} AND list = 'unknown_processes'`.execute(db());
  expect(rows).toEqual([]);
});

it('finds a device by its current name, its user and its id, after a change by any writer', async () => {
  const [tenant, other] = [await hub.newTenant('Devices'), await hub.newTenant('Others')];
  const enter = async (hostname: string) => {
    const device = aDevice({ hostname });
    const answer = await deviceCall({ ...hub, ...tenant }, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, []),
    });
    expect(answer.status).toBe(202);
    return device;
  };
  const first = await enter('ΟΔΟΣ-Laptop');
  await enter('plain-laptop');
  const expected: [string, string[]][] = [
    ['laptop', ['plain-laptop', 'ΟΔΟΣ-Laptop']],
    ['οδος', ['ΟΔΟΣ-Laptop']],
    ['PLAIN', ['plain-laptop']],
    [first.device_id.slice(4, 23), ['ΟΔΟΣ-Laptop']],
    ['nowhere', []],
  ];
  const compare = async () => {
    for (const [query, names] of expected) {
      expect([query, await found(tenant, '/devices', query)]).toEqual([query, names]);
      expect(await found(other, '/devices', query)).toEqual([]);
    }
  };
  await compare();
  await indexed(SEARCHED_DEVICES);
  await compare();
  // As a release writes that knows nothing of the index.
  await sql`
    UPDATE devices SET hostname = 'renamed-box', subscriber_id = 'Straße@example.com'
    WHERE tenant_id = ${tenant.tenantId} AND device_id = ${first.device_id}`.execute(db());
  for (const round of ['waiting', 'indexed']) {
    expect([round, await found(tenant, '/devices', 'οδος')]).toEqual([round, []]);
    expect(await found(tenant, '/devices', 'laptop')).toEqual(['plain-laptop']);
    expect(await found(tenant, '/devices', 'med-bo')).toEqual(['renamed-box']);
    expect(await found(tenant, '/devices', 'STRASSE')).toEqual([]);
    expect(await found(tenant, '/devices', 'straße@')).toEqual(['renamed-box']);
    await indexed(SEARCHED_DEVICES);
  }
});

it('finds the same where PostgreSQL has counted what is most common', async () => {
  // Of its own: a hub takes for ten minutes what it read at its first search.
  const own = await startTestHub();
  const tenant = await own.newTenant('Counted');
  const { db } = own.context.database;
  await sql`
    INSERT INTO products (tenant_id, entity_id, kind, source, platform, name, name_folded,
      device_count, first_seen_at, last_seen_at)
    SELECT ${tenant.tenantId}::uuid, sha256(('counted' || n)::bytea), 'package', 'dpkg', 'linux',
      'library-' || n, 'library-' || n, 1, now(), now()
    FROM generate_series(1, 1500) n`.execute(db);
  if (!isCitus) {
    for (let left = 1; left > 0; ) {
      await indexSearches(db, SEARCHED_PRODUCTS);
      left = await waiting(SEARCHED_PRODUCTS, db);
    }
    await sql`ANALYZE search_grams`.execute(db);
    const { rows } = await sql`
      SELECT 1 FROM pg_stats
      WHERE tablename = 'search_grams' AND most_common_elems IS NOT NULL`.execute(db);
    expect(rows).toHaveLength(1);
  }
  for (const [query, count] of [
    ['library-149', 11],
    ['library', 200],
    ['rary-1500', 1],
    ['rary-1501', 0],
  ] as const) {
    const names = await found(tenant, '/discovered-apps', query, own);
    expect([query, names.length]).toEqual([query, count]);
  }
  await own.stop();
});

it('uses the index only where the first rows do not fill the page, and skips it for too many matches', async () => {
  const tenant = await hub.newTenant('Long');
  const count = 2_700;
  await sql`
    INSERT INTO products (tenant_id, entity_id, kind, source, platform, name, name_folded,
      device_count, first_seen_at, last_seen_at)
    SELECT ${tenant.tenantId}::uuid, sha256(n::text::bytea), 'package', 'dpkg', 'linux',
      'common-' || n, 'common-' || n, 1, now(), now()
    FROM generate_series(1, ${count}::integer) n`.execute(db());
  await indexed(SEARCHED_PRODUCTS);
  const scopes = async (piece: string, inHead: number) => {
    const tried: string[] = [];
    const list = { list: SEARCHED_PRODUCTS, tenantId: tenant.tenantId, pieces: [piece], limit: 10 };
    await searchPage(db(), list, async (scope) => {
      tried.push(scope.in === 'these' ? `these ${scope.ids.split(',').length}` : scope.in);
      return scope.in === 'head' ? new Array<string>(inHead).fill('') : [];
    });
    return tried;
  };
  if (isCitus) {
    expect(await scopes('common-777', 1)).toEqual(['all']);
    return;
  }
  expect(await scopes('common', 10)).toEqual(['head']);
  expect(await scopes('common', 9)).toEqual(['head', 'all']);
  expect(await scopes('common-777', 1)).toEqual(['head', 'these 1']);
  expect(await scopes('nowhere', 0)).toEqual(['head']);
  expect(await scopes('no', 0)).toEqual(['all']);
});

it('finds apps far behind the list’s beginning, page by page, before the index knows them and after', async () => {
  const tenant = await hub.newTenant('Apps');
  const api = await manage({ url: hub.url, ...tenant });
  await sql`
    INSERT INTO apps (tenant_id, app_id, name, name_folded, mode, enabled, provider_labels, tags,
      config, version)
    SELECT ${tenant.tenantId}::uuid, gen_random_uuid(), 'Common ' || n, 'common ' || n, 'sdk',
      true, '[]', '[]', '{}', 1
    FROM generate_series(10001, 11500) n`.execute(db());
  await makeApp(api, 'Zebra Needle', { tags: ['t'] });
  await makeApp(api, 'zeal: NEEDLE_%');
  const names = async (query: string) => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await api.call('GET', `/apps?limit=1&${query}${at}`);
      expect(page.status).toBe(200);
      found.push(...page.body.items.map((app: { name: string }) => app.name));
      cursor = page.body.next_cursor;
    }
    return found;
  };
  const all = async () => {
    expect(await names('name=needle')).toEqual(['zeal: NEEDLE_%', 'Zebra Needle']);
    expect(await names('name=NEEDLE&tag=t')).toEqual(['Zebra Needle']);
    expect(await names('name=needle&enabled=false')).toEqual([]);
    expect(await names(`name=${encodeURIComponent('e_%')}`)).toEqual(['zeal: NEEDLE_%']);
    expect(await names('name=COMMON+1149')).toEqual(
      Array.from({ length: 10 }, (_, i) => `Common ${11490 + i}`),
    );
  };
  await all();
  await indexed(SEARCHED_APPS);
  await all();
});
