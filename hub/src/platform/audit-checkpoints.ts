// An audit trail that shows tampering. Every minute the events of a tenant that have no checkpoint yet come under its
// next one. An event's mac is over its content, a checkpoint's over the one before and over the ids of its events: a changed
// event, one that is gone, one that was slipped in and a checkpoint that is missing are all found by who has the
// installation's key, which the database holds only encrypted. Off the write's own path, for a checkpoint in each write
// would make the writes of a tenant wait for each other.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx, transact } from './db/database.ts';

/** Events under one checkpoint, and read at a time. */
const EVENTS_AT_ONCE = 5_000;
/** After this time an event without a checkpoint is told of: no hub has run, or somebody took its checkpoint away. */
const OPEN_FOR_MINUTES = 15;

export interface AuditCheckpoints {
  /** Gathers what is new, of all tenants. Safe to run in several hubs at once: one wins, the others do it next time. */
  advance(): Promise<void>;
  /** After a lawful change of events, in its own transaction. */
  renew(tx: Tx, tenantId: string, eventIds: readonly string[]): Promise<void>;
}

/** The last checkpoint of a tenant: whoever keeps it elsewhere also finds out that the end of a trail was cut off. */
export interface CheckpointHead {
  tenant_id: string;
  checkpoint: number;
  mac: string;
}

