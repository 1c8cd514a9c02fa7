// A pull runs over HTTP into a store: the order in which responses take effect, and repeated requests.
import { randomUUID } from 'node:crypto';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { DELTA_LIMIT_MAX } from '@gatewarden/shared/wire/sync/limits.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, makeOverride, TENANT } from '../../test/agent-process.ts';
import { type HubDouble, startHubDouble } from '../../test/hub-double.ts';
import { describeDevice } from '../config/device-identity.ts';
import { fileTokens } from '../config/token-store.ts';
import { createLog } from '../runtime/log.ts';
import { openHubClock } from '../store/hub-clock.ts';
import { openOverrides } from '../store/override-store.ts';
import { claimStore, openState } from '../store/state-store.ts';
import { type Db, openStore } from '../store/store-database.ts';
import { joinBackend } from './backend.ts';
import { createPuller, type PullParts } from './governance-puller.ts';
import { createSyncClient } from './hub-client.ts';

let hub: HubDouble;
beforeEach(async () => {
  hub = await startHubDouble();
});
afterEach(() => hub.close());

const hubAs = (subscriberId: string) => ({
  ...{ baseUrl: hub.url, tenantId: TENANT, subscriberId },
  ...{ authToken: null, caFile: null, pin: null, proxy: null, owner: null },
});

/** The next run opens the store without any cache. */
const reopen = (db: Db) => {
  const { puller, close } = openPull({}, db);
  return { ...puller, close };
};

function openPull(changed: Partial<PullParts> = {}, kept: Db | null = null) {
  const db = kept ?? openStore(makeFolder()).db;
  const state = openState(db);
  const overrides = openOverrides(db, state);
  const client = createSyncClient({
    backend: hubAs('s'),
    device: describeDevice(randomUUID()),
    token: () => 'device-token',
    env: {},
  });
  const puller = createPuller({
    ...{ client, state, overrides, clock: openHubClock(state) },
    inventoryDigest: () => null,
    governanceChanged: () => undefined,
    processMapChanged: () => undefined,
    fullScanWanted: () => undefined,
    discoveryChanged: () => undefined,
    ...changed,
  });
  const close = () => {
    client.close();
    if (kept === null) db.close();
  };
  const pull = () => {
    // Somebody asks each time: no failure makes the next pull wait.
    client.tryNow();
    return puller.pull();
  };
  return { close, db, overrides, puller: { ...puller, pull }, state };
}

/** A page more than the limit, of revisions after this revision. */
const twoPages = (after: number): WireOverride[] =>
  Array.from({ length: DELTA_LIMIT_MAX + 1 }, (_, i) =>
    makeOverride({ match: { name: `p${after + i}` }, revision: after + 1 + i }),
  );

/** The second page of what is new after this revision does not come. */
const loseSecondPage = (after: number) => {
  hub.intercept = ({ path, query }) =>
    path.endsWith('/delta') && Number(query.get('cursor') ?? 0) > after
      ? { status: 500, body: {} }
      : null;
};

test('applies a stop with the first page, and its end with the last page', async () => {
  hub.ceiling = 'monitor';
  hub.overrides.push(makeOverride({ match: { name: 'wrong' }, revision: 1 }));
  const { close, overrides, puller, state } = openPull();
  await puller.pull();
  expect(state.get('enforcement_ceiling')).toBe('monitor');

  hub.overrides = twoPages(1);
  hub.ceiling = 'enforce';
  loseSecondPage(1);
  await expect(puller.pull()).rejects.toThrow();
  expect(overrides.count()).toBe(1);
  expect(state.get('enforcement_ceiling')).toBe('monitor');
  hub.intercept = null;
  await puller.pull();
  expect(overrides.count()).toBe(DELTA_LIMIT_MAX + 2);
  expect(state.get('enforcement_ceiling')).toBe('enforce');

  const last = DELTA_LIMIT_MAX + 2;
  hub.overrides = twoPages(last);
  hub.ceiling = 'off';
  loseSecondPage(last);
  await expect(puller.pull()).rejects.toThrow();
  expect(state.get('enforcement_ceiling')).toBe('off');
  close();
});

test.each(['', 'not JSON', '""', '"garbage"'])(
  'recovers from a damaged cursor (%j) with a full pull',
  async (damaged) => {
    hub.overrides.push(makeOverride({ match: { name: 'first' }, revision: 1 }));
    const { close, db, overrides, puller } = openPull();
    await puller.pull();
    db.prepare("UPDATE state SET value = ? WHERE key = 'cursor'").run(damaged);
    hub.overrides.push(makeOverride({ match: { name: 'two' }, revision: 2 }));
    // Hubs answer so to an invalid cursor.
    hub.intercept = ({ path, query }) => {
      const cursor = query.get('cursor');
      if (!path.endsWith('/delta') || cursor === null || /^\d+$/.test(cursor)) return null;
      return { status: cursor === '' ? 400 : 410, body: { error: { code: 'x', message: 'x' } } };
    };
    const again = reopen(db);
    await again.pull();
    expect(overrides.count()).toBe(2);
    again.close();
    close();
  },
);

