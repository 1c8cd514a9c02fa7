// SQL of management keys. Secrets are looked up by hash in a single query, together with the tenant's opt-in.
import type { Scope } from '@gatewarden/shared/wire/management/common.ts';
import { sql } from 'kysely';
import type { Actor } from '../../../platform/audit.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';
import type { KeyState } from '../auth/index.ts';

export interface KeyRow {
  key_id: string;
  name: string;
  scopes: Scope[];
  fingerprint: string;
  creator: Actor;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_from: string | null;
  version: number;
  /** Evaluated by the database's clock. */
  is_expired: boolean;
}

const COLUMNS = sql`key_id, name, scopes, fingerprint, creator, created_at, expires_at, revoked_at,
  last_used_at, last_used_from, version,
  coalesce(expires_at <= now(), false) AS is_expired`;

/** The state of a key for authentication, in a single query. */
/** Returns the current keys in the order of their hashes; null for a key that was never issued. */
export async function selectKeyStates(
  db: Db,
  secretHashes: readonly Buffer[],
): Promise<(KeyState | null)[]> {
  const found = await rows(
    db,
    sql<KeyState & { hash: Buffer }>`
      ${PREPARED} SELECT k.secret_hash AS hash, k.tenant_id AS "tenantId", k.key_id AS "keyId",
        k.name, k.scopes,
        k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS active,
        coalesce(s.enabled, false) AS "tenantEnabled",
        t.suspended_at IS NOT NULL AS "tenantSuspended"
      FROM management_keys k LEFT JOIN management_settings s ON s.tenant_id = k.tenant_id
      LEFT JOIN tenants t ON t.tenant_id = k.tenant_id
      WHERE k.secret_hash = ANY (${[...new Set(secretHashes)]}::bytea[])`,
  );
  const states = new Map(found.map(({ hash, ...state }) => [hash.toString('hex'), state]));
  return secretHashes.map((hash) => states.get(hash.toString('hex')) ?? null);
}

export async function insertKey(
  tx: Tx,
  tenantId: string,
  key: {
    key_id: string;
    secret_hash: Buffer;
    fingerprint: string;
    name: string;
    scopes: readonly Scope[];
    creator: Actor;
    expires_at: Date | null;
  },
): Promise<KeyRow> {
  const made = await row(
    tx,
    sql<KeyRow>`
      INSERT INTO management_keys
        (tenant_id, key_id, secret_hash, fingerprint, name, scopes, creator, expires_at)
      VALUES (${tenantId}, ${key.key_id}, ${key.secret_hash}, ${key.fingerprint}, ${key.name},
        ${key.scopes}::text[], ${JSON.stringify(key.creator)}::jsonb, ${key.expires_at})
      RETURNING ${COLUMNS}`,
  );
  return made as KeyRow;
}

export function selectKey(db: Db, tenantId: string, keyId: string): Promise<KeyRow | null> {
  return row(
    db,
    sql<KeyRow>`
      SELECT ${COLUMNS} FROM management_keys
      WHERE tenant_id = ${tenantId} AND key_id = ${keyId}`,
  );
}

export function selectKeys(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(KeyRow & { sort_key: string })[]> {
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(created_at, key_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return rows(
    db,
    sql<KeyRow & { sort_key: string }>`
      SELECT ${COLUMNS}, created_at::text AS sort_key FROM management_keys
      WHERE tenant_id = ${tenantId} AND ${beyond}
      ORDER BY created_at, key_id LIMIT ${limit}`,
  );
}

/** Updates a key. Returns null if another writer was faster. */
export function updateKey(
  tx: Tx,
  tenantId: string,
  before: KeyRow,
  after: Pick<KeyRow, 'name' | 'scopes' | 'expires_at'>,
): Promise<KeyRow | null> {
  return row(
    tx,
    sql<KeyRow>`
      UPDATE management_keys SET name = ${after.name}, scopes = ${after.scopes}::text[],
        expires_at = ${after.expires_at}, version = version + 1
      WHERE tenant_id = ${tenantId} AND key_id = ${before.key_id} AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}

/** Revokes a key. Returns null if another writer was faster. */
export function revokeKey(tx: Tx, tenantId: string, before: KeyRow): Promise<KeyRow | null> {
  return row(
    tx,
    sql<KeyRow>`
      UPDATE management_keys SET revoked_at = now(), version = version + 1
      WHERE tenant_id = ${tenantId} AND key_id = ${before.key_id} AND version = ${before.version}
        AND revoked_at IS NULL
      RETURNING ${COLUMNS}`,
  );
}

/** Stores when and from where keys were used last; only forward, without a new version. */
export async function recordUses(
  db: Db,
  uses: readonly { tenant_id: string; key_id: string; at: string; from: string }[],
): Promise<void> {
  await sql`
    UPDATE management_keys k SET last_used_at = u.at, last_used_from = u."from"
    FROM json_to_recordset(${JSON.stringify(uses)}::json)
      AS u (tenant_id uuid, key_id uuid, at timestamptz, "from" text)
    WHERE k.tenant_id = u.tenant_id AND k.key_id = u.key_id
      AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`.execute(db);
}
