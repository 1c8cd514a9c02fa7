// `npm run bench:gateway`: latency that a gateway node adds, and its throughput, beside a bare pass-through and Portkey's
// gateway, interleaved in the same run. The hub is a double that serves a fixed configuration and accepts rows.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hashSecretHex, makeSecret } from '@gatewarden/shared/secrets.ts';
import { Pool } from 'undici';
import { load, type Shot } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const SEQUENTIAL = 400;
const REQUESTS = 4_000;
const ROOT = join(import.meta.dirname, '..');
const DOUBLES = join(import.meta.dirname, 'gateway-doubles.ts');
const PORTKEY_PORT = '18787';

const children: ChildProcess[] = [];
const tenantId = randomUUID();
const folder = mkdtempSync(join(tmpdir(), 'gw-bench-'));

/** Starts a program and resolves with the first line of its output that matches. */
async function startChild(file: string, args: string[], env = {}, ready = /./): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    if (ready.test(line)) return line;
  }
  throw new Error(`${file} ended before it was ready`);
}

const PATTERNS = ['secrets', 'pii', 'pci', 'prompt_injection', 'jailbreak'];
const CONTROLS = {
  detection: {
    enabled_categories: Object.fromEntries(PATTERNS.map((name) => [name, true])),
    category_actions: Object.fromEntries(PATTERNS.map((name) => [name, 'block'])),
    category_scopes: Object.fromEntries(PATTERNS.map((name) => [name, 'both'])),
  },
  limits: { rate_limit_per_minute: 100_000_000, token_limits: { max_per_request: 1_000_000 } },
  access: { allowed_source_ips: ['127.0.0.0/8'] },
};

/** Returns the configuration items of an app, and the secret of its key. */
function describeApp(upstream: string, config: object) {
  const [appId, keyId, secret] = [randomUUID(), randomUUID(), makeSecret('gatewayApp')];
  const label = `bench ${appId}`;
  const item = (kind: string, id: string, doc: object) => ({
    ...{ kind, tenant_id: tenantId, id, revision: 1, deleted: false, doc },
  });
  const items = [
    item('provider', label, {
      ...{ label, provider_name: 'vendorA', selected_models: ['bench-model'], enabled: true },
      provider_settings: { api_key: 'sk-bench', base_url: `${upstream}/v1` },
    }),
    item('app', appId, {
      ...{ app_id: appId, name: label, mode: 'gateway', enabled: true, provider_labels: [label] },
      ...{ policy_baseline: null, inline_providers: null, config },
    }),
    item('key', keyId, {
      ...{ key_id: keyId, app_id: appId, secret_sha256: hashSecretHex(secret), expires_at: null },
    }),
  ];
  return { items, secret };
}

/** Starts a hub that delivers these items once, and accepts every row. */
async function startHubDouble(items: object[]): Promise<string> {
  const server = createServer(async (request, response) => {
    for await (const _chunk of request);
    const answer = (body: object, status = 200) => {
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...body, request_id: randomUUID() }));
    };
    if (request.method === 'POST') return answer({ accepted: 1, duplicates: 0 }, 202);
    const isFirst = !request.url?.includes('cursor=');
    const page = { next_cursor: 'end', has_more: false, live_nodes: 1 };
    setTimeout(
      () => answer({ items: isFirst ? items : [], ...page }),
      isFirst ? 0 : 20_000,
    ).unref();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the median latency in milliseconds of requests that are sent one after another. */
async function measureLatency(origin: string, shot: Shot): Promise<number> {
  const pool = new Pool(origin, { connections: 1 });
  const times: number[] = [];
  for (let i = 0; i < SEQUENTIAL; i++) {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({ ...shot, body: shot.body ?? null });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${origin} answered ${statusCode}: ${text}`);
    times.push(performance.now() - startedAt);
  }
  await pool.close();
  return median(times);
}

const body = Buffer.from(
  JSON.stringify({
    model: 'bench-model',
    messages: [{ role: 'user', content: 'Summarize the minutes of the meeting. '.repeat(24) }],
  }),
);
const shotWith = (headers: Record<string, string>): Shot => ({
  ...{ method: 'POST', path: '/v1/chat/completions', body },
  headers: { 'content-type': 'application/json', ...headers },
});

try {
  const upstream = await startChild(DOUBLES, ['upstream']);
  const bare = await startChild(DOUBLES, ['bare', upstream]);
  const [off, on] = [describeApp(upstream, {}), describeApp(upstream, CONTROLS)];
  const hub = await startHubDouble([...off.items, ...on.items]);
  await startChild(
    join(ROOT, 'node_modules/@portkey-ai/gateway/build/start-server.js'),
    [`--port=${PORTKEY_PORT}`, '--headless'],
    { TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
    /Ready|running at/,
  );
  const gatewayPort = '18788';
  spawnGateway(hub, gatewayPort);
  const gateway = `http://127.0.0.1:${gatewayPort}`;
  await waitUntilReady(gateway);
  const key = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const targets = {
    direct: [upstream, shotWith({})],
    'gateway, controls off': [gateway, shotWith(key(off.secret))],
    'gateway, controls on': [gateway, shotWith(key(on.secret))],
    portkey: [
      `http://127.0.0.1:${PORTKEY_PORT}`,
      shotWith({
        authorization: 'Bearer sk-bench',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${upstream}/v1`,
      }),
    ],
  } as const satisfies Record<string, readonly [string, Shot]>;
  const latencies = Object.fromEntries(Object.keys(targets).map((name) => [name, [] as number[]]));
  const rates = { gateway: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, [origin, shot]] of Object.entries(targets)) {
      const latency = await measureLatency(origin, shot);
      // The first round warms up.
      if (round > 0) latencies[name]?.push(latency);
    }
    const many = (shot: Shot) => Array.from({ length: REQUESTS }, () => shot);
    const ours = await load(gateway, many(shotWith(key(off.secret))), { expect: 200 });
    const baseline = await load(bare, many(shotWith({})), { expect: 200 });
    if (round > 0) {
      rates.gateway.push(ours.perSecond);
      rates.bare.push(baseline.perSecond);
    }
  }
  const added = (name: string) => median(latencies[name] ?? []) - median(latencies.direct ?? []);
  for (const name of Object.keys(targets).slice(1)) {
    const share = added(name) / added('portkey');
    console.log(
      `${name}: adds ${added(name).toFixed(2)} ms at the median, ${share.toFixed(2)} of Portkey's`,
    );
  }
  const [ours, baseline] = [median(rates.gateway), median(rates.bare)];
  console.log(
    `throughput at 64 connections: gateway ${ours.toFixed(0)}/s, bare ${baseline.toFixed(0)}/s, ratio ${(ours / baseline).toFixed(2)}`,
  );
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

function spawnGateway(hub: string, port: string): void {
  const env = {
    GATEWARDEN_NODE_TOKEN: makeSecret('node'),
    GATEWAY_HUB_URL: hub,
    GATEWAY_PORT: port,
    GATEWAY_DATA_DIR: folder,
    GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
    GATEWAY_LOG_LEVEL: 'warn',
  };
  children.push(
    spawn(process.execPath, [join(ROOT, 'gateway/src/main.ts'), 'run'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  );
}

async function waitUntilReady(origin: string): Promise<void> {
  for (let attempts = 0; attempts < 400; attempts++) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the gateway node did not become ready');
}
