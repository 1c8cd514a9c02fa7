// Device requests are validated from outside: every rule for headers, bodies and tokens.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { makeSecret } from '@gatewarden/shared/secrets.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { createAgentToken, revokeAgentToken } from './index.ts';

const APPS = '/ea/v1/sync/discovered-apps';
const DELTA = '/ea/v1/sync/delta';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

async function storedDevices(): Promise<number> {
  return (await hub.console('GET', '/devices?limit=200')).body.items.length;
}

describe('device request headers', () => {
  const deviceId = randomUUID();
  const cases: [string, Record<string, string | null>, number, string][] = [
    ['no token', { authorization: null }, 401, 'invalid_agent_token'],
    ['another scheme', { authorization: 'Basic Zm9vOmJhcg==' }, 401, 'invalid_agent_token'],
    [
      'a token with a wrong checksum',
      { authorization: `Bearer gwa_${'a'.repeat(46)}` },
      401,
      'invalid_agent_token',
    ],
    [
      'a token that was never issued',
      { authorization: `Bearer ${makeSecret('agent')}` },
      401,
      'invalid_agent_token',
    ],
    ['no tenant', { 'x-tenant-id': null }, 400, 'invalid_tenant_id'],
    ['a tenant that is no UUID', { 'x-tenant-id': 'acme' }, 400, 'invalid_tenant_id'],
    ['another tenant', { 'x-tenant-id': randomUUID() }, 403, 'tenant_mismatch'],
    ['no subscriber', { 'x-subscriber-id': null }, 400, 'invalid_subscriber_id'],
    [
      'a subscriber of 129 characters',
      { 'x-subscriber-id': 'a'.repeat(129) },
      400,
      'invalid_subscriber_id',
    ],
    ['a subscriber beyond ASCII', { 'x-subscriber-id': 'jos\xe9' }, 400, 'invalid_subscriber_id'],
  ];
  it.each(cases)('rejects %s on GET and POST alike', async (_name, headers, status, code) => {
    const get = await deviceCall(hub, 'GET', DELTA, {
      headers: { 'x-device-id': deviceId, ...headers },
    });
    const post = await deviceCall(hub, 'POST', APPS, {
      headers,
      body: aBatch(aDevice(), [anEntity('a')]),
    });
    for (const answer of [get, post]) {
      expect(answer.status).toBe(status);
      expect(answer.body.error.code).toBe(code);
      expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('rejects two subscribers at once, and accepts a subscriber with a comma', async () => {
    const ask = (subscriber: string | string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${hub.agentToken}`,
          'x-tenant-id': hub.tenantId,
          'x-device-id': deviceId,
          'x-subscriber-id': subscriber,
        };
        request(`${hub.url}${DELTA}`, { headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        })
          .on('error', reject)
          .end();
      });
    expect(await ask(['alice', 'bob'])).toBe(400);
    expect(await ask('Doe, Alice')).toBe(200);
  });

  it('requires the device on both GETs', async () => {
    for (const path of [DELTA, '/ea/v1/sync/process-map']) {
      for (const id of [null, 'laptop']) {
        const answer = await deviceCall(hub, 'GET', path, { headers: { 'x-device-id': id } });
        expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_device_id']);
      }
    }
  });

  it.each([randomUUID(), ''])(
    'rejects a POST whose header names another device than its body: %j',
    async (id) => {
      const answer = await deviceCall(hub, 'POST', APPS, {
        headers: { 'x-device-id': id },
        body: aBatch(aDevice(), [anEntity('a')]),
      });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_device_id']);
    },
  );

  it('accepts a tenant in upper case and echoes the request id', async () => {
    const answer = await deviceCall(hub, 'GET', DELTA, {
      headers: {
        'x-tenant-id': hub.tenantId.toUpperCase(),
        'x-device-id': randomUUID(),
        'x-request-id': 'trace-7',
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-request-id')).toBe('trace-7');
  });
});

describe('device request bodies', () => {
  const body = () => aBatch(aDevice(), [anEntity('a')]);
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  const noise = Buffer.from(
    Array.from({ length: 1_100_000 }, () => Math.floor(Math.random() * 256)),
  );
  const cases: [
    string,
    () => { raw?: Uint8Array; headers?: Record<string, string | null> },
    number,
    string,
  ][] = [
    [
      'no gzip',
      () => ({ raw: Buffer.from(JSON.stringify(body())), headers: { 'content-encoding': null } }),
      415,
      'gzip_required',
    ],
    [
      'another encoding',
      () => ({ raw: gzipSync('{}'), headers: { 'content-encoding': 'br' } }),
      415,
      'gzip_required',
    ],
    ['corrupt gzip', () => ({ raw: Buffer.from('not gzip at all') }), 400, 'invalid_gzip'],
    [
      'truncated gzip',
      () => ({ raw: gzipSync(JSON.stringify(body())).subarray(0, 60) }),
      400,
      'invalid_gzip',
    ],
    ['an empty body', () => ({ raw: gzipSync('') }), 400, 'invalid_json'],
    ['bad JSON', () => ({ raw: gzipSync('{"a":') }), 400, 'invalid_json'],
    ['bad UTF-8', () => ({ raw: gzipSync(Buffer.from([0x22, 0xff, 0x22])) }), 400, 'invalid_json'],
    ['a bomb', () => ({ raw: gzipSync(zeros) }), 413, 'body_too_large'],
    ['more than 1 MiB as sent', () => ({ raw: gzipSync(noise) }), 413, 'body_too_large'],
    ['nesting of 100,000', () => ({ raw: gzipSync('['.repeat(100_000)) }), 400, 'invalid_json'],
    ['a poisoned key', () => ({ raw: gzipSync('{"__proto__":{"a":1}}') }), 400, 'invalid_json'],
    [
      'a NUL',
      () => ({
        raw: gzipSync(JSON.stringify(aBatch(aDevice({ hostname: 'a\0b' }), [anEntity('a')]))),
      }),
      400,
      'invalid_request',
    ],
    ['a lone surrogate', () => ({ raw: gzipSync('{"device":"\\ud800"}') }), 400, 'invalid_request'],
    [
      'a number beyond all bounds',
      () => ({ raw: gzipSync('{"batch_id":1e999}') }),
      400,
      'invalid_request',
    ],
    ['an array', () => ({ raw: gzipSync('[]') }), 400, 'invalid_request'],
  ];
  it.each(cases)('rejects %s and stores nothing', async (_name, make, status, code) => {
    const before = await storedDevices();
    const answer = await deviceCall(hub, 'POST', APPS, make());
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect(await storedDevices()).toBe(before);
  });

  it('points to the invalid value', async () => {
    const wrong = aBatch(aDevice(), [anEntity('a'), anEntity('b', { kind: 'gadget' as never })]);
    const answer = await deviceCall(hub, 'POST', APPS, { body: wrong });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('/entities/1/kind');
  });

  it('rejects unknown values and ignores unknown fields', async () => {
    const device = aDevice();
    const extended = {
      ...aBatch(device, [{ ...anEntity('a'), colour: 'red' } as never]),
      mood: 'good',
    };
    expect((await deviceCall(hub, 'POST', APPS, { body: extended })).status).toBe(202);
    const platform = aBatch(aDevice({ platform: 'beos' as never }), [anEntity('a')]);
    expect((await deviceCall(hub, 'POST', APPS, { body: platform })).status).toBe(400);
    const severity = { device, alerts: [anAlert({ severity: 'fatal' as never })] };
    expect((await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: severity })).status).toBe(
      400,
    );
    const decision = { device, events: [anActivity({ decision: 'shout' as never })] };
    expect((await deviceCall(hub, 'POST', '/ea/v1/sync/activity', { body: decision })).status).toBe(
      400,
    );
  });

  it('rejects more than 50 entities and a duplicate entity', async () => {
    const many = aBatch(
      aDevice(),
      Array.from({ length: 51 }, (_, i) => anEntity(`p${i}`)),
    );
    const tooLarge = await deviceCall(hub, 'POST', APPS, { body: many });
    expect([tooLarge.status, tooLarge.body.error.code]).toEqual([400, 'batch_too_large']);
    const twice = aBatch(aDevice(), [anEntity('a'), anEntity('b'), anEntity('a')]);
    const answer = await deviceCall(hub, 'POST', APPS, { body: twice });
    expect(answer.body.error.message).toContain('/entities/2/entity_id');
  });

  it('answers unknown paths and methods in the common error format', async () => {
    const answer = await deviceCall(hub, 'GET', '/ea/v1/sync/nothing');
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  });
});

describe('device tokens', () => {
  it('allows only enrollment with an enrollment token', async () => {
    const { token } = await createAgentToken(hub.context.database.db, {
      tenantId: hub.tenantId,
      name: 'installer',
      expiresAt: null,
      enrolOnly: true,
    });
    const as = { ...hub, agentToken: token };
    const device = aDevice();
    const refused = await deviceCall(as, 'POST', APPS, { body: aBatch(device, [anEntity('a')]) });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'enrol_only_token']);
    const enrolled = await deviceCall(as, 'POST', '/ea/v1/enroll', {
      body: { device, subscriber_id: 'alice' },
    });
    expect(enrolled.status).toBe(201);
    const own = { ...hub, agentToken: enrolled.body.device_token };
    expect(
      (await deviceCall(own, 'POST', APPS, { body: aBatch(device, [anEntity('a')]) })).status,
    ).toBe(202);
  });

  it('binds an enrolled device to its own token and subscriber', async () => {
    const device = aDevice();
    const enrolled = await deviceCall(hub, 'POST', '/ea/v1/enroll', {
      body: { device, subscriber_id: 'alice' },
    });
    const own = { ...hub, agentToken: enrolled.body.device_token };
    const batch = aBatch(device, [anEntity('a')]);
    const other = await deviceCall(hub, 'POST', APPS, { body: batch });
    expect([other.status, other.body.error.code]).toEqual([403, 'device_token_required']);
    const foreign = await deviceCall(own, 'POST', APPS, {
      body: aBatch(aDevice(), [anEntity('a')]),
    });
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'device_token_required']);
    const subscriber = await deviceCall(own, 'POST', APPS, {
      headers: { 'x-subscriber-id': 'mallory' },
      body: batch,
    });
    expect([subscriber.status, subscriber.body.error.code]).toEqual([403, 'subscriber_mismatch']);
    const delta = await deviceCall(hub, 'GET', DELTA, {
      headers: { 'x-device-id': device.device_id },
    });
    expect(delta.status).toBe(403);
    const renewed = await deviceCall(own, 'POST', '/ea/v1/enroll', {
      body: { device, subscriber_id: 'alice' },
    });
    expect(renewed.status).toBe(201);
  });

  it('reads a plain or gzipped enrollment, and rejects any other encoding', async () => {
    const enrol = async (encoding: string | null, encode: (text: string) => Uint8Array) => {
      const answer = await deviceCall(hub, 'POST', '/ea/v1/enroll', {
        headers: { 'content-encoding': encoding },
        raw: encode(JSON.stringify({ device: aDevice(), subscriber_id: 'alice' })),
      });
      return [answer.status, answer.body.error?.code];
    };
    expect(await enrol(null, Buffer.from)).toEqual([201, undefined]);
    expect(await enrol('identity', Buffer.from)).toEqual([201, undefined]);
    expect(await enrol('GZIP', gzipSync)).toEqual([201, undefined]);
    expect(await enrol('br', brotliCompressSync)).toEqual([415, 'gzip_required']);
  });

  it.each([' alice', 'alice ', ' '])(
    'issues no token to %j, which no header can contain',
    async (person) => {
      const device = aDevice();
      const answer = await deviceCall(hub, 'POST', '/ea/v1/enroll', {
        headers: { 'x-subscriber-id': null },
        body: { device, subscriber_id: person },
      });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      const bound = await deviceCall(hub, 'POST', '/ea/v1/enroll', {
        body: { device, subscriber_id: 'alice' },
      });
      expect(bound.status).toBe(201);
      const moved = await hub.console('POST', `/devices/${device.device_id}/move`, {
        body: { subscriber_id: person },
      });
      expect(moved.status).toBe(400);
      const decided = await hub.console('POST', '/overrides', {
        body: {
          match: { name: 'demo' },
          approval_status: 'blocked',
          execution_policy: 'block',
          scope: { kind: 'subscriber', subscriber_id: person },
        },
      });
      expect([decided.status, decided.body.error.message]).toEqual([
        400,
        expect.stringContaining('/scope/subscriber_id'),
      ]);
    },
  );

  it('rejects a revoked token within a second, also where it was cached', async () => {
    const { token, token_id } = await createAgentToken(hub.context.database.db, {
      tenantId: hub.tenantId,
      name: 'short',
      expiresAt: null,
      enrolOnly: false,
    });
    const as = { ...hub, agentToken: token };
    const headers = { 'x-device-id': randomUUID() };
    expect((await deviceCall(as, 'GET', DELTA, { headers })).status).toBe(200);
    await revokeAgentToken(hub.context.database.db, token_id);
    await expect
      .poll(async () => (await deviceCall(as, 'GET', DELTA, { headers })).status, {
        timeout: 1_000,
      })
      .toBe(401);
  });

  it('rejects an expired token', async () => {
    const { token } = await createAgentToken(hub.context.database.db, {
      tenantId: hub.tenantId,
      name: 'old',
      expiresAt: new Date(Date.now() - 1_000),
      enrolOnly: false,
    });
    const answer = await deviceCall({ ...hub, agentToken: token }, 'GET', DELTA, {
      headers: { 'x-device-id': randomUUID() },
    });
    expect(answer.status).toBe(401);
  });
});
