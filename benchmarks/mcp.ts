// `npm run bench:mcp`: `tools/call` through the gateway (token, policy, names, log row) beside a proxy that only passes
// through, both before the same server, in the same run over 32 connections.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import pg from 'pg';
import { request } from 'undici';
import { HUB_MAIN, jsonCommand } from '../test/support/programs.ts';
import { openBenchHub } from './bench-hub.ts';
import { load, type Shot } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4_000);
const EMAIL = 'bench@example.com';

const hub = await openBenchHub({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
const env = { HUB_DATA_DIR: hub.folder };
const tenantId = hub.headers['x-tenant-id'] ?? '';
const server = spawn(process.execPath, [join(import.meta.dirname, 'mcp-upstream.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
const [upstream = '', proxied = ''] = line.split(' ');

const { token: admin } = await jsonCommand<{ token: string }>(
  HUB_MAIN,
  ['token', 'admin', '--tenant', tenantId, '--email', EMAIL],
  env,
);
await jsonCommand(
  HUB_MAIN,
  ['user', 'create', '--tenant', tenantId, '--email', EMAIL, '--password-stdin'],
  env,
  'bench password',
);
const created = await request(`${hub.url}/console/api/v1/tenants/${tenantId}/mcp/backends`, {
  method: 'POST',
  headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
  body: JSON.stringify({ slug: 'bench', name: 'Bench', url: upstream, auth: { kind: 'none' } }),
});
if (created.statusCode !== 201) throw new Error(await created.body.text());
await created.body.dump();

// The way through consent and login has tests of its own; here only its end is needed.
const embedded = await openEmbedded(hub.folder);
const client = new pg.Client(embedded.connection);
await client.connect();
const token = makeSecret('gatewayOAuth');
await client.query(
  `INSERT INTO mcp_tokens (token_hash, token_id, namespace, tenant_id, user_id, email, email_folded, redirect_host)
   SELECT $1, gen_random_uuid(), 'gwone', tenant_id, user_id, email, $2, 'bench' FROM members WHERE email = $3`,
  [hashSecret(token), foldName(EMAIL), EMAIL],
);

const call = (name: string): Shot => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  },
  body: Buffer.from(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
    }),
  ),
});
const through = Array.from({ length: REQUESTS }, () => ({
  ...call('bench__greet'),
  path: '/gwone/mcp',
}));
const past = Array.from({ length: REQUESTS }, () => call('greet'));
const rate = async (origin: string, shots: Shot[]) => {
  const measured = await load(origin, shots, { expect: 200, connections: 32 });
  if (measured.failed > 0) throw new Error(`${measured.failed} of ${shots.length} failed`);
  return measured.perSecond;
};
const rates: [number[], number[], number[]] = [[], [], []];
/** Milliseconds of the hub's processor time for a call: what other work on the machine does not change. */
const spent: number[] = [];
for (let round = -1; round < ROUNDS; round++) {
  const cpu = hub.cpu().hub;
  const ours = await rate(hub.url, through);
  if (round >= 0) spent.push(((hub.cpu().hub - cpu) / REQUESTS) * 1_000);
  const [theirs, direct] = [await rate(proxied, past), await rate(new URL(upstream).origin, past)];
  if (round < 0) continue;
  rates[0].push(ours);
  rates[1].push(theirs);
  rates[2].push(direct);
}
const [a, b, c] = rates.map(median) as [number, number, number];
console.log(
  `tools/call: gateway ${a.toFixed(0)}/s, pass-through ${b.toFixed(0)}/s, direct ${c.toFixed(0)}/s, ratio to pass-through ${(a / b).toFixed(2)} (wanted 0.9); ${median(spent).toFixed(3)} ms of the hub's processor for each`,
);

/** A tenth of the gateway's maximum rate: each request is sent on schedule, whether or not its predecessor was answered. */
const PER_SECOND = Math.round(a / 10);
const TIMED = 2_000;
async function latencies(origin: string, shot: Shot): Promise<number[]> {
  const startedAt = performance.now();
  const times = await Promise.all(
    Array.from({ length: TIMED }, async (_, i) => {
      const due = startedAt + (i * 1_000) / PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const sent = performance.now();
      const got = await request(origin + shot.path, {
        method: 'POST',
        headers: shot.headers,
        ...(shot.body === undefined ? {} : { body: shot.body }),
      });
      await got.body.dump();
      if (got.statusCode !== 200) throw new Error(`${origin} answered ${got.statusCode}`);
      return performance.now() - sent;
    }),
  );
  return times.sort((x, y) => x - y);
}
const at = (times: number[], part: number) => times[Math.floor(times.length * part)] ?? 0;
const added: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
  const via = await latencies(hub.url, through[0] as Shot);
  const straight = await latencies(new URL(upstream).origin, past[0] as Shot);
  added[0].push(at(via, 0.5) - at(straight, 0.5));
  added[1].push(at(via, 0.99) - at(straight, 0.99));
}
const [half, tail] = added.map(median) as [number, number];
console.log(
  `at ${PER_SECOND} a second: median ${half.toFixed(2)} ms more than direct (wanted 1), 99 % ${tail.toFixed(2)} ms (wanted 3)`,
);
server.kill();
await client.end();
await embedded.release();
await hub.close();
