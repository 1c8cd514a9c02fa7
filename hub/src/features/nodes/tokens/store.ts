// All SQL of node tokens.
import { sql } from 'kysely';
import { type Db, row } from '../../../platform/db/database.ts';

export async function insertNodeToken(
  db: Db,
  one: { tokenId: string; hash: Buffer; tenantId: string | null; name: string },
): Promise<void> {
  await sql`
    INSERT INTO node_tokens (token_id, token_hash, tenant_id, name)
    VALUES (${one.tokenId}, ${one.hash}, ${one.tenantId}, ${one.name})`.execute(db);
}

/** Null for one that is unknown, revoked or expired. */
export function selectNodeToken(
  db: Db,
  hash: Buffer,
): Promise<{ tokenId: string; name: string; tenantId: string | null } | null> {
  return row(
    db,
    sql<{ tokenId: string; name: string; tenantId: string | null }>`
      SELECT token_id AS "tokenId", name, tenant_id AS "tenantId" FROM node_tokens
      WHERE token_hash = ${hash} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())`,
  );
}

export async function selectNodeName(
  db: Db,
  tenantId: string,
  tokenId: string,
): Promise<string | null> {
  const found = await row(
    db,
    sql<{ name: string }>`
      SELECT name FROM node_tokens WHERE token_id = ${tokenId} AND tenant_id = ${tenantId}`,
  );
  return found?.name ?? null;
}

/** False where there is none. One that was revoked before stays as it is. */
export async function endNodeToken(db: Db, tokenId: string): Promise<boolean> {
  const ended = await row(
    db,
    sql`
      UPDATE node_tokens SET revoked_at = coalesce(revoked_at, now())
      WHERE token_id = ${tokenId} RETURNING 1`,
  );
  return ended !== null;
}
