// SQL of log export keys. A key is looked up by hash in a single query, together with the state of its tenant.
import type { ExportScope } from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Actor } from '../../../platform/audit.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface ExportKeyRow {
  tenant_id: string;
  key_id: string;
  scope: ExportScope;
  app_id: string | null;
  backend_id: string | null;
  sealed_secret: string;
  fingerprint: string;
  name: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  read_up_to: Date | null;
  version: number;
  /** Evaluated by the clock of the database. */
  is_expired: boolean;
}

const COLUMNS = sql`k.tenant_id, key_id, scope, app_id, backend_id, sealed_secret, fingerprint,
  k.name, k.created_at, expires_at, revoked_at, last_used_at, read_up_to, version,
  coalesce(expires_at <= now(), false) AS is_expired`;

/** Returns a key in any state, with the state of its tenant. */
export function selectKeyByHash(
  db: Db,
  hash: Buffer,
): Promise<(ExportKeyRow & { is_suspended: boolean }) | null> {
  return row(
    db,
    sql<ExportKeyRow & { is_suspended: boolean }>`
      SELECT ${COLUMNS}, t.suspended_at IS NOT NULL AS is_suspended
      FROM log_export_keys k JOIN tenants t ON t.tenant_id = k.tenant_id
      WHERE secret_hash = ${hash}`,
  );
}

/** Stores a key. */
export async function insertExportKey(
  tx: Tx,
  key: Pick<
    ExportKeyRow,
    | 'tenant_id'
    | 'key_id'
    | 'scope'
    | 'app_id'
    | 'backend_id'
    | 'sealed_secret'
    | 'fingerprint'
    | 'name'
    | 'expires_at'
  > & { secret_hash: Buffer; creator: Actor },
): Promise<ExportKeyRow> {
  const inserted = await row(
    tx,
    sql<ExportKeyRow>`
      INSERT INTO log_export_keys AS k (tenant_id, key_id, scope, app_id, backend_id, secret_hash,
        sealed_secret, fingerprint, name, creator, expires_at)
      VALUES (${key.tenant_id}, ${key.key_id}, ${key.scope}, ${key.app_id}, ${key.backend_id},
        ${key.secret_hash}, ${key.sealed_secret}, ${key.fingerprint}, ${key.name},
        ${JSON.stringify(key.creator)}::jsonb, ${key.expires_at})
      RETURNING ${COLUMNS}`,
  );
  return inserted as ExportKeyRow;
}

/** Returns a key of the tenant; null if there is none. */
export function selectExportKey(
  db: Db,
  tenantId: string,
  keyId: string,
): Promise<ExportKeyRow | null> {
  return row(
    db,
    sql<ExportKeyRow>`
      SELECT ${COLUMNS} FROM log_export_keys k
      WHERE k.tenant_id = ${tenantId} AND key_id = ${keyId}`,
  );
}

/** Returns a key of any tenant: commands of the operator name the key alone. */
export function selectKeyOfAnyTenant(db: Db, keyId: string): Promise<ExportKeyRow | null> {
  return row(
    db,
    sql<ExportKeyRow>`SELECT ${COLUMNS} FROM log_export_keys k WHERE key_id = ${keyId}`,
  );
}

/** Returns a page of keys, oldest first. */
export function selectExportKeys(
  db: Db,
  tenantId: string | null,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(ExportKeyRow & { sort_key: string })[]> {
  const ofTenant = tenantId === null ? sql`true` : sql`k.tenant_id = ${tenantId}`;
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(k.created_at, key_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return rows(
    db,
    sql<ExportKeyRow & { sort_key: string }>`
      SELECT ${COLUMNS}, k.created_at::text AS sort_key FROM log_export_keys k
      WHERE ${ofTenant} AND ${beyond} ORDER BY k.created_at, key_id LIMIT ${limit}`,
  );
}

/** Returns the newest active key of the scope; null if there is none. */
export function selectActiveKey(
  db: Db,
  tenantId: string,
  scope: ExportScope,
  backendId: string | null,
): Promise<ExportKeyRow | null> {
  return row(
    db,
    sql<ExportKeyRow>`
      SELECT ${COLUMNS} FROM log_export_keys k
      WHERE k.tenant_id = ${tenantId} AND scope = ${scope}
        AND backend_id IS NOT DISTINCT FROM ${backendId} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())
      ORDER BY k.created_at DESC, key_id DESC LIMIT 1`,
  );
}

/** Revokes a key. Returns null if another writer was faster. */
export function revokeExportKey(tx: Tx, before: ExportKeyRow): Promise<ExportKeyRow | null> {
  return row(
    tx,
    sql<ExportKeyRow>`
      UPDATE log_export_keys k SET revoked_at = now(), version = version + 1
      WHERE k.tenant_id = ${before.tenant_id} AND key_id = ${before.key_id}
        AND version = ${before.version} AND revoked_at IS NULL
      RETURNING ${COLUMNS}`,
  );
}

export interface ReadMark {
  tenant_id: string;
  key_id: string;
  at: string;
  read_up_to: string;
}

/** Stores when keys were used last and up to where they have read, without a new version. */
export async function recordReads(db: Db, marks: readonly ReadMark[]): Promise<void> {
  await sql`
    UPDATE log_export_keys k SET last_used_at = m.at, read_up_to = m.read_up_to
    FROM json_to_recordset(${JSON.stringify(marks)}::json)
      AS m (tenant_id uuid, key_id uuid, at timestamptz, read_up_to timestamptz)
    WHERE k.tenant_id = m.tenant_id AND k.key_id = m.key_id
      AND (k.last_used_at IS NULL OR k.last_used_at <= m.at)`.execute(db);
}

/**
 * Returns collectors of the last day, the furthest behind first. A scrape of metrics calls it, so the statement is not
 * counted.
 */
export async function selectLaggingKeys(
  pool: pg.Pool,
  limit: number,
): Promise<{ fingerprint: string; scope: ExportScope; seconds: number }[]> {
  const result = await pool.query<{ fingerprint: string; scope: ExportScope; seconds: number }>(
    `SELECT fingerprint, scope,
       greatest(0, extract(epoch FROM now() - interval '15 minutes' - read_up_to))::float8 AS seconds
     FROM log_export_keys
     WHERE revoked_at IS NULL AND read_up_to IS NOT NULL
       AND last_used_at > now() - interval '1 day'
     ORDER BY read_up_to LIMIT $1`,
    [limit],
  );
  return result.rows;
}
