// A notification may arrive before the workers of a cluster show the change, therefore caches are notified again. A
// notification that is too long for PostgreSQL is split.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { transact } from '../db/database.ts';
import { createLog } from '../telemetry/log.ts';
import { notify } from './feed.ts';
import { startNotifications } from './notifications.ts';

const { isCitus } = inject('postgres');

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

test('repeats a notification twice for subscribers on a cluster, and never elsewhere', async () => {
  const { db, connection } = hub.context.database;
  const notifications = await startNotifications({
    connection,
    log: createLog('silent'),
    revive: async () => undefined,
  });
  let once = 0;
  let again = 0;
  const isOwn = (notice: { kind: string; keys?: string[] }) =>
    notice.kind === 'forget' && notice.keys?.includes('own') === true;
  notifications.onNotice((notice) => {
    if (isOwn(notice)) once += 1;
  });
  const unsubscribe = notifications.onNotice(
    (notice) => {
      if (isOwn(notice)) again += 1;
    },
    { again: true },
  );
  await notify(db, { kind: 'forget', cache: 'none', keys: ['own'] });
  await expect.poll(() => again, { timeout: 10_000 }).toBe(isCitus ? 3 : 1);
  expect(once).toBe(1);
  unsubscribe();
  await notify(db, { kind: 'forget', cache: 'none', keys: ['own'] });
  await expect.poll(() => once).toBe(2);
  expect(again).toBe(isCitus ? 3 : 1);
  await notifications.stop();
});

test('delivers any number of invalidated keys in the transaction that changed them', async () => {
  const { db, connection } = hub.context.database;
  const notifications = await startNotifications({
    connection,
    log: createLog('silent'),
    revive: async () => undefined,
  });
  const received = new Set<string>();
  notifications.onNotice((notice) => {
    if (notice.kind === 'forget' && notice.cache === 'many') {
      for (const key of notice.keys) received.add(key);
    }
  });
  const keys = Array.from({ length: 1_000 }, (_, i) => `${crypto.randomUUID()}/é${i}`);
  await transact(db, (tx) => notify(tx, { kind: 'forget', cache: 'many', keys }));
  await expect.poll(() => received.size).toBe(keys.length);
  expect(keys.every((key) => received.has(key))).toBe(true);
  await notifications.stop();
});
