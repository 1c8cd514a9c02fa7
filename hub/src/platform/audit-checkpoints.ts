// Tamper-evident audit trail. Every minute, new events of a tenant are covered by its next checkpoint. An event's MAC covers
// its content; a checkpoint's MAC covers the previous checkpoint and the ids of its events. A changed, removed or inserted
// event and a missing checkpoint are detected with the installation's key, which the database stores only encrypted.
// Checkpoints are created outside of writes, because writes of a tenant would otherwise wait for each other.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx, transact } from './db/database.ts';

/** Maximum of events per checkpoint. */
const EVENTS_PER_CHECKPOINT = 5_000;
/** After this time an event without a checkpoint is reported: no hub was running, or its checkpoint was removed. */
const OVERDUE_MINUTES = 15;

export interface AuditCheckpoints {
  /** Creates checkpoints for new events of all tenants. Several hubs may run it at once; a single hub wins. */
  advance(): Promise<void>;
  /** Renews the MACs after a legitimate change of events, in the transaction of the change. */
  renew(tx: Tx, tenantId: string, eventIds: readonly string[]): Promise<void>;
}

/** The last checkpoint of a tenant. Stored elsewhere, it also reveals the removal of the newest events. */
export interface CheckpointHead {
  tenant_id: string;
  checkpoint: number;
  mac: string;
}

export interface AuditFindings {
  events: number;
  checkpoints: number;
  heads: CheckpointHead[];
  /** A line for each problem; empty without tampering. */
  problems: string[];
}

interface StoredEvent {
  event_id: string;
  checkpoint: number | null;
  mac: Buffer | null;
  content: string;
}
interface StoredCheckpoint {
  checkpoint: number;
  events: number;
  mac: Buffer;
}

/** Returns the checkpoint writer. `onHead` is called for each new head, for example to log it outside of this machine. */
export function createAuditCheckpoints(
  db: Db,
  key: Buffer,
  onHead: (head: CheckpointHead & { events: number }) => void,
): AuditCheckpoints {
  // The key object is created once. Creating it for each MAC would cost five times as much as the MAC itself.
  const secret = createSecretKey(key);
  return {
    async advance() {
      for (const { tenant_id: tenantId } of await selectOpenTenants(db)) {
        for (;;) {
          const head = await transact(db, (tx) => addNext(tx, secret, tenantId));
          if (head === null) break;
          onHead(head);
          if (head.events < EVENTS_PER_CHECKPOINT) break;
        }
      }
    },
    async renew(tx, tenantId, eventIds) {
      if (eventIds.length === 0) return;
      const changed = await selectEvents(
        tx,
        tenantId,
        sql`checkpoint IS NOT NULL AND event_id = ANY (${eventIds}::uuid[])`,
      );
      await updateMacs(tx, tenantId, changed, secret);
    },
  };
}

async function addNext(
  tx: Tx,
  key: KeyObject,
  tenantId: string,
): Promise<(CheckpointHead & { events: number }) | null> {
  const last = await row(
    tx,
    sql<StoredCheckpoint>`
      SELECT checkpoint, events, mac FROM audit_checkpoints WHERE tenant_id = ${tenantId}
      ORDER BY checkpoint DESC LIMIT 1`,
  );
  const checkpoint = (last?.checkpoint ?? 0) + 1;
  // Events are locked, because a concurrent erasure would leave the MAC of the former content.
  const events = await selectEvents(
    tx,
    tenantId,
    sql`checkpoint IS NULL ORDER BY at, event_id LIMIT ${EVENTS_PER_CHECKPOINT} FOR UPDATE`,
  );
  if (events.length === 0) return null;
  const mac = macOfCheckpoint(key, {
    tenantId,
    checkpoint,
    previous: last?.mac ?? null,
    ids: events.map((event) => event.event_id),
  });
  const inserted = await row(
    tx,
    sql`
      INSERT INTO audit_checkpoints (tenant_id, checkpoint, made_at, events, mac)
      VALUES (${tenantId}, ${checkpoint}, now(), ${events.length}, ${mac})
      ON CONFLICT (tenant_id, checkpoint) DO NOTHING RETURNING checkpoint`,
  );
  // Another hub has created the checkpoint.
  if (inserted === null) return null;
  await updateMacs(
    tx,
    tenantId,
    events.map((event) => ({ ...event, checkpoint })),
    key,
  );
  return { tenant_id: tenantId, checkpoint, mac: mac.toString('hex'), events: events.length };
}

/**
 * Checks the complete trail of all tenants, reading each event once. `asOf` is the time of the copy for a trail that no hub
 * continues.
 */
