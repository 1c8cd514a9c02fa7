// The official conformance suite runs against the gateway, with servers on the official SDKs behind it. Each expected
// failure is listed with its reason; the suite's client tests do not apply to a gateway.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import { aPerson, aToken, register, signIn } from '../support/mcp-client.ts';
import {
  conformanceServerOfBefore,
  modernConformanceServer,
} from '../support/mcp-conformance-server.ts';
import { freePort } from '../support/programs.ts';

const SUITE = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js',
);

let hub: TestHub;
const servers: { close(): Promise<void> }[] = [];
const urls: Record<string, string> = {};

beforeAll(async () => {
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks });
  const behind = {
    modern: await modernConformanceServer(),
    before: await conformanceServerOfBefore(),
  };
  const { email } = await aPerson(hub);
  for (const [slug, server] of Object.entries(behind)) {
    const body = { slug, name: `The ${slug}`, url: server.url, auth: { kind: 'none' } };
    expect((await hub.console('POST', '/mcp/backends', { body })).status).toBe(201);
    const token = await aToken(hub, email, { prefix: `/${slug}` });
    const front = await withToken(`${hub.url}/${slug}/mcp`, token);
    urls[slug] = front.url;
    servers.push(server, front);
  }
});
afterAll(async () => {
  await hub.stop();
  await Promise.all(servers.map((server) => server.close()));
});

/** The suite knows no tokens when it tests servers: they are added on the way, and nothing else is changed. */
async function withToken(target: string, token: string) {
  const { host } = new URL(target);
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    if (/^(localhost|127\.0\.0\.1)(:|$)/.test(request.headers.host ?? '')) headers.host = host;
    // The suite believes that this proxy is the gateway, so a page of the proxy counts as the gateway's own origin.
    const { origin } = request.headers;
    if (origin !== undefined && /^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(origin)) {
      headers.origin = new URL(target).origin;
    }
    const passed = httpRequest(target, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** Every check of every scenario that a revision requires, by scenario. */
async function checksOf(args: string[]): Promise<Map<string, Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const child = spawn(process.execPath, [SUITE, ...args, '-o', folder], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    return await readChecks(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readChecks(folder: string): Promise<Map<string, Check[]>> {
  const checksByScenario = new Map<string, Check[]>();
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('checks.json')) continue;
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    checksByScenario.set(scenario, JSON.parse(await readFile(join(folder, name), 'utf8')));
  }
  return checksByScenario;
}

/** Lists the scenarios that a revision requires of servers; the suite also runs extensions and later scenarios. */
async function requiredBy(revision: string): Promise<Set<string>> {
  const file = join(SUITE, '../../requirements', `${revision}.yaml`);
  const { server } = parse(await readFile(file, 'utf8')) as { server: string[] };
  return new Set(server);
}

/** `scenario/check`, as it failed. */
function failuresIn(found: Map<string, Check[]>): string[] {
  return [...found]
    .flatMap(([scenario, checks]) =>
      checks
        .filter((check) => check.status === 'FAILURE')
        .map((check) => `${scenario}/${check.id}`),
    )
    .sort();
}

test.each([
  ['2026-07-28', 'modern', {}],
  ['2025-11-25', 'before', {}],
] as [string, string, Record<string, string>][])(
  'conforms to %s with servers behind the gateway',
  async (revision, slug, expected) => {
    const required = await requiredBy(revision);
    const all = await checksOf(['server', '--url', urls[slug] ?? '', '--requirements', revision]);
    const found = new Map([...all].filter(([scenario]) => required.has(scenario)));
    expect(found.size).toBe(required.size);
    expect(failuresIn(found)).toEqual(Object.keys(expected).sort());
  },
  180_000,
);

test('conforms as an OAuth server', async () => {
  const { email } = await aPerson(hub);
  const port = await freePort();
  const registered = await register(hub, {
    prefix: '/gwone',
    redirectUri: `http://127.0.0.1:${port}/callback`,
  });
  const args = ['authorization', '--url', `${hub.url}/gwone`, '--port', String(port)];
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const child = spawn(
    process.execPath,
    [SUITE, ...args, '--client-id', String(registered.body.client_id), '-o', folder],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\S+\/oauth\/authorize\?\S+/.exec(line)?.[0];
    if (url === undefined) continue;
    // The suite waits for its person's browser.
    await signIn(hub, email, url);
  }
  await ended;
  const found = await readChecks(folder);
  await rm(folder, { recursive: true });
  expect([...found.keys()].sort()).toEqual([
    'authorization-server-authorization-code-grant',
    'authorization-server-authorization-server-metadata-endpoint',
  ]);
  expect(failuresIn(found)).toEqual([]);
});
