// Overrides are delivered to devices: audit, versions, deltas in commit order, and no SQL without changes.
import { randomUUID } from 'node:crypto';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  type Answer,
  deviceCall,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Tenant = Pick<TestHub, 'tenantId' | 'agentToken' | 'adminToken'>;

const input = (over: object = {}) => ({
  match: { name: 'demo' },
  approval_status: 'blocked',
  execution_policy: 'block',
  reason: 'not licensed',
  scope: { kind: 'tenant' },
  ...over,
});

function delta(
  deviceId: string,
  query = '',
  as: Partial<Tenant> = {},
  headers = {},
): Promise<Answer> {
  return deviceCall({ ...hub, ...as }, 'GET', `/ea/v1/sync/delta${query}`, {
    headers: { 'x-device-id': deviceId, ...headers },
  });
}

async function decide(over: object = {}, as?: Tenant): Promise<Answer['body']> {
  const answer = await hub.console('POST', '/overrides', {
    body: input(over),
    ...(as ? { tenantId: as.tenantId, token: as.adminToken } : {}),
  });
  expect(answer.status).toBe(201);
  return answer.body.override;
}

async function enrolled(as: Partial<Tenant> = {}) {
  const device = aDevice();
  await deviceCall({ ...hub, ...as }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('curl')]),
  });
  return device;
}

/** Follows the cursor to its end and applies the changes, as an agent does. */
async function follow(
  deviceId: string,
  applied: Map<string, WireOverride>,
  cursor: string | null,
  as: Partial<Tenant> = {},
): Promise<string> {
  let next = cursor;
  for (;;) {
    const { body } = await delta(
      deviceId,
      next === null ? '?limit=3' : `?limit=3&cursor=${next}`,
      as,
    );
    for (const override of body.overrides as WireOverride[]) {
      if (override.deleted) applied.delete(override.override_id);
      else applied.set(override.override_id, override);
    }
    next = body.next_cursor as string;
    if (!body.has_more) return next;
  }
}