export interface AuditFindings {
  events: number;
  checkpoints: number;
  heads: CheckpointHead[];
  /** One line each; empty where nothing was tampered with. */
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

/** `told` hears of each new head: a log that leaves the machine then holds it. */
export function createAuditCheckpoints(
  db: Db,
  key: Buffer,
  told: (head: CheckpointHead & { events: number }) => void,
): AuditCheckpoints {
  // Made once: of a buffer Node makes one anew for each mac, which costs five times what the mac itself does.
  const secret = createSecretKey(key);
  return {
    async advance() {
      for (const { tenant_id: tenantId } of await selectOpenTenants(db)) {
        for (;;) {
          const made = await transact(db, (tx) => addNext(tx, secret, tenantId));
          if (made === null) break;
          told(made);
          if (made.events < EVENTS_AT_ONCE) break;
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
  // Locked: an erasure that changes one meanwhile would leave the mac of what it was.
  const events = await selectEvents(
    tx,
    tenantId,
    sql`checkpoint IS NULL ORDER BY at, event_id LIMIT ${EVENTS_AT_ONCE} FOR UPDATE`,
  );
  if (events.length === 0) return null;
  const mac = macOfCheckpoint(key, {
    tenantId,
    checkpoint,
    before: last?.mac ?? null,
    ids: events.map((event) => event.event_id),
  });
  const taken = await row(
    tx,
    sql`
      INSERT INTO audit_checkpoints (tenant_id, checkpoint, made_at, events, mac)
      VALUES (${tenantId}, ${checkpoint}, now(), ${events.length}, ${mac})
      ON CONFLICT (tenant_id, checkpoint) DO NOTHING RETURNING checkpoint`,
  );
  // Another hub was first.
  if (taken === null) return null;
  await updateMacs(
    tx,
    tenantId,
    events.map((event) => ({ ...event, checkpoint })),
    key,
  );
  return { tenant_id: tenantId, checkpoint, mac: mac.toString('hex'), events: events.length };
}

/**
 * Reads the whole trail of all tenants, an event once, and says what does not fit. `asOf`: when a trail was copied that
 * no hub goes on with.
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
    await checkTenant({ db, key: secret, asOf }, tenantId, findings);
  }
  return findings;
}

async function checkTenant(
  { db, key, asOf }: { db: Db; key: KeyObject; asOf: Date | null },
  tenantId: string,
  findings: AuditFindings,
): Promise<void> {
  const tell = (problem: string) => findings.problems.push(`tenant ${tenantId}: ${problem}`);
  let before: Buffer | null = null;
  let expected = 1;
  for (;;) {
    const checkpoints: StoredCheckpoint[] = await rows(
      db,
      sql<StoredCheckpoint>`
        SELECT checkpoint, events, mac FROM audit_checkpoints
        WHERE tenant_id = ${tenantId} AND checkpoint >= ${expected} ORDER BY checkpoint LIMIT 500`,
    );
    if (checkpoints.length === 0) break;
    for (const one of checkpoints) {
      findings.checkpoints++;
      if (one.checkpoint !== expected)
        tell(`checkpoints ${expected} to ${one.checkpoint - 1} are gone`);
      const events = await selectEvents(
        db,
        tenantId,
        sql`checkpoint = ${one.checkpoint} ORDER BY event_id LIMIT ${EVENTS_AT_ONCE * 2}`,
      );
      findings.events += events.length;
      const ids = events.map((event) => event.event_id);
      const fits = macOfCheckpoint(key, { tenantId, checkpoint: one.checkpoint, before, ids });
      if (!isSame(fits, one.mac)) {
        tell(
          events.length === one.events
            ? `checkpoint ${one.checkpoint} does not fit its events or the checkpoint before it`
            : `checkpoint ${one.checkpoint} was set on ${one.events} events, there are ${events.length}`,
        );
      }
      for (const event of events) {
        if (!isSame(macOfEvent(key, tenantId, event), event.mac)) {
          tell(`event ${event.event_id} is not as it was written`);
        }
      }
      before = one.mac;
      expected = one.checkpoint + 1;
    }
  }
  if (before !== null) {
    findings.heads.push({
      tenant_id: tenantId,
      checkpoint: expected - 1,
      mac: before.toString('hex'),
    });
  }
  const loose = await row(
    db,
    sql<{ overdue: number; strange: number; waiting: number }>`
      SELECT count(*) FILTER (WHERE checkpoint IS NULL) AS waiting,
        count(*) FILTER (WHERE checkpoint IS NULL
          AND at < coalesce(${asOf}::timestamptz, now()) - make_interval(mins => ${OPEN_FOR_MINUTES})) AS overdue,
        count(*) FILTER (WHERE checkpoint >= ${expected} OR checkpoint < 1) AS strange
      FROM audit_events
      WHERE tenant_id = ${tenantId} AND (checkpoint IS NULL OR checkpoint >= ${expected} OR checkpoint < 1)`,
  );
  findings.events += (loose?.waiting ?? 0) + (loose?.strange ?? 0);
  if (loose !== null && loose.strange > 0) {
    tell(
      `${loose.strange} events name a checkpoint that is not there: the end of the checkpoints was cut off`,
    );
  }
  if (loose !== null && loose.overdue > 0) {
    tell(`${loose.overdue} events have no checkpoint, though older than ${OPEN_FOR_MINUTES} min`);
  }
}

function selectOpenTenants(db: Db): Promise<{ tenant_id: string }[]> {
  return rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT DISTINCT tenant_id FROM audit_events WHERE checkpoint IS NULL ORDER BY tenant_id`,
  );
}

/** The content as PostgreSQL writes it, in which a jsonb has one spelling only. */
function selectEvents(
  db: Db,
  tenantId: string,
  which: ReturnType<typeof sql>,
): Promise<StoredEvent[]> {
  return rows(
    db,
    sql<StoredEvent>`
      SELECT event_id, checkpoint, mac,
        jsonb_build_array(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), actor,
          operation, resource, result, request_id, detail, management)::text AS content
      FROM audit_events WHERE tenant_id = ${tenantId} AND ${which}`,
  );
}

async function updateMacs(
  tx: Tx,
  tenantId: string,
  events: readonly StoredEvent[],
  key: KeyObject,
): Promise<void> {
  if (events.length === 0) return;
  const made = events.map((event) => ({
    event_id: event.event_id,
    checkpoint: event.checkpoint,
    mac: macOfEvent(key, tenantId, event).toString('hex'),
  }));
  await sql`
    UPDATE audit_events SET checkpoint = made.checkpoint, mac = decode(made.mac, 'hex')
    FROM json_to_recordset(${JSON.stringify(made)}::json) AS made(event_id uuid, checkpoint bigint, mac text)
    WHERE audit_events.tenant_id = ${tenantId} AND audit_events.event_id = made.event_id`.execute(
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
  of: { tenantId: string; checkpoint: number; before: Buffer | null; ids: readonly string[] },
): Buffer {
  const { tenantId, checkpoint, before, ids } = of;
  return createHmac('sha256', key)
    .update(
      JSON.stringify([
        'checkpoint',
        tenantId,
        checkpoint,
        before?.toString('hex') ?? null,
        [...ids].sort(),
      ]),
    )
    .digest();
}

function isSame(wanted: Buffer, found: Buffer | null): boolean {
  return found !== null && found.length === wanted.length && timingSafeEqual(found, wanted);
}
