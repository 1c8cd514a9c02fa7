// `npm run bench:management`: reads, changes, lists and deliveries of the management API, each beside its baseline in
// the same run over 64 connections. No figure is a time of this machine but the last, which waits for no other load.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import pg from 'pg';
import { request } from 'undici';
import { HUB_MAIN, jsonCommand } from '../test/support/programs.ts';
import { openBenchHub } from './bench-hub.ts';
import { load, type Shot } from './load.ts';
import { median } from './median.ts';

const R = '/llmgateway/management/v1';
const ROUNDS = 5;
const APPS = 64;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4_000);
const LARGE = Number(process.env.BENCH_APPS ?? 100_000);
const NODES = 50;

const hub = await openBenchHub({ LLMGATEWAY_MANAGEMENT_API_ENABLED: 'true' });
const env = { HUB_DATA_DIR: hub.folder };
const embedded = await openEmbedded(hub.folder);
const client = new pg.Client(embedded.connection);
await client.connect();

async function newTenant(name: string) {
  const createdTenant = await jsonCommand<{ tenant_id: string }>(
    HUB_MAIN,
    ['tenant', 'create', '--name', name],
    env,
  );
  const { key } = await jsonCommand<{ key: string }>(
    HUB_MAIN,
    ['key', 'management', '--tenant', createdTenant.tenant_id, '--name', 'bench'],
    env,
  );
  return { tenantId: createdTenant.tenant_id, headers: { authorization: `Bearer ${key}` } };
}

async function fill(tenantId: string, apps: number): Promise<void> {
  await client.query(
    `INSERT INTO apps (tenant_id, app_id, name, name_folded, mode, enabled, provider_labels, tags, config)
     SELECT $1::uuid, gen_random_uuid(), 'app-' || lpad(n::text, 6, '0'), 'app-' || lpad(n::text, 6, '0'),
       'sdk', true, '[]', '["bench"]',
       '{"limits": {"timeout": 1}, "detection": {"category_actions": {"pii": "redact", "secrets": "block"}}}'
     FROM generate_series(0, $2::integer - 1) n`,
    [tenantId, apps],
  );
}

const tenant = await newTenant('One');
await fill(tenant.tenantId, 1_000);
await client.query('VACUUM ANALYZE apps');
const baseline = spawn(process.execPath, [join(import.meta.dirname, 'management-baseline.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    BENCH_CONNECTION: JSON.stringify(embedded.connection),
    BENCH_TENANT: tenant.tenantId,
  },
});
const [bareUrl] = (await once(createInterface({ input: baseline.stdout }), 'line')) as [string];

const nameOf = (n: number) => `app-${String(n % APPS).padStart(6, '0')}`;
const json = { ...tenant.headers, 'content-type': 'application/json' };

async function compare(
  what: string,
  wanted: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
) {
  const ratios: number[] = [];
  const rates: [number[], number[]] = [[], []];
  await ours();
  await theirs();
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await ours(), await theirs()];
    ratios.push(a / b);
    rates[0].push(a);
    rates[1].push(b);
  }
  console.log(
    `${what}: ${median(rates[0]).toFixed(0)}/s, baseline ${median(rates[1]).toFixed(0)}/s, ratio ${median(ratios).toFixed(2)} (wanted ${wanted})`,
  );
}

const gets = (prefix: string): Shot[] =>
  Array.from({ length: REQUESTS }, (_, n) => ({
    method: 'GET',
    path: `${prefix}/apps/${nameOf(n)}`,
    headers: tenant.headers,
  }));
const rate = async (origin: string, shots: Shot[], connections: number) => {
  const measured = await load(origin, shots, { expect: 200, connections });
  if (measured.failed > 0) throw new Error(`${measured.failed} of ${shots.length} failed`);
  return measured.perSecond;
};
// A process admits 32 at once: more would measure refusals.
for (const connections of [32]) {
  await compare(
    `GET an app, ${connections} connections`,
    0.6,
    () => rate(hub.url, gets(R), connections),
    () => rate(bareUrl, gets(''), connections),
  );
}

