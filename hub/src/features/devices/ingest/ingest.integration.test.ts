// Ingest from the view of a device and the console: idempotent, exact about removals, counted by deltas.
import { randomUUID } from 'node:crypto';
import { EMPTY_INVENTORY, entityHash, xorHash } from '@gatewarden/shared/digests.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

const APPS = '/ea/v1/sync/discovered-apps';

let hub: TestHub;
let second: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  second = await startTestHub(hub.config);
});
afterAll(async () => {
  await second.stop();
  await hub.stop();
});

/** To two hub processes on one database in turns: neither may rely on what only it remembers. */
let turn = 0;
const push = (body: unknown) =>
  deviceCall({ ...hub, url: turn++ % 2 === 0 ? hub.url : second.url }, 'POST', APPS, { body });

async function present(device: WireDevice): Promise<string[]> {
  const { body } = await hub.console('GET', `/devices/${device.device_id}/entities?limit=200`);
  return body.items.map((item: { name: string }) => item.name);
}

async function confirms(device: WireDevice, entities: WireEntity[]): Promise<boolean> {
  const hash = entities.reduce((sum, row) => xorHash(sum, entityHash(row)), EMPTY_INVENTORY);
  const answer = await deviceCall(
    hub,
    'GET',
    `/ea/v1/sync/delta?inventory=${hash.toString('hex')}`,
    {
      headers: { 'x-device-id': device.device_id },
    },
  );
  return answer.body.inventory_confirmed;
}

