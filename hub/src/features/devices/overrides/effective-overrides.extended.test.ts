// Lists show the overrides of an application that are in effect: not expired overrides, nor future overrides, nor those
// that reach nobody.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { applyTimedDecisions } from './apply-timed-decisions.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

async function anApplication() {
  const entity = anEntity(`app-${randomUUID()}`);
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), [entity]),
  });
  return {
    id: entity.entity_id,
    async decide(approval_status: string, execution_policy: string, over: object = {}) {
      const { status, body } = await hub.console('POST', '/overrides', {
        body: {
          match: { entity_id: entity.entity_id },
          approval_status,
          execution_policy,
          scope: { kind: 'tenant' },
          ...over,
        },
      });
      expect(status).toBe(201);
      return body.override.override_id as string;
    },
    async shown() {
      const { body } = await hub.console('GET', `/discovered-apps/${entity.entity_id}`);
      return [body.application.approval_status, body.application.execution_policy];
    },
  };
}

/** Moves the times of the override by these hours. */
async function laterFor(overrideId: string, hours: number) {
  const { db } = hub.context.database;
  const rows = sql<{ at: Date | null; end: Date | null }>`
    SELECT effective_at AS at, expires_at AS end FROM overrides WHERE override_id = ${overrideId}`;
  const [found] = (await rows.execute(db)).rows;
  const moved = (at: Date | null | undefined) => at && new Date(at.getTime() - hours * HOUR_MS);
  await sql`UPDATE overrides SET effective_at = ${moved(found?.at)}, expires_at = ${moved(found?.end)}
    WHERE override_id = ${overrideId}`.execute(db);
}

it('shows the stricter of two overrides', async () => {
  const app = await anApplication();
  const block = await app.decide('blocked', 'block');
  await app.decide('approved', 'allow');
  expect(await app.shown()).toEqual(['blocked', 'block']);
  await hub.console('DELETE', `/overrides/${block}`, { headers: { 'if-match': '"1"' } });
  expect(await app.shown()).toEqual(['approved', 'allow']);
});

it('hides overrides that reach nobody, and shows a rollout only without an override for everybody', async () => {
  const app = await anApplication();
  await app.decide('blocked', 'block', { rollout_percent: 0 });
  expect((await app.shown())[0]).toBe('pending');
  await app.decide('restricted', 'warn', { rollout_percent: 10 });
  expect(await app.shown()).toEqual(['restricted', 'warn']);
  await app.decide('approved', 'allow');
  expect(await app.shown()).toEqual(['approved', 'allow']);
});

it('follows the start and the end of overrides, and shows the remaining override again', async () => {
  const { db } = hub.context.database;
  const [ending, beginning] = [await anApplication(), await anApplication()];
  await ending.decide('approved', 'allow');
  const block = await ending.decide('blocked', 'block', { expires_at: inHours(2) });
  const planned = await beginning.decide('restricted', 'warn', {
    effective_at: inHours(2),
    expires_at: inHours(4),
  });
  await applyTimedDecisions(db);
  expect([await ending.shown(), (await beginning.shown())[0]]).toEqual([
    ['blocked', 'block'],
    'pending',
  ]);
  for (const id of [block, planned]) await laterFor(id, 3);
  await Promise.all([applyTimedDecisions(db), applyTimedDecisions(db)]);
  expect([await ending.shown(), await beginning.shown()]).toEqual([
    ['approved', 'allow'],
    ['restricted', 'warn'],
  ]);
  await laterFor(planned, 3);
  await applyTimedDecisions(db);
  expect((await beginning.shown())[0]).toBe('pending');
  const waiting = await hub.console('GET', '/discovered-apps?approval_status=pending&limit=200');
  expect(waiting.body.items.map((item: { entity_id: string }) => item.entity_id)).toContain(
    beginning.id,
  );
});

it('refreshes effective overrides in the job of the hub', async () => {
  const app = await anApplication();
  const id = await app.decide('approved', 'allow', { expires_at: inHours(1) });
  expect((await app.shown())[0]).toBe('approved');
  await laterFor(id, 2);
  await expect.poll(async () => (await app.shown())[0], { timeout: 120_000 }).toBe('pending');
});
