// Random calls over every operation that the OpenAPI document names, with bodies made from its schemas and with ids that
// earlier answers told: never a 5xx, no answer but those that the document tells of, each of its own schema (the hub
// checks its answers here as they leave), every error in one form. GATEWARDEN_FUZZ=1000000 for the long run.
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
  anUnknownProcess,
} from '../support/builders.ts';
import { type ApiDocument, createCaller, type DocumentCall } from '../support/document-calls.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine } from '../support/logs.ts';
import { makeApp, manage } from '../support/management.ts';

const RUNS = Number(process.env.GATEWARDEN_FUZZ ?? 2_000);
const SEED = Number(process.env.GATEWARDEN_SEED ?? Date.now() % 1_000_000);
const AT_ONCE = 4;
/** What a call may have taken away is given back after so many. */
const RENEW_EVERY = 200;

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

interface Told {
  call: DocumentCall;
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

it(
  'every operation of the document answers any call as the document says',
  async () => {
    const document = hub.hub.openApi() as unknown as ApiDocument;
    const secrets = await credentials();
    await furnish(secrets);
    const statuses = new Map<string, Map<number, number>>();
    const wrong = new Map<string, string>();
    let made = 0;
    const work = async (lane: number) => {
      const caller = createCaller(document, SEED + lane, hub.tenantId);
      while (made < RUNS) {
        made++;
        if (made % RENEW_EVERY === 0) Object.assign(secrets, await credentials());
        const call = caller.next();
        const told = await send(call, secrets);
        const ofOperation = statuses.get(call.operation) ?? new Map<number, number>();
        statuses.set(
          call.operation,
          ofOperation.set(told.status, (ofOperation.get(told.status) ?? 0) + 1),
        );
        const fault = faultOf(told);
        if (fault !== null) wrong.set(`${call.operation} ${told.status} ${fault}`, shown(told));
        const learns = told.status < 300 && !call.operation.endsWith('/openapi.json');
        if (learns) caller.learn(parsed(told.body), call.operation.split(' ')[1] ?? '');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => work(lane)));

    if (process.env.GATEWARDEN_FUZZ !== undefined) process.stdout.write(`${tableOf(statuses)}\n`);
    expect(Object.fromEntries(wrong), `seed ${SEED}`).toEqual({});
    // Refused calls alone would prove little.
    const answered = [...statuses.values()].filter((one) => [...one.keys()].some((s) => s < 300));
    expect(answered.length / Object.keys(Object.fromEntries(statuses)).length).toBeGreaterThan(0.3);
  },
  Math.max(300_000, RUNS * 60),
);

type Secrets = Record<string, string>;
/** Those that no call takes away. */
const lasting: Secrets = {};

async function credentials(): Promise<Secrets> {
  const adminToken = await hub.tokenFor('Admin');
  const { secret } = await manage({ ...hub, adminToken });
  return {
    ...lasting,
    agentToken: hub.agentToken,
    adminToken,
    session: adminToken,
    managementKey: secret,
  };
}

/** One of each thing that refers to others, so that calls find something. */
async function furnish(secrets: Secrets): Promise<void> {
  const device = aDevice();
  const entity = anEntity('painter');
  const sync = async (path: string, body: unknown) => {
    const answer = await deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, { body });
    expect(answer, path).toMatchObject({ status: 202 });
  };
  const make = async (path: string, body: unknown) => {
    const answer = await hub.console('POST', path, {
      body,
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(answer, path).toMatchObject({ status: 201 });
    return answer.body;
  };
  await sync('discovered-apps', aBatch(device, [entity]));
  await sync('activity', { device, events: [anActivity()] });
  await sync('alerts', { device, alerts: [anAlert()] });
  await sync('unknown-processes', {
    batch_id: randomUUID(),
    device,
    processes: [anUnknownProcess('daub')],
  });
  await make('/alert-routes', { kind: 'webhook', name: 'a', url: 'https://example.com/hook' });
  await make('/people-groups', { name: 'painters', members: ['a@example.com'] });
  await make('/mcp/backends', {
    slug: 'server',
    name: 'server',
    url: 'https://example.com/mcp',
    auth: { kind: 'none' },
  });
  const by = await manage(hub);
  for (const name of ['one', 'two/three', 'ünï']) {
    expect((await makeApp(by, name)).status).toBe(201);
    const at = `/apps/${encodeURIComponent(name)}`;
    expect((await by.call('POST', `${at}/keys`, { body: { name: 'k' } })).status).toBe(201);
  }
  const exported = await hub.console('POST', '/log-export-keys', {
    body: { name: 'all', scope: 'all_apps' },
  });
  expect(exported.status).toBe(201);
  const node = await aNode(hub, hub.tenantId);
  await node.send('llm-requests', [aRequestLine(), aRequestLine()]);
  await node.send('mcp-tool-calls', [aToolCallLine()]);
  Object.assign(lasting, { nodeToken: node.token, logExportKey: exported.body.secret });
  Object.assign(secrets, lasting);
}

function send(call: DocumentCall, secrets: Secrets): Promise<Told> {
  const { hostname, port } = new URL(hub.url);
  const secret = call.security === null ? undefined : secrets[call.security];
  const headers = {
    ...(secret === undefined
      ? {}
      : call.security === 'logExportKey'
        ? { 'x-gw-log-export-key': secret }
        : { authorization: `Bearer ${secret}` }),
    ...(call.security === 'agentToken'
      ? { 'x-tenant-id': hub.tenantId, 'x-subscriber-id': 'alice' }
      : {}),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path: call.path, method: call.method, headers },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => {
          resolve({ call, status: response.statusCode ?? 0, headers: response.headers, body });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(call.body ?? undefined);
  });
}

function faultOf({ call, status, headers, body }: Told): string | null {
  if (status >= 500 && status !== 503) return 'is a fault of the hub';
  if (!call.documented.has(String(status))) return 'is not in the document';
  if (typeof headers['x-request-id'] !== 'string') return 'names no request';
  if (status < 400) return null;
  const told = parsed(body) as { error?: { code?: unknown; message?: unknown } } | null;
  const isClear =
    /^[a-z_]+$/.test(String(told?.error?.code)) && typeof told?.error?.message === 'string';
  return isClear ? null : 'is an error of another form';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const shown = ({ call, body }: Told) =>
  `${call.method} ${call.path} ${JSON.stringify(call.headers)} ${JSON.stringify(call.meant)?.slice(0, 2000)} → ${body.slice(0, 500)}`;

function tableOf(statuses: ReadonlyMap<string, ReadonlyMap<number, number>>): string {
  return [...statuses]
    .map(([name, counts]) => `${name}: ${[...counts].map(([s, n]) => `${s}×${n}`).join(' ')}`)
    .sort()
    .join('\n');
}
