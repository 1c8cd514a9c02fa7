// SQL of gateway credentials. A secret is stored as a hash for gateways and sealed for its reveal.
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/audit.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface AppKeyRow {
  key_id: string;
  name: string;
  sealed_secret: string;
  fingerprint: string;
  creator: Actor;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_from: string | null;
  version: number;
  /** Evaluated by the database's clock; for a row just written, by this process's clock. */
  is_expired: boolean;
}

const columns = (moment: RawBuilder<unknown>) => sql`
  key_id, name, sealed_secret, fingerprint, creator, created_at, expires_at, revoked_at,
  last_used_at, last_used_from, version, coalesce(expires_at <= ${moment}, false) AS is_expired`;

const COLUMNS = columns(sql`now()`);

/** Evaluated by this process's clock for a row that was just written: a sharded database rejects now() in RETURNING. */
const written = () => columns(sql`${new Date()}::timestamptz`);

/** Stores when and from where keys were used last: only forward, without a new version. */
export async function recordKeyUses(
  db: Db,
  tenantId: string,
  uses: readonly { key_id: string; at: string; from: string | null }[],
): Promise<void> {
  await sql`
    UPDATE app_keys k SET last_used_at = u.at, last_used_from = u."from"
    FROM json_to_recordset(${JSON.stringify(uses)}::json)
      AS u (key_id uuid, at timestamptz, "from" text)
    WHERE k.tenant_id = ${tenantId} AND k.key_id = u.key_id
      AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`.execute(db);
}

/** Stores a key. Returns null if another key of the app that is not revoked has this name. */
export function insertAppKey(
  tx: Tx,
  place: { tenantId: string; appId: string },
  key: {
    key_id: string;
    name: string;
    name_folded: string;
    secret_hash: Buffer;
    sealed_secret: string;
    fingerprint: string;
    creator: Actor;
    expires_at: Date | null;
  },
): Promise<AppKeyRow | null> {
  return row(
    tx,
    sql<AppKeyRow>`
      INSERT INTO app_keys (tenant_id, app_id, key_id, name, name_folded, secret_hash,
        sealed_secret, fingerprint, creator, expires_at)
      VALUES (${place.tenantId}, ${place.appId}, ${key.key_id}, ${key.name}, ${key.name_folded},
        ${key.secret_hash}, ${key.sealed_secret}, ${key.fingerprint},
        ${JSON.stringify(key.creator)}::jsonb, ${key.expires_at})
      ON CONFLICT (tenant_id, app_id, name_folded) WHERE revoked_at IS NULL DO NOTHING
      RETURNING ${written()}`,
  );
}

export function selectAppKey(
  db: Db,
  tenantId: string,
  appId: string,
  keyId: string,
): Promise<AppKeyRow | null> {
  return row(
    db,
    sql<AppKeyRow>`
      SELECT ${COLUMNS} FROM app_keys
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND key_id = ${keyId}`,
  );
}

/** Returns a key by its id alone. */
export function selectKeyOfAnyApp(
  db: Db,
  tenantId: string,
  keyId: string,
): Promise<(AppKeyRow & { app_id: string }) | null> {
  return row(
    db,
    sql<AppKeyRow & { app_id: string }>`
      SELECT app_id, ${COLUMNS} FROM app_keys WHERE tenant_id = ${tenantId} AND key_id = ${keyId}`,
  );
}

/** Returns whether a key of the tenant has this hash and is neither revoked nor expired. */
export async function hasActiveKey(db: Db, tenantId: string, hash: Buffer): Promise<boolean> {
  const key = await row(
    db,
    sql`
      SELECT 1 FROM app_keys WHERE tenant_id = ${tenantId} AND secret_hash = ${hash}
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  );
  return key !== null;
}

export function selectAppKeys(
  db: Db,
  tenantId: string,
  appId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(AppKeyRow & { sort_key: string })[]> {
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(created_at, key_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  return rows(
    db,
    sql<AppKeyRow & { sort_key: string }>`
      SELECT ${COLUMNS}, created_at::text AS sort_key FROM app_keys
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND ${beyond}
      ORDER BY created_at, key_id LIMIT ${limit}`,
  );
}

/** Updates a key. Returns null if another writer was faster. */
export function updateAppKeyExpiry(
  tx: Tx,
  tenantId: string,
  before: AppKeyRow,
  expiresAt: Date | null,
): Promise<AppKeyRow | null> {
  return row(
    tx,
    sql<AppKeyRow>`
      UPDATE app_keys SET expires_at = ${expiresAt}, version = version + 1
      WHERE tenant_id = ${tenantId} AND key_id = ${before.key_id} AND version = ${before.version}
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      RETURNING ${written()}`,
  );
}

/** Revokes a key and frees its name. Returns null if another writer was faster. */
export function revokeAppKey(
  tx: Tx,
  tenantId: string,
  before: AppKeyRow,
): Promise<AppKeyRow | null> {
  return row(
    tx,
    sql<AppKeyRow>`
      UPDATE app_keys SET revoked_at = now(), version = version + 1
      WHERE tenant_id = ${tenantId} AND key_id = ${before.key_id} AND version = ${before.version}
        AND revoked_at IS NULL
      RETURNING ${written()}`,
  );
}

/** Returns those of these apps that have an active key. */
export async function selectAppsWithKey(
  db: Db,
  tenantId: string,
  appIds: readonly string[],
): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ app_id: string }>`
      SELECT DISTINCT app_id FROM app_keys
      WHERE tenant_id = ${tenantId} AND app_id = ANY (${appIds}::uuid[]) AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())`,
  );
  return new Set(found.map(({ app_id }) => app_id));
}

export interface AppKeyDoc {
  key_id: string;
  app_id: string;
  secret_hash: Buffer;
  expires_at: Date | null;
}

/** Returns the keys that are not revoked. */
export function selectAppKeyDocs(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<AppKeyDoc[]> {
  return rows(
    db,
    sql<AppKeyDoc>`
      SELECT key_id, app_id, secret_hash, expires_at FROM app_keys
      WHERE tenant_id = ${tenantId} AND key_id = ANY (${ids}::uuid[]) AND revoked_at IS NULL`,
  );
}
