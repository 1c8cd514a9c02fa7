// All SQL of what gateway nodes follow.
import type { ConfigurationKind } from '@gatewarden/shared/wire/nodes/configuration.ts';
import { sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';

export interface ItemRow {
  tenant_id: string;
  kind: ConfigurationKind;
  id: string;
  revision: number;
  deleted: boolean;
}

/** Revision, tenant, kind, id: where a follower is. */
export type Position = readonly [string, string, string, string];

/** In commit order, after the position. `tenantId` null: of all tenants. */
export function selectItems(
  db: Db,
  tenantId: string | null,
  after: Position | undefined,
  limit: number,
): Promise<ItemRow[]> {
  const mine = tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`;
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(revision, tenant_id, kind, id) >
          (${after[0]}::bigint, ${after[1]}::uuid, ${after[2]}, ${after[3]})`;
  return rows(
    db,
    sql<ItemRow>`
      SELECT tenant_id, kind, id, revision, deleted FROM configuration_items
      WHERE ${mine} AND ${beyond}
      ORDER BY revision, tenant_id, kind, id LIMIT ${limit}`,
  );
}

export async function insertDelivery(
  db: Db,
  one: { tokenId: string; revision: number; items: number; credentials: number },
): Promise<void> {
  await sql`
    INSERT INTO node_deliveries (token_id, revision, items, credentials)
    VALUES (${one.tokenId}, ${one.revision}, ${one.items}, ${one.credentials})`.execute(db);
}

export async function deleteOldDeliveries(db: Db): Promise<void> {
  await sql`DELETE FROM node_deliveries WHERE at < now() - interval '90 days'`.execute(db);
}