/** Every worker changes an app of its own, always with the ETag that it was given last. */
async function patches(origin: string, prefix: string, connections: number): Promise<number> {
  const each = Math.ceil(REQUESTS / 4 / connections);
  const etags = await Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      const got = await request(`${origin}${prefix}/apps/${nameOf(n)}`, { headers: json });
      await got.body.dump();
      return String(got.headers.etag ?? '');
    }),
  );
  const startedAt = performance.now();
  await Promise.all(
    etags.map(async (first, n) => {
      let etag = first;
      for (let i = 0; i < each; i++) {
        const answer = await request(`${origin}${prefix}/apps/${nameOf(n)}`, {
          method: 'PATCH',
          headers: { ...json, 'if-match': etag },
          body: JSON.stringify({ limits: { timeout: Math.floor(Math.random() * 1e9) } }),
        });
        if (answer.statusCode !== 200) throw new Error(await answer.body.text());
        await answer.body.dump();
        etag = String(answer.headers.etag ?? '');
      }
    }),
  );
  return (each * connections) / ((performance.now() - startedAt) / 1000);
}
if (process.env.BENCH_ONLY !== 'get')
  await compare(
    'PATCH an app, 32 connections',
    0.6,
    () => patches(hub.url, R, 32),
    () => patches(bareUrl, '', 32),
  );

const large = await newTenant('Large');
await fill(large.tenantId, LARGE);
await client.query('VACUUM ANALYZE apps');
const LISTS = ['/apps?limit=200', '/apps?limit=200&name=app-0005', '/apps?limit=200&tag=bench'];
for (const path of LISTS) {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 30; round++) {
    for (const [i, who] of [tenant, large].entries()) {
      const startedAt = performance.now();
      const got = await request(`${hub.url}${R}${path}`, { headers: who.headers });
      await got.body.dump();
      if (got.statusCode !== 200) throw new Error(`${path}: ${got.statusCode}`);
      times[i as 0 | 1].push(performance.now() - startedAt);
    }
  }
  const [a, b] = [median(times[0]), median(times[1])];
  console.log(
    `${path}: of 1,000 apps ${a.toFixed(1)} ms, of ${LARGE} ${b.toFixed(1)} ms, ratio ${(b / a).toFixed(2)} (wanted 1.3)`,
  );
}

/** Nodes that wait, and how long after a saved change the last of them has it. */
async function deliveries(): Promise<number> {
  const { token } = await jsonCommand<{ token: string }>(
    HUB_MAIN,
    ['token', 'node', '--name', 'bench', '--tenant', tenant.tenantId],
    env,
  );
  const headers = { authorization: `Bearer ${token}` };
  const next = async (cursor: string, wait: number) => {
    const path = `/node/v1/config?wait=${wait}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const got = await request(`${hub.url}${path}`, { headers });
    return (await got.body.json()) as {
      items: { id: string }[];
      next_cursor: string;
      has_more: boolean;
    };
  };
  let page = await next('', 0);
  while (page.has_more) page = await next(page.next_cursor, 0);
  const cursor = page.next_cursor;
  const waiting = Array.from({ length: NODES }, async () => {
    const got = await next(cursor, 20);
    if (got.items.length === 0) throw new Error('a node received no changes');
    return performance.now();
  });
  // All are waiting once the hub has answered somebody who came after them.
  for (let i = 0; i < 5; i++) await next('', 0);
  const startedAt = performance.now();
  const created = await request(`${hub.url}${R}/apps`, {
    method: 'POST',
    headers: { ...json, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ name: crypto.randomUUID(), mode: 'sdk' }),
  });
  await created.body.dump();
  if (created.statusCode !== 201) throw new Error(String(created.statusCode));
  return Math.max(...(await Promise.all(waiting))) - startedAt;
}
const delays: number[] = [];
for (let round = 0; round < ROUNDS; round++) delays.push(await deliveries());
console.log(
  `a new app on the last of ${NODES} waiting nodes: ${median(delays).toFixed(0)} ms after it was sent (wanted < 1000)`,
);

baseline.kill();
await client.end();
await embedded.release();
await hub.close();