describe('batch', () => {
  it('repeats its response for a replay, and answers 409 with another body', async () => {
    const batch = aBatch(aDevice(), [anEntity('curl'), anEntity('bash')]);
    const first = await push(batch);
    expect(first.body).toMatchObject({ batch_id: batch.batch_id, accepted: 2, unchanged: 0 });
    const again = await push(batch);
    expect([again.status, again.body.accepted, again.body.unchanged]).toEqual([202, 2, 0]);
    const other = await push({ ...batch, entities: [anEntity('curl')] });
    expect([other.status, other.body.error.code]).toEqual([409, 'batch_id_reused']);
  });

  it('points to an invalid new entity among known entities', async () => {
    const device = aDevice();
    const page = ['a', 'b', 'c', 'd'].map((name) => anEntity(name));
    // To one process: only the one that remembers the others reads no more than the news.
    const send = (entities: WireEntity[]) =>
      deviceCall(hub, 'POST', APPS, { body: aBatch(device, entities, { kind: 'delta' }) });
    expect((await send(page)).body.accepted).toBe(4);
    const [a, b, c, d] = page as [WireEntity, WireEntity, WireEntity, WireEntity];
    const wrong = async (entities: object[]) => {
      const { status, body } = await send(entities as WireEntity[]);
      return [status, body.error.message];
    };
    expect(await wrong([a, b, { ...c, kind: 'nonsense' }, d])).toEqual([
      400,
      expect.stringContaining('/entities/2/kind'),
    ]);
    expect(await wrong([a, b, { ...c, name: ' ' }, d])).toEqual([
      400,
      expect.stringContaining('/entities/2/name'),
    ]);
    expect(await wrong([a, b, c, { ...b, version: '9' }])).toEqual([
      400,
      expect.stringContaining('/entities/3/entity_id'),
    ]);
    expect(await wrong([a, b, { ...c, name: 'n\u0000' }, d])).toEqual([
      400,
      expect.stringContaining('/entities/2/name'),
    ]);
    const mixed = await send([a, { ...b, version: '9' }, c, anEntity('e')]);
    expect([mixed.body.accepted, mixed.body.unchanged]).toEqual([2, 2]);
    expect(await present(device)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('stores a batch once that arrives ten times at once', async () => {
    const device = aDevice();
    const name = `race-${randomUUID()}`;
    const batch = aBatch(device, [anEntity(name)]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => push(batch)));
    expect(answers.map((answer) => [answer.status, answer.body.accepted])).toEqual(
      Array(10).fill([202, 1]),
    );
    const { body } = await hub.console('GET', `/discovered-apps?query=${name}`);
    expect(body.items[0].device_count).toBe(1);
  });

  it('accepts programs with absolute paths of every platform only', async () => {
    const device = aDevice();
    const send = (path: string) =>
      push(aBatch(device, [anEntity('tool', { executables: [path] })]));
    for (const path of ['/usr/bin/x', '~/bin/x', 'C:\\x.exe', 'd:/x', '\\\\srv\\x', '~\\x.exe']) {
      expect([path, (await send(path)).status]).toEqual([path, 202]);
    }
    for (const path of ['', 'x', './x', '../x', 'C:x', '~x/y', 'file:///x']) {
      const refused = await send(path);
      expect([path, refused.status]).toEqual([path, 400]);
      expect(refused.body.error.message).toMatch(
        /^\/entities\/0\/executables\/0 must be an absolute/,
      );
    }
  });

  it('releases the id of a rejected batch', async () => {
    const batch = aBatch(aDevice(), [anEntity('curl')]);
    expect((await push({ ...batch, entities: [{ ...anEntity('curl'), kind: 'x' }] })).status).toBe(
      400,
    );
    expect((await push(batch)).status).toBe(202);
  });

  it('counts identical entities as unchanged', async () => {
    const device = aDevice();
    await push(aBatch(device, [anEntity('a'), anEntity('b')]));
    const answer = await push(
      aBatch(device, [anEntity('a'), anEntity('b', { version: '2.0' })], { kind: 'delta' }),
    );
    expect([answer.body.accepted, answer.body.unchanged]).toEqual([1, 1]);
  });

  it('accepts an empty batch only with coverage or for an empty full scan', async () => {
    const device = aDevice();
    expect((await push(aBatch(device, [], { kind: 'delta' }))).status).toBe(400);
    expect((await push(aBatch(device, []))).status).toBe(202);
    const coverage = [{ source: 'dpkg', owner: null, state: 'read', entities: 0, reason: null }];
    expect((await push(aBatch(device, [], { kind: 'delta', coverage }))).status).toBe(202);
  });
});

describe('scan', () => {
  it('removes entities that a full scan did not name, once all its batches arrived', async () => {
    const device = aDevice();
    await push(aBatch(device, [anEntity('a'), anEntity('b'), anEntity('c')]));
    const scan = { scan_id: randomUUID(), batches: 2 };
    await push(aBatch(device, [anEntity('a')], { ...scan, batch: 1 }));
    expect(await present(device)).toEqual(['a', 'b', 'c']);
    await push(aBatch(device, [anEntity('b')], { ...scan, batch: 0 }));
    expect(await present(device)).toEqual(['a', 'b']);
    expect(await confirms(device, [anEntity('a'), anEntity('b')])).toBe(true);
  });

  it('removes nothing from a source that was not read', async () => {
    const device = aDevice();
    const app = anEntity('app', { source: 'desktop_entry', kind: 'application' });
    await push(aBatch(device, [anEntity('a'), app]));
    const coverage = [
      { source: 'dpkg', owner: null, state: 'read', entities: 0, reason: null },
      { source: 'desktop_entry', owner: null, state: 'unreadable', entities: 0, reason: 'EACCES' },
    ];
    await push(aBatch(device, [], { coverage }));
    expect(await present(device)).toEqual(['app']);
    const shown = await hub.console('GET', `/devices/${device.device_id}`);
    expect(shown.body.device.coverage).toContainEqual(coverage[1]);
  });

  it('keeps its result when an earlier scan arrives late', async () => {
    const device = aDevice();
    await push(aBatch(device, [anEntity('a', { version: '2.0' })], { seq: 8 }));
    await push(aBatch(device, [anEntity('a', { version: '1.0' })], { seq: 7 }));
    const { body } = await hub.console('GET', `/devices/${device.device_id}/entities`);
    expect(body.items.map((item: { version: string }) => item.version)).toEqual(['2.0']);
  });

  it('restores nothing that a later full scan did not find', async () => {
    const device = aDevice();
    await push(aBatch(device, [anEntity('a')], { seq: 5 }));
    await push(aBatch(device, [anEntity('ghost')], { seq: 4, kind: 'delta' }));
    expect(await present(device)).toEqual(['a']);
  });

  it('lists removed entities on request', async () => {
    const device = aDevice();
    await push(aBatch(device, [anEntity('a'), anEntity('b')]));
    await push(aBatch(device, [anEntity('b', { removed: true })], { kind: 'delta' }));
    expect(await present(device)).toEqual(['a']);
    const { body } = await hub.console('GET', `/devices/${device.device_id}/entities?removed=true`);
    expect(
      body.items.map((item: { removed_at: string | null }) => item.removed_at === null),
    ).toEqual([true, false]);
  });
});

describe('applications', () => {
  it('counts devices and versions over the fleet', async () => {
    const name = `fleet-${randomUUID()}`;
    const devices = [aDevice(), aDevice(), aDevice()];
    for (const [i, device] of devices.entries()) {
      await push(aBatch(device, [anEntity(name, { version: i === 0 ? '1.9' : '1.10' })]));
    }
    await push(aBatch(devices[2] ?? aDevice(), []));
    const { body } = await hub.console('GET', `/discovered-apps?query=${name}`);
    expect(body.items).toHaveLength(1);
    expect(body.items[0]).toMatchObject({
      device_count: 2,
      approval_status: 'pending',
      versions: [
        { version: '1.10', device_count: 1 },
        { version: '1.9', device_count: 1 },
      ],
    });
    const where = await hub.console('GET', `/discovered-apps/${body.items[0].entity_id}/devices`);
    expect(where.body.items.map((item: { device_id: string }) => item.device_id).sort()).toEqual(
      devices
        .slice(0, 2)
        .map((device) => device.device_id)
        .sort(),
    );
  });

  it('pages through every row once, in each order', async () => {
    const { tenantId, agentToken, adminToken } = await hub.newTenant('Paging');
    const names = Array.from({ length: 25 }, (_, i) => `P${String(i).padStart(2, '0')}`);
    await deviceCall({ ...hub, tenantId, agentToken }, 'POST', APPS, {
      body: aBatch(
        aDevice(),
        names.map((name) => anEntity(name)),
      ),
    });
    for (const sort of ['name', '-device_count', '-first_seen_at']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const after: string = cursor === null ? '' : `&cursor=${cursor}`;
        const page = await hub.console('GET', `/discovered-apps?limit=7&sort=${sort}${after}`, {
          tenantId,
          token: adminToken,
        });
        seen.push(...page.body.items.map((item: { name: string }) => item.name));
        cursor = page.body.next_cursor;
      } while (cursor !== null);
      expect(seen.sort()).toEqual(names);
    }
  });

  it('searches literally', async () => {
    await push(aBatch(aDevice(), [anEntity('100%_real'), anEntity('100 unreal')]));
    const { body } = await hub.console('GET', `/discovered-apps?query=${encodeURIComponent('%_')}`);
    expect(body.items.map((item: { name: string }) => item.name)).toEqual(['100%_real']);
  });

  it('rejects a cursor of another list, filter or tenant', async () => {
    const { body } = await hub.console('GET', '/discovered-apps?limit=1');
    const cursor = body.next_cursor;
    const other = await hub.newTenant('Other');
    for (const [path, options] of [
      [`/devices?cursor=${cursor}`, {}],
      [`/discovered-apps?query=a&cursor=${cursor}`, {}],
      [`/discovered-apps?cursor=${cursor}`, { tenantId: other.tenantId, token: other.adminToken }],
      ['/discovered-apps?cursor=rubbish', {}],
    ] as const) {
      const answer = await hub.console('GET', path, options);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_cursor']);
    }
  });
});

describe('approved product', () => {
  const approve = (entityId: string) =>
    hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: entityId },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
      },
    });
  const shown = async (entityId: string) =>
    (await hub.console('GET', `/discovered-apps/${entityId}`)).body.application;
  const server = (name: string, launch: string, permissions: string[] = []) =>
    anEntity(name, {
      kind: 'mcp_server',
      launch_hash: launch.repeat(64),
      instances: [{ owner: 'alice', permissions }],
    });

  it('waits for a review after a changed launch or an added permission', async () => {
    const name = `mcp-${randomUUID()}`;
    const [row, other] = [aDevice(), aDevice()];
    const { entity_id: entityId } = server(name, 'a');
    for (const device of [row, other]) await push(aBatch(device, [server(name, 'a', ['read'])]));
    await approve(entityId);
    expect(await shown(entityId)).toMatchObject({ approval_status: 'approved', drifts: [] });
    await push(aBatch(row, [server(name, 'b', ['read'])], { kind: 'delta' }));
    await push(aBatch(other, [server(name, 'a', ['read', 'write'])], { kind: 'delta' }));
    const drifted = await shown(entityId);
    expect(drifted.approval_status).toBe('pending');
    expect(drifted.drifted_at).not.toBeNull();
    const byDevice = new Map(drifted.drifts.map((d: { device_id: string }) => [d.device_id, d]));
    expect(byDevice.get(row.device_id)).toMatchObject({ launch_changed: true });
    expect(byDevice.get(other.device_id)).toMatchObject({
      launch_changed: false,
      new_permissions: ['write'],
    });
    const waiting = await hub.console(
      'GET',
      `/discovered-apps?approval_status=pending&query=${name}`,
    );
    expect(waiting.body.items).toHaveLength(1);
    const viewer = await hub.tokenFor('Viewer');
    const path = `/discovered-apps/${entityId}/review`;
    expect((await hub.console('POST', path, { body: {}, token: viewer })).status).toBe(403);
    const reviewed = await hub.console('POST', path, { body: {} });
    expect(reviewed.body.devices).toBe(2);
    expect(await shown(entityId)).toMatchObject({ approval_status: 'approved', drifts: [] });
  });

  it('shows both states of a change, and rejects a review of an older change', async () => {
    const name = `mcp-${randomUUID()}`;
    const device = aDevice();
    const launched = (hash: string, ...args: string[]) => ({
      ...server(name, hash, ['read']),
      details: { configured: [{ client: 'cursor', command: 'npx', args, env: ['TOKEN'], odd: 1 }] },
    });
    const { entity_id: entityId } = launched('a');
    await push(aBatch(device, [launched('a', '-y', 'pkg@1')]));
    await approve(entityId);
    const before = await hub.console('GET', `/discovered-apps/${entityId}`);
    expect(before.headers.get('etag')).toBe('"1"');
    expect(before.body.application).toMatchObject({
      launches: [{ launch: { command: 'npx', args: ['-y', 'pkg@1'], env: ['TOKEN'] }, devices: 1 }],
      permissions: ['read'],
    });
    await push(aBatch(device, [launched('b', '-y', 'pkg@2')], { kind: 'delta' }));
    const seen = (await shown(entityId)).version;
    await push(aBatch(device, [launched('c', 'evil', 'api_key=sk-ant-REDACTED')]));
    const drifted = await shown(entityId);
    const launches = (...args: string[]) => ({ launches: [{ command: 'npx', args }] });
    expect(drifted.drifts).toMatchObject([
      {
        device_id: device.device_id,
        before: { ...launches('-y', 'pkg@1'), permissions: ['read'] },
        now: launches('evil', 'api_key=[REDACTED]'),
      },
    ]);
    const review = (version: string) =>
      hub.console('POST', `/discovered-apps/${entityId}/review`, {
        body: {},
        headers: { 'if-match': version },
      });
    expect((await review(seen)).status).toBe(412);
    expect((await shown(entityId)).drifts).toHaveLength(1);
    // Two hold the same version in hand: one of them reviews.
    const answers = await Promise.all([review(drifted.version), review(drifted.version)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412]);
    const clean = await shown(entityId);
    expect(clean.drifts).toEqual([]);
    // A review without pending items changes nothing.
    expect((await review(clean.version)).body).toMatchObject({ devices: 0 });
    expect((await shown(entityId)).version).toBe(clean.version);
    expect((await review(seen)).status).toBe(412);
  });

  it('reports no drift for a new version, nor without any approval', async () => {
    const name = `mcp-${randomUUID()}`;
    const device = aDevice();
    const { entity_id: entityId } = server(name, 'a');
    await push(aBatch(device, [server(name, 'a')]));
    await push(aBatch(device, [server(name, 'b')], { kind: 'delta' }));
    expect((await shown(entityId)).drifted_at).toBeNull();
    await approve(entityId);
    const newer = { ...server(name, 'b'), version: '9.9' };
    await push(aBatch(device, [newer], { kind: 'delta' }));
    expect((await shown(entityId)).drifted_at).toBeNull();
  });

  it('counts a new override as a review', async () => {
    const name = `mcp-${randomUUID()}`;
    const device = aDevice();
    const { entity_id: entityId } = server(name, 'a');
    await push(aBatch(device, [server(name, 'a')]));
    await approve(entityId);
    await push(aBatch(device, [server(name, 'b')], { kind: 'delta' }));
    expect((await shown(entityId)).approval_status).toBe('pending');
    await approve(entityId);
    expect((await shown(entityId)).approval_status).toBe('approved');
  });
});

