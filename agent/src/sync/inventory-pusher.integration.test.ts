// Batches that a proxy rejects as too large are sent in parts, and completely again afterwards.
import { expect, test } from 'vitest';
import { anEntity } from '../../../test/support/builders.ts';
import { makeFolder } from '../../test/agent-process.ts';
import { startHubDouble } from '../../test/hub-double.ts';
import { startQueue } from '../../test/waiting-alerts.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import { openInventory } from '../store/inventory-store.ts';
import { openState } from '../store/state-store.ts';
import { createPusher } from './inventory-pusher.ts';

const DAY_MS = 86_400_000;

function scanOf(count: number): ScanResult {
  return {
    startedAt: new Date(),
    durationMs: 1,
    entities: Array.from({ length: count }, (_, i) => ({
      wire: anEntity(`entity-${i}`),
      owners: [null],
      key: `entity-${i}`,
      executables: [],
      launches: [],
      entries: [],
    })),
    coverage: [{ source: 'dpkg', owner: null, state: 'read', entities: count }],
    problems: [],
  };
}

test('splits a batch that is too large, and sends full batches in a later scan', async () => {
  const hub = await startHubDouble();
  const { db, client } = startQueue(makeFolder(), hub.url);
  let nowMs = Date.now();
  const pusher = createPusher({
    ...{ client, inventory: openInventory(db), state: openState(db) },
    ...{ makeId: uuid7, now: () => nowMs, log: () => undefined },
  });
  const sizes = () => hub.batches.splice(0).map((batch) => batch.entities.length);
  let most = 12;
  hub.intercept = ({ path, body }) => {
    const entities = (body as { entities?: unknown[] } | null)?.entities ?? [];
    const refusal = { code: 'body_too_large', message: 'too large' };
    return path.endsWith('/discovered-apps') && entities.length > most
      ? { status: 413, body: { error: { ...refusal, retryable: false, request_id: 'r' } } }
      : null;
  };
  pusher.plan(scanOf(60));
  await pusher.drain();
  expect(Math.max(...sizes())).toBeLessThanOrEqual(12);
  most = 50;
  pusher.plan(scanOf(60));
  expect(pusher.waiting()).toBe(false);
  nowMs += DAY_MS;
  pusher.plan(scanOf(60));
  await pusher.drain();
  expect(sizes()).toEqual([50, 10]);
  client.close();
  db.close();
  await hub.close();
});