describe('override', () => {
  it('stores an override with its audit event and delivers it in the next delta', async () => {
    const device = await enrolled();
    const { body: first } = await delta(device.device_id);
    const override = await decide();
    const { body } = await delta(device.device_id, `?cursor=${first.next_cursor}`);
    expect(body.overrides).toEqual([
      expect.objectContaining({
        override_id: override.override_id,
        revision: override.revision,
        deleted: false,
        scope_kind: 'tenant',
        match: { name: 'demo' },
        execution_policy: 'block',
        severity: 'high',
        reason: 'not licensed',
      }),
    ]);
    const events = await sql<{ operation: string; actor: { email: string } }>`
      SELECT operation, actor FROM audit_events WHERE resource ->> 'id' = ${override.override_id}`.execute(
      hub.context.database.db,
    );
    expect(events.rows).toEqual([
      {
        operation: 'override.create',
        actor: expect.objectContaining({ email: 'admin@example.com' }),
      },
    ]);
  });

  it('delivers an override only to devices in its scope', async () => {
    const [row, other] = [await enrolled(), await enrolled()];
    const scoped = await decide({ scope: { kind: 'device', device_id: row.device_id } });
    const ids = async (id: string) =>
      (await delta(id)).body.overrides.map((o: WireOverride) => o.override_id);
    expect(await ids(row.device_id)).toContain(scoped.override_id);
    expect(await ids(other.device_id)).not.toContain(scoped.override_id);
    const person = await decide({ scope: { kind: 'subscriber', subscriber_id: 'alice' } });
    expect(await ids(other.device_id)).toContain(person.override_id);
  });

  it('delivers a deletion to devices that leave the scope', async () => {
    const [row, other] = [await enrolled(), await enrolled()];
    const override = await decide({ scope: { kind: 'device', device_id: row.device_id } });
    const first = new Map<string, WireOverride>();
    const second = new Map<string, WireOverride>();
    const cursorOne = await follow(row.device_id, first, null);
    const cursorOther = await follow(other.device_id, second, null);
    const moved = await hub.console('PATCH', `/overrides/${override.override_id}`, {
      headers: { 'if-match': override.version },
      body: { scope: { kind: 'device', device_id: other.device_id } },
    });
    expect(moved.status).toBe(200);
    await follow(row.device_id, first, cursorOne);
    await follow(other.device_id, second, cursorOther);
    expect(first.has(override.override_id)).toBe(false);
    expect(second.has(override.override_id)).toBe(true);
  });

  it('requires the current version for a change', async () => {
    const override = await decide();
    const path = `/overrides/${override.override_id}`;
    const body = { execution_policy: 'warn' };
    const patch = (headers: Record<string, string>) =>
      hub.console('PATCH', path, { body, headers });
    expect((await patch({})).status).toBe(428);
    expect((await patch({ 'if-match': 'W/"1"' })).status).toBe(412);
    expect((await patch({ 'if-match': '"7"' })).status).toBe(412);
    expect((await patch({ 'if-match': '*' })).status).toBe(400);
    expect((await patch({ 'if-match': '1' })).status).toBe(400);
    const done = await patch({ 'if-match': '"9", "1"' });
    expect([done.status, done.headers.get('etag')]).toEqual([200, '"2"']);
    const same = await patch({ 'if-match': '"2"' });
    expect([same.status, same.body.override.version, same.body.override.revision]).toEqual([
      200,
      '"2"',
      done.body.override.revision,
    ]);
    expect((await hub.console('DELETE', path, { headers: { 'if-match': '"1"' } })).status).toBe(
      412,
    );
    expect((await hub.console('DELETE', path, { headers: { 'if-match': '"2"' } })).status).toBe(
      200,
    );
    expect((await hub.console('DELETE', path, { headers: { 'if-match': '"2"' } })).status).toBe(
      404,
    );
  });

  it('accepts exactly a single change of twenty with the same version', async () => {
    const override = await decide();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        hub.console('PATCH', `/overrides/${override.override_id}`, {
          headers: { 'if-match': '"1"' },
          body: { reason: `writer ${i}` },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  it('rejects an empty or contradictory override', async () => {
    const cases: [object, string][] = [
      [{ match: {} }, '/match'],
      [{ match: { colour: 'red' } }, '/match'],
      [{ match: { name: ' ' } }, '/match/name'],
      [{ scope: { kind: 'planet' } }, '/scope'],
      [{ scope: { kind: 'device' } }, '/scope'],
      [{ execution_policy: 'explode' }, '/execution_policy'],
      [{ rollout_percent: 101 }, '/rollout_percent'],
      [{ effective_at: '2026-02-30T00:00:00.000Z' }, '/effective_at'],
      [
        { effective_at: '2026-02-02T00:00:00.000Z', expires_at: '2026-02-01T00:00:00.000Z' },
        '/expires_at',
      ],
      [{ surprise: true }, ''],
    ];
    for (const [over, pointer] of cases) {
      const answer = await hub.console('POST', '/overrides', { body: input(over) });
      expect([answer.status, over]).toEqual([400, over]);
      expect(answer.body.error.message).toContain(pointer);
    }
  });

  it('shows as the approval of its application until it is withdrawn', async () => {
    const name = `app-${randomUUID()}`;
    const entity = anEntity(name);
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice(), [entity]),
    });
    const status = async () =>
      (await hub.console('GET', `/discovered-apps?query=${name}`)).body.items[0].approval_status;
    const override = await decide({ match: { entity_id: entity.entity_id } });
    expect(await status()).toBe('blocked');
    const filtered = await hub.console(
      'GET',
      `/discovered-apps?query=${name}&approval_status=pending`,
    );
    expect(filtered.body.items).toEqual([]);
    await hub.console('DELETE', `/overrides/${override.override_id}`, {
      headers: { 'if-match': '"1"' },
    });
    expect(await status()).toBe('pending');
  });
});

describe('delta', () => {
  it('answers without SQL and body while nothing changed', async () => {
    const device = await enrolled();
    const first = await delta(device.device_id);
    const query = `?cursor=${first.body.next_cursor}&applied=${appliedDigest(first.body.overrides)}`;
    const second = await delta(device.device_id, query);
    const etag = second.headers.get('etag') ?? '';
    const statements = async () =>
      Number(
        /^gatewarden_db_statements_total (\d+)/m.exec(
          await (await fetch(`${hub.url}/metrics`)).text(),
        )?.[1],
      );
    const fiftyPolls = async () => {
      const before = await statements();
      for (let i = 0; i < 50; i++) {
        const answer = await delta(device.device_id, query, {}, { 'if-none-match': etag });
        expect([answer.status, answer.body]).toEqual([304, null]);
      }
      return (await statements()) - before;
    };
    // Background jobs of the hub may write during a round; polls themselves write nothing.
    await expect.poll(fiftyPolls, { timeout: 20_000 }).toBe(0);
  });

  it('starts a resync for a foreign or damaged cursor, or that of another device', async () => {
    const [row, other] = [await enrolled(), await enrolled()];
    const { next_cursor: cursor } = (await delta(row.device_id)).body;
    for (const [id, text] of [
      [other.device_id, cursor],
      [row.device_id, `${cursor.slice(0, -2)}AA`],
      [row.device_id, 'abc'],
      [row.device_id, 'a'.repeat(12_000)],
    ]) {
      const answer = await delta(id, `?cursor=${text}`);
      expect([answer.status, answer.body.error.code]).toEqual([410, 'cursor_expired']);
    }
  });

  it('rejects invalid limits and digests', async () => {
    const id = randomUUID();
    for (const query of [
      '?limit=0',
      '?limit=501',
      '?limit=ten',
      '?applied=xyz',
      '?inventory=1',
      '?cursor=',
    ]) {
      expect((await delta(id, query)).status).toBe(400);
    }
  });

  it('shows each device as applied, applying or diverged, and resets a diverged device once', async () => {
    const tenant = await hub.newTenant('Convergence');
    const device = await enrolled(tenant);
    await decide({}, tenant);
    const applied = new Map<string, WireOverride>();
    const cursor = await follow(device.device_id, applied, null, tenant);
    const state = async () => {
      const shown = await hub.console('GET', `/devices/${device.device_id}`, {
        tenantId: tenant.tenantId,
        token: tenant.adminToken,
      });
      return shown.body.device.governance.state;
    };
    await delta(
      device.device_id,
      `?cursor=${cursor}&applied=${appliedDigest(applied.values())}`,
      tenant,
    );
    await expect.poll(state, { timeout: 10_000 }).toBe('applied');
    const wrong = `?cursor=${cursor}&applied=${'0'.repeat(64)}`;
    expect((await delta(device.device_id, wrong, tenant)).status).toBe(410);
    expect((await delta(device.device_id, wrong, tenant)).status).toBe(200);
    await expect.poll(state, { timeout: 10_000 }).toBe('diverged');
  });

  it('delivers every change to followers while eight people write at once', async () => {
    const tenant = await hub.newTenant('Writers');
    const device = await enrolled(tenant);
    let writing = true;
    const followers = Array.from({ length: 4 }, async () => {
      const applied = new Map<string, WireOverride>();
      let cursor: string | null = null;
      while (writing) cursor = await follow(device.device_id, applied, cursor, tenant);
      await follow(device.device_id, applied, cursor, tenant);
      return applied;
    });
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; i < 12; i++) {
          const made = await decide({ match: { name: `w${writer}-${i}` } }, tenant);
          const as = {
            tenantId: tenant.tenantId,
            token: tenant.adminToken,
            headers: { 'if-match': '"1"' },
          };
          if (i % 3 === 0) await hub.console('DELETE', `/overrides/${made.override_id}`, as);
          if (i % 3 === 1) {
            await hub.console('PATCH', `/overrides/${made.override_id}`, {
              ...as,
              body: { reason: 'changed' },
            });
          }
        }
      }),
    );
    writing = false;
    const fresh = new Map<string, WireOverride>();
    await follow(device.device_id, fresh, null, tenant);
    expect(fresh.size).toBe(64);
    const sorted = (applied: Map<string, WireOverride>) =>
      [...applied.values()].sort((a, b) => a.revision - b.revision);
    for (const applied of await Promise.all(followers))
      expect(sorted(applied)).toEqual(sorted(fresh));
  });
});
