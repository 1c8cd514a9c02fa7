// `npm run bench:lists`: the console's lists for a tenant with 10,000 devices, 250,000 products and 10 million entity
// rows, 100,000 alerts, events, unknown processes and people each, beside the same pages of a tenant of a hundredth. The rows are made in SQL; both tenants are in one database.
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import pg from 'pg';
import { request } from 'undici';
import { type FleetSize, fillFleet } from '../test/support/fleet-rows.ts';
import { HUB_MAIN, jsonCommand } from '../test/support/programs.ts';
import { openBenchHub } from './bench-hub.ts';
import { median } from './median.ts';

const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const ROUNDS = 15;

const LARGE: FleetSize = {
  devices: Math.round(10_000 * SCALE),
  products: Math.round(250_000 * SCALE),
  perDevice: 1_000,
  events: Math.round(100_000 * SCALE),
};
const SMALL: FleetSize = {
  devices: Math.ceil(LARGE.devices / 100),
  products: Math.ceil(LARGE.products / 100),
  perDevice: 1_000,
  events: Math.ceil(LARGE.events / 100),
};

const hub = await openBenchHub();
const embedded = await openEmbedded(hub.folder);
const client = new pg.Client(embedded.connection);
await client.connect();

async function newTenant(name: string): Promise<{ tenantId: string; token: string }> {
  const env = { HUB_DATA_DIR: hub.folder };
  const { tenant_id: tenantId } = await jsonCommand<{ tenant_id: string }>(
    HUB_MAIN,
    ['tenant', 'create', '--name', name],
    env,
  );
  const { token } = await jsonCommand<{ token: string }>(
    HUB_MAIN,
    ['token', 'admin', '--tenant', tenantId, '--email', 'bench@example.com', '--role', 'Admin'],
    env,
  );
  return { tenantId, token };
}

const small = await newTenant('Small');
const large = await newTenant('Large');
await fillFleet(client, small.tenantId, SMALL);
const started = performance.now();
await fillFleet(client, large.tenantId, LARGE);
// The rows came past the hub, so its job has all of them before it.
let waiting = 1;
while (waiting > 0) {
  await new Promise((done) => setTimeout(done, 1_000));
  const { rows: left } = await client.query<{ n: string }>(
    `SELECT (SELECT count(*) FROM products WHERE NOT is_searchable)
       + (SELECT count(*) FROM unknown_processes WHERE NOT is_searchable)
       + (SELECT count(*) FROM members WHERE NOT is_searchable)
       + (SELECT count(*) FROM devices
         WHERE searched_as IS DISTINCT FROM hashtextextended(hostname || E'\\n' || subscriber_id, 0)) AS n`,
  );
  waiting = Number(left[0]?.n);
}
await client.query(
  'VACUUM ANALYZE search_grams, devices, products, product_versions, entities, alerts, activity, unknown_processes, members',
);
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

/** Returns the path of the page after so many pages, or of the last page but one. */
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
  'its entities, searched': async (who) =>
    `/devices/${(await get(who, '/devices?limit=1')).items?.[0]?.device_id}/entities?limit=50&query=bin/nothing`,
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
  'an MCP server on all devices': async (who) =>
    `/discovered-apps/${(await get(who, '/discovered-apps?limit=1&kind=mcp_server&sort=-device_count')).items?.[0]?.entity_id}`,
  'its devices': async (who) =>
    `/discovered-apps/${(await get(who, '/discovered-apps?limit=1&sort=-device_count')).items?.[0]?.entity_id}/devices?limit=50`,
  'what is like an MCP server': async (who) =>
    `/discovered-apps/${(await get(who, '/discovered-apps?limit=1&kind=mcp_server')).items?.[0]?.entity_id}/similar`,
  overview: async () => '/overview',
  alerts: async () => '/alerts?limit=50',
  'alerts, page 20': (who) => far(who, '/alerts?limit=50', 19),
  'alerts, open': async () => '/alerts?limit=50&state=open',
  'alerts, mine': async () => '/alerts?limit=50&assigned=me',
  'alerts, critical': async () => '/alerts?limit=50&severity=critical',
  activity: async () => '/activity?limit=50',
  'unknown processes': async () => '/unknown-processes?limit=50',
  'unknown processes, searched': async () => '/unknown-processes?limit=50&query=process-99',
  decisions: async () => '/overrides?limit=50',
  'device groups': async () => '/device-groups?limit=50',
  'access requests': async () => '/access-requests?limit=50',
  people: async () => '/users?limit=50',
  'people, searched': async () => '/users?limit=50&query=person-99',
  'agent releases': async () => '/agent-releases',
  'hub health': async () => '/hub-health',
};

console.log('| page | a hundredth | all of it | ratio |\n|---|---|---|---|');
for (const [name, page] of Object.entries(PAGES)) {
  const paths = [await page(small), await page(large)] as const;
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, who] of [small, large].entries()) {
      const startedAt = performance.now();
      await get(who, paths[i as 0 | 1]);
      times[i as 0 | 1].push(performance.now() - startedAt);
    }
  }
  const [a, b] = [median(times[0]), median(times[1])];
  console.log(`| ${name} | ${a.toFixed(1)} ms | ${b.toFixed(1)} ms | ${(b / a).toFixed(2)} |`);
}
await client.end();
await embedded.release();
await hub.close();
