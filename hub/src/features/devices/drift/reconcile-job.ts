// The job that compares devices which an approval reached without a report: apps that arrived while they were being approved,
// approvals that begin by time, and devices that join a group or change their user. Each run reads everything since the
// previous run and a bit more, so that any hub may run it at any time and nothing is missed after a downtime.
import { sql } from 'kysely';
import {
  type Db,
  readConsistently,
  row,
  rows,
  type Tx,
  transact,
} from '../../../platform/db/database.ts';
import { lockFeed, notify } from '../../../platform/feed/feed.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { resolveSmallAudience, selectApproved } from '../overrides/approvals.ts';
import { selectApprovals } from '../overrides/store.ts';
import type { InstallationFilter } from './baseline-store.ts';
import { findDriftedDevices, recordDriftOfPresent } from './detect.ts';

/**
 * Each run reads this much again. Longer than any transaction of the hub may take to commit a time that it wrote before, and
 * than clocks of hub and database may differ.
 */
const OVERLAP = sql`interval '10 minutes'`;

/** An approved app, and the devices on which it is to be compared. */
interface ReachedApp {
  tenant_id: string;
  entity_id: string;
  filter: InstallationFilter;
}

/**
 * Compares what approvals reached since the previous successful run. Safe to repeat, and for many hubs at once. Calls
 * `driftChanged` in the transaction that records drift. Throws after all others if an app failed; the next run repeats it.
 */
export async function reconcileApprovals(
  db: Db,
  driftChanged: (tx: Tx, tenantId: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const { since, now } = await selectWindow(db);
  const reached = [...(await selectApprovedSince(db, since)), ...(await selectMoved(db, since))];
  await forEachIsolated(reached, 'some approvals were not compared', (app) =>
    reconcileApp(db, app, driftChanged),
  );
  await sql`
    UPDATE installation
    SET reconciled_until = greatest(least(reconciled_until, now()), ${now}::timestamptz)`.execute(
    db,
  );
}

/** Reads first without a lock, because mostly nothing differs and an administrator who decides would wait. */
async function reconcileApp(
  db: Db,
  { tenant_id: tenantId, entity_id: entityId, filter }: ReachedApp,
  driftChanged: (tx: Tx, tenantId: string) => Promise<void>,
): Promise<void> {
  const only = await readConsistently(db, async (tx) => {
    const approvals = await selectApprovals(tx, tenantId, [entityId]);
    const audience = filter.only ?? (await resolveSmallAudience(tx, tenantId, approvals));
    const devices = { ...filter, only: audience };
    return findDriftedDevices(tx, tenantId, entityId, selectApproved, devices);
  });
  if (only.length === 0) return;
  await transact(db, async (tx) => {
    await lockFeed(tx, tenantId, 'governance');
    if (await recordDriftOfPresent(tx, tenantId, entityId, selectApproved, { only })) {
      await driftChanged(tx, tenantId);
      await notify(tx, { kind: 'page', tenant: tenantId, topic: 'applications' });
    }
  });
}

async function selectWindow(db: Db): Promise<{ since: Date; now: Date }> {
  const record = await row(
    db,
    sql<{ since: Date; now: Date }>`
      SELECT least(coalesce(reconciled_until, now()), now()) - ${OVERLAP} AS since, now() AS now
      FROM installation`,
  );
  if (record === null) throw new Error('the database has no installation');
  return record;
}

const IS_APPROVAL = sql`o.approval_status = 'approved' AND NOT o.deleted
  AND o.match ->> 'entity_id' IS NOT NULL`;

/**
 * Returns apps with an approval that was stored since then, for devices that reported a change about that time, and apps with
 * an approval that began by time since then, for all devices.
 */
async function selectApprovedSince(db: Db, since: Date): Promise<ReachedApp[]> {
  const records = await rows(
    db,
    sql<Omit<ReachedApp, 'filter'> & { changed_since: Date | null }>`
      SELECT o.tenant_id, o.match ->> 'entity_id' AS entity_id,
        min(o.updated_at) - ${OVERLAP} AS changed_since
      FROM overrides o WHERE ${IS_APPROVAL} AND o.updated_at > ${since}::timestamptz
      GROUP BY 1, 2
      UNION ALL
      SELECT DISTINCT o.tenant_id, o.match ->> 'entity_id', NULL::timestamptz
      FROM overrides o WHERE ${IS_APPROVAL} AND o.effective_at > ${since}::timestamptz
        AND o.effective_at <= now()`,
  );
  return records.map(({ changed_since, ...app }) => ({ ...app, filter: { since: changed_since } }));
}

/** Returns apps of devices that since then joined a group or changed their user, with approvals for that group or user. */
async function selectMoved(db: Db, since: Date): Promise<ReachedApp[]> {
  const records = await rows(
    db,
    sql<Omit<ReachedApp, 'filter'> & { only: string[] }>`
      SELECT r.tenant_id, r.match ->> 'entity_id' AS entity_id,
        array_agg(DISTINCT r.device_id)::text[] AS only
      FROM (
        SELECT o.tenant_id, o.match, m.device_id FROM device_group_members m
        JOIN overrides o ON o.tenant_id = m.tenant_id AND o.scope_kind = 'group'
          AND o.scope_id = m.group_id::text
        WHERE m.added_at > ${since}::timestamptz AND ${IS_APPROVAL}
        UNION ALL
        SELECT o.tenant_id, o.match, d.device_id FROM devices d
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE d.subscriber_changed_at > ${since}::timestamptz AND ${IS_APPROVAL}
        UNION ALL
        SELECT o.tenant_id, o.match, d.device_id FROM device_tenures t
        JOIN devices d ON d.tenant_id = t.tenant_id AND d.device_id = t.device_id
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE t.until > ${since}::timestamptz AND ${IS_APPROVAL}
      ) r
      JOIN entities e ON e.tenant_id = r.tenant_id AND e.device_id = r.device_id
        AND e.entity_id = decode(r.match ->> 'entity_id', 'hex') AND e.removed_at IS NULL
      GROUP BY 1, 2`,
  );
  return records.map(({ only, ...app }) => ({ ...app, filter: { only } }));
}
