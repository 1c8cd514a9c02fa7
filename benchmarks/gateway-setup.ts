// The surroundings of the gateway's benchmarks: a double of a provider, a double of the hub with fixed configuration, and a
// gateway node, each in a process of its own.
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
import type { Shot } from './load.ts';

const ROOT = join(import.meta.dirname, '..');
export const DOUBLES = join(import.meta.dirname, 'gateway-doubles.ts');
const children: ChildProcess[] = [];
const tenantId = randomUUID();
const folder = mkdtempSync(join(tmpdir(), 'gw-bench-'));

/** Ends everything that was started. */
export function stopAll(): void {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a program and resolves with the first line of its output that matches. */
export async function startChild(
  file: string,
  args: string[],
  env = {},
  ready = /./,
): Promise<string> {
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
export const CONTROLS = {
  detection: {
    enabled_categories: Object.fromEntries(PATTERNS.map((name) => [name, true])),
    category_actions: Object.fromEntries(PATTERNS.map((name) => [name, 'block'])),
    category_scopes: Object.fromEntries(PATTERNS.map((name) => [name, 'both'])),
  },
  limits: { rate_limit_per_minute: 100_000_000, token_limits: { max_per_request: 1_000_000 } },
  access: { allowed_source_ips: ['127.0.0.0/8'] },
};

/** Returns the configuration items of an app, and the secret of its key. */
export function describeApp(upstream: string, config: object) {
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
export async function startHubDouble(items: object[]): Promise<string> {
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

const body = Buffer.from(
  JSON.stringify({
    model: 'bench-model',
    messages: [{ role: 'user', content: 'Summarize the minutes of the meeting. '.repeat(24) }],
  }),
);
/** Returns a request for a chat completion of about 1 KB. */
export const shotWith = (headers: Record<string, string>): Shot => ({
  ...{ method: 'POST', path: '/v1/chat/completions', body },
  headers: { 'content-type': 'application/json', ...headers },
});

/** Starts a gateway node. Returns its process id. */
export function spawnGateway(hub: string, port: string): number {
  const env = {
    GATEWARDEN_NODE_TOKEN: makeSecret('node'),
    GATEWAY_HUB_URL: hub,
    GATEWAY_PORT: port,
    GATEWAY_DATA_DIR: folder,
    GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
    GATEWAY_LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [join(ROOT, 'gateway/src/main.ts'), 'run'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  children.push(child);
  return child.pid ?? 0;
}

/** Resolves when the node has its configuration. */
export async function waitUntilReady(origin: string): Promise<void> {
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
