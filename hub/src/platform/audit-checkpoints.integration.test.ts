// Changes of audit rows in the database itself are detected, whatever row is changed and in whatever way.

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { recordAudit } from './audit.ts';
import {
  type AuditCheckpoints,
  type CheckpointHead,
  checkAudit,
  createAuditCheckpoints,
} from './audit-checkpoints.ts';
import { type Db, row, rows, transact } from './db/database.ts';
import { shiftTime } from './db/time-shift.ts';

const EVENTS = 12_000;
let hub: TestHub;
let db: Db;
let key: Buffer;
let checkpoints: AuditCheckpoints;
const heads: (CheckpointHead & { events: number })[] = [];

beforeAll(async () => {
  hub = await startTestHub();
  db = hub.context.database.db;
  key = (await hub.context.loadSecrets()).auditKey;
  checkpoints = createAuditCheckpoints(db, key, (head) => heads.push(head));
  await sql`
    INSERT INTO audit_events (tenant_id, event_id, at, actor, operation, resource, result, detail)
    SELECT ${hub.tenantId}, gen_random_uuid(), now() - make_interval(secs => n),
      '{"kind":"hub","id":"hub","email":null}', 'alert.acknowledge',
      jsonb_build_object('kind', 'thing', 'id', n), 'succeeded', jsonb_build_object('n', n)
    FROM generate_series(1, ${EVENTS}) AS n`.execute(db);
  await checkpoints.advance();
});
afterAll(() => hub.stop());