export async function checkAudit(
  db: Db,
  key: Buffer,
  asOf: Date | null = null,
): Promise<AuditFindings> {
  const secret = createSecretKey(key);
  const findings: AuditFindings = { events: 0, checkpoints: 0, heads: [], problems: [] };
  const tenants = await rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT tenant_id FROM audit_checkpoints UNION SELECT tenant_id FROM audit_events ORDER BY tenant_id`,
  );
  for (const { tenant_id: tenantId } of tenants) {
    const report = (problem: string) => findings.problems.push(`tenant ${tenantId}: ${problem}`);
    await checkTenant({ db, key: secret, asOf, tenantId, findings, report });
  }
  return findings;
}

interface TenantCheck {
  db: Db;
  key: KeyObject;
  asOf: Date | null;
  tenantId: string;
  findings: AuditFindings;
  report(problem: string): void;
}

async function checkTenant(check: TenantCheck): Promise<void> {
  const { db, tenantId, findings } = check;
  let previous: Buffer | null = null;
  let expected = 1;
  for (;;) {
    const checkpoints: StoredCheckpoint[] = await rows(
      db,
      sql<StoredCheckpoint>`
        SELECT checkpoint, events, mac FROM audit_checkpoints
        WHERE tenant_id = ${tenantId} AND checkpoint >= ${expected} ORDER BY checkpoint LIMIT 500`,
    );
    if (checkpoints.length === 0) break;
    for (const stored of checkpoints) {
      if (stored.checkpoint !== expected) {
        check.report(`checkpoints ${expected} to ${stored.checkpoint - 1} are missing`);
      }
      await checkCheckpoint(check, stored, previous);
      previous = stored.mac;
      expected = stored.checkpoint + 1;
    }
  }
  if (previous !== null) {
    findings.heads.push({
      tenant_id: tenantId,
      checkpoint: expected - 1,
      mac: previous.toString('hex'),
    });
  }
  await checkLooseEvents(check, expected);
}

async function checkCheckpoint(
  { db, key, tenantId, findings, report }: TenantCheck,
  { checkpoint, events: count, mac }: StoredCheckpoint,
  previous: Buffer | null,
): Promise<void> {
  findings.checkpoints++;
  const events = await selectEvents(
    db,
    tenantId,
    sql`checkpoint = ${checkpoint} ORDER BY event_id LIMIT ${EVENTS_PER_CHECKPOINT * 2}`,
  );
  findings.events += events.length;
  const ids = events.map((event) => event.event_id);
  const expectedMac = macOfCheckpoint(key, { tenantId, checkpoint, previous, ids });
  if (!isEqual(expectedMac, mac)) {
    report(
      events.length === count
        ? `checkpoint ${checkpoint} does not match its events or the previous checkpoint`
        : `checkpoint ${checkpoint} was created for ${count} events, but there are ${events.length}`,
    );
  }
  for (const event of events) {
    if (!isEqual(macOfEvent(key, tenantId, event), event.mac)) {
      report(`event ${event.event_id} was changed`);
    }
  }
}

/** Checks events without a checkpoint, and events of checkpoints beyond the last. */
async function checkLooseEvents(
  { db, asOf, tenantId, findings, report }: TenantCheck,
  nextCheckpoint: number,
): Promise<void> {
  const loose = await row(
    db,
    sql<{ overdue: number; orphaned: number; waiting: number }>`
      SELECT count(*) FILTER (WHERE checkpoint IS NULL) AS waiting,
        count(*) FILTER (WHERE checkpoint IS NULL
          AND at < coalesce(${asOf}::timestamptz, now()) - make_interval(mins => ${OVERDUE_MINUTES})) AS overdue,
        count(*) FILTER (WHERE checkpoint >= ${nextCheckpoint} OR checkpoint < 1) AS orphaned
      FROM audit_events
      WHERE tenant_id = ${tenantId}
        AND (checkpoint IS NULL OR checkpoint >= ${nextCheckpoint} OR checkpoint < 1)`,
  );
  if (loose === null) return;
  const { overdue, orphaned, waiting } = loose;
  findings.events += waiting + orphaned;
  if (orphaned > 0) {
    report(`${orphaned} events refer to a missing checkpoint: the last checkpoints were removed`);
  }
  if (overdue > 0) {
    report(`${overdue} events have no checkpoint, though older than ${OVERDUE_MINUTES} min`);
  }
}

function selectOpenTenants(db: Db): Promise<{ tenant_id: string }[]> {
  return rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT DISTINCT tenant_id FROM audit_events WHERE checkpoint IS NULL ORDER BY tenant_id`,
  );
}

/** Selects events with their content in PostgreSQL's text format, in which a jsonb has a single spelling. */
function selectEvents(
  db: Db,
  tenantId: string,
  condition: ReturnType<typeof sql>,
): Promise<StoredEvent[]> {
  return rows(
    db,
    sql<StoredEvent>`
      SELECT event_id, checkpoint, mac,
        jsonb_build_array(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), actor,
          operation, resource, result, request_id, detail, management)::text AS content
      FROM audit_events WHERE tenant_id = ${tenantId} AND ${condition}`,
  );
}

async function updateMacs(
  tx: Tx,
  tenantId: string,
  events: readonly StoredEvent[],
  key: KeyObject,
): Promise<void> {
  if (events.length === 0) return;
  const macs = events.map((event) => ({
    event_id: event.event_id,
    checkpoint: event.checkpoint,
    mac: macOfEvent(key, tenantId, event).toString('hex'),
  }));
  await sql`
    UPDATE audit_events SET checkpoint = macs.checkpoint, mac = decode(macs.mac, 'hex')
    FROM json_to_recordset(${JSON.stringify(macs)}::json) AS macs(event_id uuid, checkpoint bigint, mac text)
    WHERE audit_events.tenant_id = ${tenantId} AND audit_events.event_id = macs.event_id`.execute(
    tx,
  );
}

function macOfEvent(key: KeyObject, tenantId: string, event: StoredEvent): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(['event', tenantId, event.event_id, event.checkpoint, event.content]))
    .digest();
}

function macOfCheckpoint(
  key: KeyObject,
  content: {
    tenantId: string;
    checkpoint: number;
    previous: Buffer | null;
    ids: readonly string[];
  },
): Buffer {
  const { tenantId, checkpoint, previous, ids } = content;
  return createHmac('sha256', key)
    .update(
      JSON.stringify([
        'checkpoint',
        tenantId,
        checkpoint,
        previous?.toString('hex') ?? null,
        [...ids].sort(),
      ]),
    )
    .digest();
}

function isEqual(expected: Buffer, actual: Buffer | null): boolean {
  return actual !== null && actual.length === expected.length && timingSafeEqual(actual, expected);
}
