// `npm run bench:lists`: the console's lists for a tenant with 10,000 devices, 250,000 products and 10 million entity
// rows, beside the same pages of a tenant of a hundredth. The rows are made in SQL; both tenants are in one database.
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded.ts';
import pg from 'pg';
import { request } from 'undici';
import { HUB_MAIN, jsonCommand } from '../support/programs.ts';
import { openBenchHub } from './bench-hub.ts';
import { median } from './median.ts';

const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const ROUNDS = 15;

interface Size {
  devices: number;
  products: number;
  perDevice: number;
}
const LARGE: Size = {
  devices: Math.round(10_000 * SCALE),
  products: Math.round(250_000 * SCALE),
  perDevice: 1_000,
};
const SMALL: Size = {
  devices: Math.ceil(LARGE.devices / 100),
  products: Math.ceil(LARGE.products / 100),
  perDevice: 1_000,
};

const hub = await openBenchHub();
const embedded = await openEmbedded(hub.folder);
const client = new pg.Client(embedded.connection);
await client.connect();

/** 800 products that every device has, and 200 of the long tail; one in fifty is an MCP server. */
async function fill(tenantId: string, size: Size): Promise<void> {
  const common = Math.min(800, Math.floor(size.products / 2));
  const productOf = `CASE WHEN k < ${common} THEN k ELSE ${common} + (d * 7919 + k * 31) % ${size.products - common} END`;
  const idOf = (n: string) => `sha256(('product ' || (${n}))::bytea)`;
  const kindOf = (n: string) => `CASE WHEN (${n}) % 50 = 0 THEN 'mcp_server' ELSE 'package' END`;
  await client.query(
    `INSERT INTO devices (tenant_id, device_id, subscriber_id, hostname, platform, os_version, arch,
       agent_version, first_seen_at, last_seen_at, inventory_hash, entity_count, last_scan_at, governance_state)
     SELECT $1::uuid, md5($1::text || d)::uuid, 'person-' || d, 'host-' || lpad(d::text, 6, '0'),
       CASE WHEN d % 3 = 0 THEN 'macos' ELSE 'linux' END, '12', 'x64', '0.1.0', now() - make_interval(mins => d),
       now() - make_interval(mins => d % 2000), sha256('x'), $3, now(),
       CASE WHEN d % 20 = 0 THEN 'diverged' ELSE 'applied' END
     FROM generate_series(1, $2::integer) d`,
    [tenantId, size.devices, size.perDevice],
  );
  await client.query(
    `INSERT INTO products (tenant_id, entity_id, kind, source, platform, name, name_folded, publisher,
       device_count, first_seen_at, last_seen_at)
     SELECT $1::uuid, ${idOf('n')}, ${kindOf('n')}, 'dpkg', 'linux', 'product-' || n, 'product-' || n,
       'Publisher ' || n % 500, CASE WHEN n < ${common} THEN ${size.devices} ELSE 1 + n % 40 END,
       now() - make_interval(mins => n % 100000), now()
     FROM generate_series(0, $2::integer - 1) n`,
    [tenantId, size.products],
  );
  await client.query(
    `INSERT INTO product_versions (tenant_id, entity_id, version, device_count)
     SELECT $1::uuid, ${idOf('n')}, '1.' || v, 1 FROM generate_series(0, $2::integer - 1) n, generate_series(1, 2) v`,
    [tenantId, size.products],
  );
  for (let from = 1; from <= size.devices; from += 500) {
    await client.query(
      `INSERT INTO entities (tenant_id, device_id, entity_id, kind, source, name, version, executables,
         instances, content_hash, scan_seq, first_seen_at, last_seen_at)
       SELECT $1::uuid, md5($1::text || d)::uuid, ${idOf(productOf)}, ${kindOf(productOf)}, 'dpkg',
         'product-' || (${productOf}), '1.1', '["/usr/bin/x"]', '[]', sha256('y'), 1, now(), now()
       FROM generate_series($2::integer, $3::integer) d, generate_series(0, $4::integer - 1) k
       ON CONFLICT DO NOTHING`,
      [tenantId, from, Math.min(from + 499, size.devices), size.perDevice],
    );
  }
}

