// People create and withdraw process mappings: a mapped process is not unknown, whatever arrives at the same moment.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDevice,
  anUnknownProcess,
  aRunningProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { isCitus } from '../../../platform/db/citus-distribution.ts';
import { transact } from '../../../platform/db/database.ts';
import { advanceFeed } from '../../../platform/feed/feed.ts';
import { insertMapping } from './store.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const report = (name: string) =>
  deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
    body: {
      batch_id: randomUUID(),
      device: aDevice(),
      processes: [anUnknownProcess(name)],
    },
  });
const unknown = async (name: string) =>
  (await hub.console('GET', `/unknown-processes?query=${name}`)).body.items.length;
const map = (over: object) =>
  hub.console('POST', '/process-mappings', {
    body: { process_name: 'x', match: 'exact', application_name: 'Application', ...over },
  });
const take = (mapping: { mapping_id: string; version: string }, ifMatch = mapping.version) =>
  hub.console('DELETE', `/process-mappings/${mapping.mapping_id}`, {
    headers: { 'if-match': ifMatch },
  });

describe('mapping', () => {
  it('finds a mapping by a part of its name, application or path', async () => {
    await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
      body: {
        batch_id: randomUUID(),
        device: aDevice(),
        processes: [
          anUnknownProcess('findable', {
            executable_path: 'C:\\Odd_Place\\findable.exe',
          }),
        ],
      },
    });
    await map({ process_name: 'findable', application_name: 'Needle' });
    const found = async (query: string) => {
      const { body } = await hub.console('GET', `/process-mappings?query=${query}`);
      return body.items.map((item: { process_name: string }) => item.process_name);
    };
    for (const query of ['INDAB', 'needle', 'odd_place%5Cfind']) {
      expect([query, await found(query)]).toEqual([query, ['findable']]);
    }
    expect(await found('oddXplace')).toEqual([]);
  });

  it('covers a process that is reported during its creation', async () => {
    const { db } = hub.context.database;
    const name = `racing-${randomUUID().slice(0, 8)}`;
    // On Citus it is a worker's connection that waits.
    const activity = sql.table((await isCitus(db)) ? 'citus_stat_activity' : 'pg_stat_activity');
    let reported: ReturnType<typeof report> | undefined;
    await transact(db, async (tx) => {
      await advanceFeed(tx, hub.tenantId, 'process_map');
      await insertMapping(tx, hub.tenantId, {
        mapping_id: randomUUID(),
        process_name: name,
        platform: null,
        match: 'exact',
        application_name: 'Racing',
        entity_id: null,
        created_at: new Date(),
        created_by: 'test',
      });
      reported = report(name);
      // The report has come so far that only this transaction is in its way.
      await expect
        .poll(async () => {
          const waiting = await sql<{ n: number }>`
            SELECT count(*)::integer AS n FROM ${activity}
            WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
          return waiting.rows[0]?.n;
        })
        .toBeGreaterThan(0);
    });
    expect((await reported)?.status).toBe(202);
    expect(await unknown(name)).toBe(0);
  });

  it('withdraws by version, and returns uncovered processes to unknown', async () => {
    const name = `taken-${randomUUID().slice(0, 8)}`;
    await report(`${name}-a`);
    await report(`${name}-b`);
    const glob = (await map({ process_name: `${name}-*`, match: 'glob' })).body.mapping;
    const exact = await map({ process_name: `${name}-a` });
    expect(exact.headers.get('etag')).toBe(exact.body.mapping.version);
    expect(await unknown(name)).toBe(0);
    const missing = await hub.console('DELETE', `/process-mappings/${glob.mapping_id}`);
    expect(missing.status).toBe(428);
    expect((await take(glob, '"7"')).status).toBe(412);
    const viewer = await hub.tokenFor('Viewer');
    const path = `/process-mappings/${glob.mapping_id}`;
    const headers = { 'if-match': glob.version };
    expect((await hub.console('DELETE', path, { token: viewer, headers })).status).toBe(403);
    expect((await take(glob)).body).toMatchObject({ mapping_id: glob.mapping_id, deleted: true });
    expect(await unknown(name)).toBe(1);
    expect((await take(glob)).status).toBe(404);
    const device = { 'x-device-id': aDevice().device_id };
    const sent = await deviceCall(hub, 'GET', '/ea/v1/sync/process-map', { headers: device });
    const names = sent.body.mappings.map(
      (mapping: { process_name: string }) => mapping.process_name,
    );
    expect(names).toContain(`${name}-a`);
    expect(names).not.toContain(`${name}-*`);
    const audited = await sql<{ operation: string }>`
      SELECT operation FROM audit_events WHERE tenant_id = ${hub.tenantId}
        AND resource ->> 'id' = ${glob.mapping_id} ORDER BY at`.execute(hub.context.database.db);
    expect(audited.rows.map((row) => row.operation)).toEqual([
      'process_mapping.create',
      'process_mapping.delete',
    ]);
  });

  it('previews its matches among unknown and running processes', async () => {
    const name = `t${randomUUID().slice(0, 8)}`;
    for (const text of [`${name}-a`, `${name}-b`, `${name}%b`]) await report(text);
    const device = aDevice({ platform: 'darwin' });
    await deviceCall(hub, 'POST', '/ea/v1/sync/running-processes', {
      body: { device, processes: [aRunningProcess(`${name.toUpperCase()}-R`)] },
    });
    const tried = async (over: object) => {
      const answer = await hub.console('POST', '/process-mappings/preview', {
        body: { process_name: `${name}-*`, match: 'glob', ...over },
      });
      expect(answer.status).toBe(200);
      const { unknown: group, running } = answer.body;
      return [group.count, running.count];
    };
    expect(await tried({})).toEqual([2, 1]);
    expect(await tried({ platform: 'darwin' })).toEqual([0, 1]);
    expect(await tried({ process_name: `${name}?b` })).toEqual([2, 0]);
    expect(await tried({ process_name: `${name}%b` })).toEqual([1, 0]);
    expect(await tried({ match: 'exact' })).toEqual([0, 0]);
    await map({ process_name: `${name}-a` });
    expect(await tried({})).toEqual([1, 1]);
    expect(await unknown(name)).toBe(2);
    const other = await hub.newTenant('Other');
    const elsewhere = await hub.console('POST', '/process-mappings/preview', {
      body: { process_name: '*', match: 'glob' },
      tenantId: other.tenantId,
      token: other.adminToken,
    });
    expect(elsewhere.body).toMatchObject({ unknown: { count: 0 }, running: { count: 0 } });
  });

  it('rejects a blank name', async () => {
    for (const field of ['process_name', 'application_name']) {
      const answer = await map({ [field]: ' \u00a0' });
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        `/${field} must not be blank`,
      ]);
    }
  });
});

describe('unknown process', () => {
  it('dates the first sighting by the earliest report of any device', async () => {
    const name = `early-${randomUUID().slice(0, 8)}`;
    const seen = async (at: string, device = aDevice()) => {
      const processes = [anUnknownProcess(name, { first_seen_at: at })];
      await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
        body: { batch_id: randomUUID(), device, processes },
      });
      const { body } = await hub.console('GET', `/unknown-processes?query=${name}`);
      return body.items[0].first_seen_at;
    };
    const first = '2026-03-02T08:00:00.000Z';
    const earlier = '2026-03-01T08:00:00.000Z';
    expect(await seen(first)).toBe(first);
    expect(await seen(earlier)).toBe(earlier);
    expect(await seen('2026-03-03T08:00:00.000Z')).toBe(earlier);
  });

  it('identifies a process by name and path, whatever id a device assigns', async () => {
    const report = (processes: object[], path = 'unknown-processes') =>
      deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, {
        body: { batch_id: randomUUID(), device: aDevice(), processes },
      });
    const name = `miner-${randomUUID().slice(0, 8)}`;
    const miner = anUnknownProcess(name);
    await map({ process_name: `known-${name}` });
    // With the id of another program it would have named that one, or hidden it behind what is mapped.
    const posing = { process_id: miner.process_id };
    for (const others of [`first-${name}`, `known-${name}`]) {
      expect((await report([anUnknownProcess(others, posing)])).status).toBe(202);
      await report([miner]);
      await report([anUnknownProcess(others, posing)]);
    }
    const { items } = (await hub.console('GET', `/unknown-processes?query=${name}`)).body;
    expect(
      items.map((item: { name: string; device_count: number; process_id: string }) => [
        item.name,
        item.device_count,
        item.process_id === miner.process_id,
      ]),
    ).toEqual([
      [`first-${name}`, 2, false],
      [name, 2, true],
    ]);
    // Twice the same, whatever the ids.
    const twice = [miner, anUnknownProcess(name, { process_id: 'ab'.repeat(32) })];
    expect((await report(twice)).status).toBe(400);
    const running = aRunningProcess(name);
    const again = { ...running, process_id: 'cd'.repeat(32) };
    expect((await report([running, again], 'running-processes')).status).toBe(400);
  });
});
