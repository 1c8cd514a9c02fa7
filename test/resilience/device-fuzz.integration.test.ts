// Malformed requests of devices, and bodies of arbitrary bytes, get a clear 4xx and never a 5xx. GATEWARDEN_FUZZ=100000
// is the long run, instead of 1,500 requests. Every operation of the OpenAPI document runs in document-fuzz.
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
  anUnknownProcess,
} from '../support/builders.ts';
import { HOSTILE } from '../support/hostile.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { propertyRuns } from '../support/property-runs.ts';

const RUNS = Number(process.env.GATEWARDEN_FUZZ ?? propertyRuns(1_500));

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Replaces, removes or adds a value at a random path of a valid body. */
function mutated(valid: unknown, path: number[], value: unknown, how: number): unknown {
  const copy = structuredClone(valid);
  let at: unknown = copy;
  for (const [depth, step] of path.entries()) {
    if (typeof at !== 'object' || at === null) break;
    const keys = Object.keys(at);
    if (keys.length === 0) break;
    const key = keys[step % keys.length] ?? '';
    const holder = at as Record<string, unknown>;
    const next = holder[key];
    if (depth === path.length - 1 || typeof next !== 'object' || next === null) {
      if (how === 0) delete holder[key];
      else if (how === 1) holder[`${key}x`] = value;
      else holder[key] = value;
      return copy;
    }
    at = next;
  }
  return value;
}

const device = aDevice();
const DEVICE_BODIES: [string, () => unknown][] = [
  [
    '/ea/v1/sync/discovered-apps',
    () =>
      aBatch(
        device,
        [anEntity('a', { instances: [{ owner: null }], details: { a: 1 } }), anEntity('b')],
        { coverage: [{ source: 'dpkg', owner: null, state: 'read', entities: 2, reason: null }] },
      ),
  ],
  [
    '/ea/v1/sync/unknown-processes',
    () => ({ batch_id: randomUUID(), device, processes: [anUnknownProcess('x')] }),
  ],
  ['/ea/v1/sync/activity', () => ({ device, events: [anActivity()] })],
  ['/ea/v1/sync/alerts', () => ({ device, alerts: [anAlert()] })],
  ['/ea/v1/enroll', () => ({ device: aDevice(), subscriber_id: 'alice' })],
];

function expectClear(status: number, body: unknown, request: unknown): void {
  if (status < 400) return;
  const shown = JSON.stringify(request)?.slice(0, 300);
  expect(status, shown).toBeLessThan(500);
  expect(body, shown).toMatchObject({
    error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) },
    request_id: expect.any(String),
  });
}

const mutation = fc.tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), hostile, fc.nat(2));

describe('malformed requests of devices', () => {
  it('answers malformed device requests with a clear 4xx', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(DEVICE_BODIES.length - 1),
        mutation,
        async (which, [path, value, how]) => {
          const [url, make] = DEVICE_BODIES[which] ?? ['', () => null];
          const body = mutated(make(), path, value, how);
          const text = JSON.stringify(body) ?? 'undefined';
          const answer = await deviceCall(hub, 'POST', url, { raw: gzipSync(text) });
          expectClear(answer.status, answer.body, { url, body });
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('answers device requests that are no JSON with a clear 4xx', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.boolean(),
        fc.nat(4),
        async (bytes, zip, which) => {
          const [url] = DEVICE_BODIES[which] ?? [''];
          const answer = await deviceCall(hub, 'POST', url, { raw: zip ? gzipSync(bytes) : bytes });
          expect(answer.status).toBeGreaterThanOrEqual(400);
          expectClear(answer.status, answer.body, { url, bytes: [...bytes] });
        },
      ),
      { numRuns: Math.ceil(RUNS / 5) },
    );
  });
});

describe('text that no database stores', () => {
  it('answers 400 to such text in a query and in a body', async () => {
    const path = `/console/api/v1/tenants/${hub.tenantId}/discovered-apps`;
    for (const query of [
      'query=%00',
      'query=a%00b',
      'query=%zz',
      'query=%',
      'query=%ff',
      'limit=1&limit=2',
    ]) {
      expect([query, (await rawCall('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
    }
  });
});

/** Sends the path as it is: `fetch` would repair an invalid escape. */
function rawCall(method: string, path: string): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(hub.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        path,
        method,
        headers: { authorization: `Bearer ${hub.adminToken}`, 'if-match': '"1"' },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            body: text === '' ? null : JSON.parse(text),
          });
        });
      },
    );
    request.on('error', reject);
    request.end();
  });
}