async function newTenant(name: string): Promise<{ tenantId: string; token: string }> {
  const env = { HUB_DATA_DIR: hub.folder };
  const { tenant_id: tenantId } = await jsonCommand<{ tenant_id: string }>(
    HUB_MAIN,
    ['tenant', 'create', '--name', name],
    env,
  );
  const { token } = await jsonCommand<{ token: string }>(
    HUB_MAIN,
    ['token', 'admin', '--tenant', tenantId, '--email', 'bench@example.com', '--role', 'Viewer'],
    env,
  );
  return { tenantId, token };
}

const small = await newTenant('Small');
const large = await newTenant('Large');
await fill(small.tenantId, SMALL);
const started = performance.now();
await fill(large.tenantId, LARGE);
await client.query('VACUUM ANALYZE devices, products, product_versions, entities');
const { rows } = await client.query<{ n: string }>(
  'SELECT count(*) AS n FROM entities WHERE tenant_id = $1',
  [large.tenantId],
);
console.log(
  `${rows[0]?.n} entity rows made in ${((performance.now() - started) / 1000).toFixed(0)} s`,
);

async function get(who: { tenantId: string; token: string }, path: string) {
  const answer = await request(`${hub.url}/console/api/v1/tenants/${who.tenantId}${path}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as { items?: Record<string, string>[]; next_cursor?: string | null };
}

/** The page after these many, or the last but one. */
async function far(who: { tenantId: string; token: string }, path: string, pages: number) {
  let there = path;
  for (let i = 0; i < pages; i++) {
    const { next_cursor: cursor } = await get(who, there);
    if (cursor == null) break;
    there = `${path}&cursor=${encodeURIComponent(cursor)}`;
  }
  return there;
}

type Page = (who: { tenantId: string; token: string }) => Promise<string>;
const PAGES: Record<string, Page> = {
  devices: async () => '/devices?limit=50',
  'devices, page 20': (who) => far(who, '/devices?limit=5', 19),
  'devices, searched': async () => '/devices?limit=50&query=host-00004',
  'devices, stale': async () => '/devices?limit=50&state=stale',
  'devices, diverged': async () => '/devices?limit=50&governance=diverged',
  'a device': async (who) =>
    `/devices/${(await get(who, '/devices?limit=1')).items?.[0]?.device_id}`,
  'its entities': async (who) =>
    `/devices/${(await get(who, '/devices?limit=1')).items?.[0]?.device_id}/entities?limit=50`,
  applications: async () => '/discovered-apps?limit=50',
  'applications, page 20': (who) => far(who, '/discovered-apps?limit=50', 19),
  'applications by devices': async () => '/discovered-apps?limit=50&sort=-device_count',
  'applications, newest': async () => '/discovered-apps?limit=50&sort=-first_seen_at',
  'applications, searched': async () => '/discovered-apps?limit=50&query=product-12',
  'applications, found once': async () => '/discovered-apps?limit=50&query=product-2399',
  'applications, not found': async () => '/discovered-apps?limit=50&query=nothing-like-it',
  'MCP servers': async () => '/discovered-apps?limit=50&kind=mcp_server',
  'IDE extensions, none': async () => '/discovered-apps?limit=50&kind=ide_extension',
  'applications, approved': async () => '/discovered-apps?limit=50&approval_status=approved',
  'an application': async (who) =>
    `/discovered-apps/${(await get(who, '/discovered-apps?limit=1&sort=-device_count')).items?.[0]?.entity_id}`,
  'its devices': async (who) =>
    `/discovered-apps/${(await get(who, '/discovered-apps?limit=1&sort=-device_count')).items?.[0]?.entity_id}/devices?limit=50`,
};

for (const [name, page] of Object.entries(PAGES)) {
  const paths = [await page(small), await page(large)] as const;
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, who] of [small, large].entries()) {
      const begun = performance.now();
      await get(who, paths[i as 0 | 1]);
      times[i as 0 | 1].push(performance.now() - begun);
    }
  }
  const [a, b] = [median(times[0]), median(times[1])];
  console.log(
    `${name}: ${a.toFixed(1)} ms, of a hundredfold ${b.toFixed(1)} ms, ratio ${(b / a).toFixed(2)}`,
  );
}
await client.end();
await embedded.release();
await hub.close();
