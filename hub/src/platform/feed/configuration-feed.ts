// Feed of configuration changes for gateway nodes: a single counter for the installation, because a node may serve all
// tenants. The lock on its row makes numbers appear in commit order. It must be taken last, because every writer waits for
// it.
import { sql } from 'kysely';
import { row, type Tx } from '../db/database.ts';
import { PREPARED } from '../db/prepared-statements.ts';
import { CHANNEL } from './notifications.ts';

export const CONFIGURATION_TOPIC = 'configuration';
export type ItemKind =
  | 'settings'
  | 'provider'
  | 'app'
  | 'key'
  | 'prompt'
  | 'smart_group'
  | 'custom_definition'
  | 'category';

export interface ChangedItem {
  kind: ItemKind;
  id: string;
  deleted?: boolean;
}

/** Numbers the changes and notifies every hub process when the transaction commits. Returns the number. */
export async function announceConfiguration(
  tx: Tx,
  tenantId: string,
  items: readonly ChangedItem[],
): Promise<number> {
  const n = await advanceFeed(tx, tenantId);
  await sql`
    ${PREPARED} INSERT INTO configuration_items (tenant_id, kind, id, revision, deleted)
    SELECT ${tenantId}::uuid, kind, id, ${n}::bigint, deleted
    FROM json_to_recordset(${JSON.stringify(
      items.map(({ kind, id, deleted }) => ({ kind, id, deleted: deleted === true })),
    )}::json) AS changed (kind text, id text, deleted boolean)
    ON CONFLICT (tenant_id, kind, id)
    DO UPDATE SET revision = excluded.revision, deleted = excluded.deleted`.execute(tx);
  return n;
}

/**
 * Announces the tenant's complete configuration again, because its suspension begins or ends: nodes of all tenants remove or
 * restore it.
 */
export async function announceTenantConfiguration(tx: Tx, tenantId: string): Promise<void> {
  const n = await advanceFeed(tx, tenantId);
  await sql`
    UPDATE configuration_items SET revision = ${n}::bigint
    WHERE tenant_id = ${tenantId}`.execute(tx);
}

/** Takes the next number of the feed and notifies every hub process when the transaction commits. */
async function advanceFeed(tx: Tx, tenantId: string): Promise<number> {
  const page = { kind: 'page', tenant: tenantId, topic: 'gateway' };
  // The notification is part of the statement that takes the lock, to shorten the time of the lock.
  const advanced = await row(
    tx,
    sql<{ n: number }>`
      ${PREPARED} WITH moved AS (UPDATE configuration_feed SET n = n + 1 WHERE one RETURNING n)
      SELECT n, pg_notify(${CHANNEL}, jsonb_build_object('kind', 'feed', 'tenant', ${tenantId}::text,
        'topic', ${CONFIGURATION_TOPIC}::text, 'n', n)::text),
        pg_notify(${CHANNEL}, ${JSON.stringify(page)}) FROM moved`,
  );
  return advanced?.n ?? 0;
}