/** Tampers, returns the reported problems, and rolls back. */
async function problemsAfter(tamper: ReturnType<typeof sql>): Promise<string[]> {
  const undone = new Error('undone');
  let problems: string[] = [];
  await transact(db, async (tx) => {
    await tamper.execute(tx);
    problems = (await checkAudit(tx, key)).problems;
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return problems;
}

const eventOf = (checkpoint: number) => sql`
  (SELECT event_id FROM audit_events WHERE tenant_id = ${hub.tenantId} AND checkpoint = ${checkpoint} LIMIT 1)`;

describe('unchanged audit trail', () => {
  test('verifies, with each event under a single checkpoint', async () => {
    const findings = await checkAudit(db, key);
    expect(findings.problems).toEqual([]);
    expect(findings.events).toBeGreaterThanOrEqual(EVENTS);
    expect(findings.checkpoints).toBeGreaterThanOrEqual(3);
    expect(heads.map((head) => head.checkpoint)).toEqual(heads.map((_, at) => at + 1));
    expect(findings.heads).toContainEqual({
      tenant_id: hub.tenantId,
      checkpoint: heads.at(-1)?.checkpoint,
      mac: heads.at(-1)?.mac,
    });
  });

  test('covers new events by the next checkpoint once, for any number of hubs', async () => {
    await transact(db, (tx) =>
      recordAudit(tx, {
        tenantId: hub.tenantId,
        actor: { kind: 'hub', id: 'hub', email: null },
        operation: 'alert.acknowledge',
        resource: { kind: 'thing', id: 'fresh' },
        requestId: null,
        detail: {},
      }),
    );
    await Promise.all(Array.from({ length: 6 }, () => checkpoints.advance()));
    await checkpoints.advance();
    const fresh = await rows(
      db,
      sql<{ checkpoint: number }>`
        SELECT checkpoint FROM audit_events
        WHERE tenant_id = ${hub.tenantId} AND resource ->> 'id' = 'fresh'`,
    );
    expect(fresh).toEqual([{ checkpoint: heads.at(-1)?.checkpoint }]);
    expect((await checkAudit(db, key)).problems).toEqual([]);
  });
});

describe('changed audit row', () => {
  const ways: [string, () => ReturnType<typeof sql>, RegExp][] = [
    [
      'a changed detail',
      () => sql`UPDATE audit_events SET detail = '{"n":0}' WHERE event_id = ${eventOf(2)}`,
      /was changed/,
    ],
    [
      'another actor',
      () => sql`
        UPDATE audit_events SET actor = '{"kind":"person","id":"x","email":null}'
        WHERE event_id = ${eventOf(1)}`,
      /was changed/,
    ],
    [
      'a moment moved by a microsecond',
      () => sql`
        UPDATE audit_events SET at = ${shiftTime('at', '1 microsecond')} WHERE event_id = ${eventOf(3)}`,
      /was changed/,
    ],
    [
      'an event taken out',
      () => sql`DELETE FROM audit_events WHERE event_id = ${eventOf(2)}`,
      /checkpoint 2 was created for 5000 events, but there are 4999/,
    ],
    [
      'an event slipped in',
      () => sql`
        INSERT INTO audit_events (tenant_id, event_id, at, actor, operation, resource, result, detail,
          checkpoint, mac)
        SELECT tenant_id, gen_random_uuid(), at, actor, operation, resource, result, detail, checkpoint, mac
        FROM audit_events WHERE event_id = ${eventOf(1)}`,
      /checkpoint 1 was created for 5000 events, but there are 5001/,
    ],
    [
      'an event moved under another checkpoint',
      () => sql`UPDATE audit_events SET checkpoint = 1 WHERE event_id = ${eventOf(2)}`,
      /but there are 5001/,
    ],
    [
      'a checkpoint and its events taken out',
      () => sql`
        WITH deleted AS (DELETE FROM audit_checkpoints WHERE tenant_id = ${hub.tenantId} AND checkpoint = 2)
        DELETE FROM audit_events WHERE tenant_id = ${hub.tenantId} AND checkpoint = 2`,
      /checkpoints 2 to 2 are missing/,
    ],
    [
      'the last checkpoints taken out',
      () => sql`DELETE FROM audit_checkpoints WHERE tenant_id = ${hub.tenantId} AND checkpoint > 2`,
      /the last checkpoints were removed/,
    ],
    [
      'a checkpoint taken from an old event, to write it anew',
      () => sql`
        UPDATE audit_events SET checkpoint = NULL, mac = NULL, at = now() - interval '1 hour'
        WHERE event_id = ${eventOf(2)}`,
      /1 events have no checkpoint/,
    ],
  ];

  test.each(ways)('detects a change: %s', async (_name, tamper, message) => {
    const problems = await problemsAfter(tamper());
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).toMatch(message);
  });

  test('accepts no checkpoint without the key', async () => {
    const foreign = createAuditCheckpoints(db, Buffer.alloc(32), () => undefined);
    const undone = new Error('undone');
    let problems: string[] = [];
    await transact(db, async (tx) => {
      const changed = await row(
        tx,
        sql<{ event_id: string }>`
          UPDATE audit_events SET detail = '{}' WHERE event_id = ${eventOf(1)} RETURNING event_id`,
      );
      await foreign.renew(tx, hub.tenantId, [changed?.event_id ?? '']);
      problems = (await checkAudit(tx, key)).problems;
      throw undone;
    }).catch((error: unknown) => {
      if (error !== undone) throw error;
    });
    expect(problems).toHaveLength(1);
  });
});

describe('legitimate changes of the hub', () => {
  beforeEach(() => checkpoints.advance());

  test('verifies after the erasure of a user', async () => {
    const decided = await hub.console('POST', '/overrides', {
      body: {
        match: { name: 'x' },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'subscriber', subscriber_id: 'somebody@example.com' },
      },
    });
    expect(decided.status).toBe(201);
    await checkpoints.advance();
    const erased = await hub.console('POST', '/people/somebody%40example.com/erase', { body: {} });
    expect(erased.status).toBe(200);
    const remaining = await rows(
      db,
      sql`SELECT 1 FROM audit_events WHERE detail::text LIKE '%somebody@example.com%'`,
    );
    expect(remaining).toEqual([]);
    expect((await checkAudit(db, key)).problems).toEqual([]);
  });
});