describe('interleaved and repeated batches', () => {
  it('end with the inventory, counts and hash of the newest full scan', async () => {
    const entity = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      version: fc.constantFrom('1', '2'),
    });
    const scan = fc.uniqueArray(entity, { selector: (item) => item.name, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(scan, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        async (scans, order, inTurn) => {
          const device = aDevice();
          const batches = scans.flatMap((entities, i) => {
            const id = { scan_id: randomUUID(), seq: i + 1 };
            const half = Math.ceil(entities.length / 2);
            const parts = [entities.slice(0, half), entities.slice(half)].filter(
              (part, n) => n === 0 || part.length > 0,
            );
            return parts.map((part, batch) =>
              aBatch(
                device,
                part.map((item) => anEntity(item.name, { version: item.version })),
                {
                  ...id,
                  batch,
                  batches: parts.length,
                  coverage: [
                    {
                      source: 'dpkg',
                      owner: null,
                      state: 'read',
                      entities: entities.length,
                      reason: null,
                    },
                  ],
                },
              ),
            );
          });
          const shuffled = [...batches, ...batches]
            .map((batch) => ({ batch, at: order.next().value }))
            .sort((a, b) => a.at - b.at);
          // In turn, or all at once: then several are stored in one group.
          const pushes = inTurn ? [] : await Promise.all(shuffled.map(({ batch }) => push(batch)));
          if (inTurn) for (const { batch } of shuffled) pushes.push(await push(batch));
          expect(pushes.map((item) => item.status)).toEqual(shuffled.map(() => 202));
          const last = scans.at(-1) ?? [];
          expect((await present(device)).sort()).toEqual(last.map((item) => item.name).sort());
          expect(
            await confirms(
              device,
              last.map((item) => anEntity(item.name, { version: item.version })),
            ),
          ).toBe(true);
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });
});