test('requests unsupported mappings again at the next run, and not before', async () => {
  const known = { process_name: 'known', platform: null, match: 'exact', application_name: 'X' };
  const newer = { ...known, process_name: 'n.*', match: 'regex' };
  const asked: (string | undefined)[] = [];
  hub.mappings = [known, newer].map((mapping) => ({ ...mapping, entity_id: null })) as never;
  hub.intercept = ({ path, headers }) => {
    if (path.endsWith('/process-map')) asked.push(headers['if-none-match']);
    return null;
  };
  const { close, db, puller, state } = openPull();
  await puller.pull();
  await puller.pull();
  expect(state.get('process_map')?.mappings).toEqual([{ ...known, entity_id: null }]);
  const again = reopen(db);
  await again.pull();
  expect(asked).toEqual([undefined, '"2"', undefined]);
  hub.mappings = hub.mappings.slice(0, 1);
  await again.pull();
  const third = reopen(db);
  await third.pull();
  expect(asked.slice(3)).toEqual(['"2"', '"1"']);
  for (const puller of [third, again]) puller.close();
  close();
});

test.each([null, 'on_request', ['personal_homes'], false])(
  'excludes more for an unknown discovery scope (%j)',
  async (ceiling) => {
    hub.rewrite = ({ path }, answer) =>
      path.endsWith('/delta')
        ? { ...answer, body: { ...(answer.body as object), discovery: ceiling } }
        : answer;
    const { close, puller, state } = openPull();
    await puller.pull();
    expect(state.get('discovery')).toEqual({ personal_homes: false, browser_profiles: false });
    close();
  },
);

test('ignores a contact that exceeds the length limit', async () => {
  hub.tray = { pause_minutes: 5, contact: 'x'.repeat(257) };
  const { close, puller, state } = openPull();
  await puller.pull();
  expect(state.get('tray')).toEqual({ pause_minutes: 5 });
  close();
});

test('retries at the next poll what a full disk kept from being stored', async () => {
  let isFull = true;
  let forgotten = 0;
  const { close, puller, state } = openPull({
    discoveryChanged: () => {
      if (isFull) throw new Error('database or disk is full');
      forgotten++;
    },
  });
  hub.discovery = { personal_homes: false };
  hub.tray = { pause_minutes: 5, contact: null };
  await expect(puller.pull()).rejects.toThrow('disk is full');
  isFull = false;
  await puller.pull();
  expect(forgotten).toBe(1);
  expect(state.get('discovery')).toEqual({ personal_homes: false });
  expect(state.get('tray')).toEqual({ pause_minutes: 5, contact: null });
  close();
});

test('obeys a stop while a full disk blocks overrides, and applies these later', async () => {
  const { close, db, overrides, puller, state } = openPull();
  const large = {
    ...makeOverride({ match: { name: 'x' }, revision: 4 }),
    reason: 'r'.repeat(200_000),
  };
  overrides.receive([large], '4', true);
  hub.overrides = [large];
  hub.ceiling = 'off';
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
  await expect(puller.pull()).rejects.toThrow('full');
  // Pages that cannot be applied count from memory.
  expect(overrides.count()).toBe(1);
  expect(state.get('enforcement_ceiling')).toBe('off');
  // The set is smaller than its cursor suggests: the hub must not doubt it.
  expect(hub.seen.some((request) => request.query.has('applied'))).toBe(false);
  db.pragma('max_page_count = 1000000');
  await puller.pull();
  expect(overrides.count()).toBe(1);
  expect(hub.violations).toEqual([]);
  close();
});

test.each([
  ['the first of its pages', 0],
  ['the second', 1],
  ['the third', 2],
])('applies changes of three pages from memory when a full disk blocks %s', async (_, taken) => {
  let changed = 0;
  const { close, db, overrides, puller, state } = openPull({
    governanceChanged: () => {
      changed++;
    },
  });
  const make = (revision: number) =>
    makeOverride({ match: { name: `n${revision}` }, revision, reason: 'r'.repeat(500) });
  const first = make(1);
  hub.overrides = [first];
  await puller.pull();
  const news = Array.from({ length: 2 * DELTA_LIMIT_MAX + 9 }, (_, at) => make(at + 2));
  const last = 2 * DELTA_LIMIT_MAX + 11;
  hub.overrides = [...news, { ...first, revision: last, deleted: true }];
  let pages = 0;
  hub.intercept = ({ path }) => {
    if (path.endsWith('/delta') && pages++ === taken) {
      db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    }
    return null;
  };
  changed = 0;
  await expect(puller.pull()).rejects.toThrow('full');
  expect(changed).toBe(1);
  expect(overrides.load()).toHaveLength(news.length);
  expect(overrides.load().some((override) => override.override_id === first.override_id)).toBe(
    false,
  );
  expect(state.get('cursor')).not.toBe(String(last));
  // The second pull reports no change again.
  await expect(puller.pull()).rejects.toThrow('full');
  expect(changed).toBe(1);
  db.pragma('max_page_count = 1000000');
  await puller.pull();
  expect(overrides.count()).toBe(news.length);
  expect(state.get('cursor')).toBe(String(last));
  expect(hub.violations).toEqual([]);
  close();
});

test('starts although a full disk blocks the inbox', async () => {
  const folder = makeFolder();
  const { db } = openStore(folder);
  const device = describeDevice(randomUUID());
  claimStore(db, openState(db), `${TENANT}|${device.device_id}`);
  const large = { ...makeOverride({ match: { name: 'x' } }), reason: 'r'.repeat(200_000) };
  openOverrides(db, openState(db)).receive([large], '4', true);
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
  const backend = await joinBackend({
    ...{ db, device, env: {}, log: createLog('silent'), storeFailed: () => undefined },
    backend: hubAs('s'),
    tokens: fileTokens(folder),
  });
  expect(backend.overrides.count()).toBe(0);
  backend.client.close();
  await backend.alerts.stop();
  backend.close();
});
