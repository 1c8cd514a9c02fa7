// SQL of SCIM tokens.
import { sql } from 'kysely';
import type { Actor } from '../../../platform/audit.ts';
import { type Db, row, rows, type Tx, writeIfPossible } from '../../../platform/db/database.ts';
import { newestFirst } from '../../../platform/db/list-conditions.ts';

export interface ScimTokenRecord {
  token_id: string;
  name: string;
  created_at: Date;
  created_by: string | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  expired: boolean;
  sort_key: string;
}

const COLUMNS = sql`
  token_id, name, created_at, creator->>'email' AS created_by, expires_at, revoked_at, last_used_at,
  coalesce(expires_at <= now(), false) AS expired, created_at::text AS sort_key`;

/** Stores a token by its hash. */
export async function insertScimToken(
  tx: Tx,
  token: {
    tenantId: string;
    tokenId: string;
    hash: Buffer;
    name: string;
    creator: Actor;
    expiresAt: Date | null;
  },
): Promise<void> {
  await sql`
    INSERT INTO scim_tokens (tenant_id, token_id, token_hash, name, creator, expires_at)
    VALUES (${token.tenantId}, ${token.tokenId}, ${token.hash}, ${token.name},
      ${JSON.stringify(token.creator)}::jsonb, ${token.expiresAt})`.execute(tx);
}

/** Returns a page of tokens, newest first. */
export function selectScimTokens(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ScimTokenRecord[]> {
  return rows(
    db,
    sql<ScimTokenRecord>`
      SELECT ${COLUMNS} FROM scim_tokens
      WHERE tenant_id = ${tenantId} AND ${newestFirst(after, 'created_at', 'token_id')}
      ORDER BY created_at DESC, token_id LIMIT ${limit}`,
  );
}

/** Returns a token; null if there is none. */
export function selectScimToken(
  db: Db,
  tenantId: string,
  tokenId: string,
): Promise<ScimTokenRecord | null> {
  return row(
    db,
    sql<ScimTokenRecord>`
      SELECT ${COLUMNS} FROM scim_tokens WHERE tenant_id = ${tenantId} AND token_id = ${tokenId}`,
  );
}

/** Revokes a token. Returns null if it is unknown or was revoked before. */
export function markScimTokenRevoked(
  tx: Tx,
  tenantId: string,
  tokenId: string,
): Promise<{ name: string } | null> {
  return row(
    tx,
    sql<{ name: string }>`
      UPDATE scim_tokens SET revoked_at = now()
      WHERE tenant_id = ${tenantId} AND token_id = ${tokenId} AND revoked_at IS NULL
      RETURNING name`,
  );
}

export interface ScimGrant {
  tenantId: string;
  tokenId: string;
  name: string;
}

/**
 * Returns the grant of a token and records its use; null if it is unknown, revoked or expired, or its tenant is
 * suspended.
 */
export async function useScimToken(db: Db, hash: Buffer): Promise<ScimGrant | null> {
  const token = await row(
    db,
    sql<ScimGrant & { isUseStale: boolean }>`
      SELECT s.tenant_id AS "tenantId", s.token_id AS "tokenId", s.name,
        s.last_used_at IS NULL OR s.last_used_at < now() - interval '1 minute' AS "isUseStale"
      FROM scim_tokens s JOIN tenants t ON t.tenant_id = s.tenant_id
      WHERE s.token_hash = ${hash} AND s.revoked_at IS NULL AND t.suspended_at IS NULL
        AND (s.expires_at IS NULL OR s.expires_at > now())`,
  );
  if (token === null) return null;
  const { isUseStale, ...grant } = token;
  if (isUseStale) {
    await writeIfPossible(
      sql`
        UPDATE scim_tokens SET last_used_at = now()
        WHERE tenant_id = ${grant.tenantId} AND token_id = ${grant.tokenId}`.execute(db),
    );
  }
  return grant;
}
