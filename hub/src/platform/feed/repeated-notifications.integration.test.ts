// A notice may come before a cluster's workers show what it tells: whoever keeps what they read is told again. One that is too
// long for PostgreSQL goes out as several.
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

test('on a cluster those who want it hear a notice again, twice; elsewhere everybody hears it once', async () => {
  const { db, connection } = hub.context.database;
  const notifications = await startNotifications({
    connection,
    log: createLog('silent'),
    revive: async () => undefined,
  });
  let once = 0;
  let again = 0;
  const isMine = (notice: { kind: string; keys?: string[] }) =>
    notice.kind === 'forget' && notice.keys?.includes('mine') === true;
  notifications.onNotice((notice) => {
    if (isMine(notice)) once += 1;
  });
  const unsubscribe = notifications.onNotice(
    (notice) => {
      if (isMine(notice)) again += 1;
    },
    { again: true },
  );
  await notify(db, { kind: 'forget', cache: 'none', keys: ['mine'] });
  await expect.poll(() => again, { timeout: 10_000 }).toBe(isCitus ? 3 : 1);
  expect(once).toBe(1);
  unsubscribe();
  await notify(db, { kind: 'forget', cache: 'none', keys: ['mine'] });
  await expect.poll(() => once).toBe(2);
  expect(again).toBe(isCitus ? 3 : 1);
  await notifications.stop();
});

test('however many keys are to be forgotten, each is heard, in the transaction that changed them', async () => {
  const { db, connection } = hub.context.database;
  const notifications = await startNotifications({
    connection,
    log: createLog('silent'),
    revive: async () => undefined,
  });
  const heard = new Set<string>();
  notifications.onNotice((notice) => {
    if (notice.kind === 'forget' && notice.cache === 'many') {
      for (const key of notice.keys) heard.add(key);
    }
  });
  const keys = Array.from({ length: 1_000 }, (_, i) => `${crypto.randomUUID()}/é${i}`);
  await transact(db, (tx) => notify(tx, { kind: 'forget', cache: 'many', keys }));
  await expect.poll(() => heard.size).toBe(keys.length);
  expect(keys.every((key) => heard.has(key))).toBe(true);
  await notifications.stop();
});
