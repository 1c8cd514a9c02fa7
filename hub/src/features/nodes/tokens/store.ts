// All SQL of node tokens.
import { sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';

/** Inserts a token by its hash. */
export async function insertNodeToken(
  db: Db,
  token: { tokenId: string; hash: Buffer; tenantId: string | null; name: string },
): Promise<void> {
  await sql`
    INSERT INTO node_tokens (token_id, token_hash, tenant_id, name)
    VALUES (${token.tokenId}, ${token.hash}, ${token.tenantId}, ${token.name})`.execute(db);
}

interface ActiveNodeToken {
  tokenId: string;
  name: string;
  /** Null: the node serves all tenants. */
  tenantId: string | null;
  isSuspended: boolean;
}

/** Returns a token that was not revoked and has not expired, and whether its tenant is suspended. */
export function selectNodeToken(db: Db, hash: Buffer): Promise<ActiveNodeToken | null> {
  return row(
    db,
    sql<ActiveNodeToken>`
      SELECT n.token_id AS "tokenId", n.name, n.tenant_id AS "tenantId",
        EXISTS (SELECT 1 FROM tenants t
          WHERE t.tenant_id = n.tenant_id AND t.suspended_at IS NOT NULL) AS "isSuspended"
      FROM node_tokens n
      WHERE n.token_hash = ${hash} AND n.revoked_at IS NULL
        AND (n.expires_at IS NULL OR n.expires_at > now())`,
  );
}

export interface NodeTokenRecord {
  token_id: string;
  tenant_id: string | null;
  name: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  expired: boolean;
}

const COLUMNS = sql`
  token_id, tenant_id, name, created_at, expires_at, revoked_at,
  coalesce(expires_at <= now(), false) AS expired`;

/** Returns the tokens of nodes that serve the tenant: its own, and those for all tenants. */
export function selectNodeTokens(db: Db, tenantId: string): Promise<NodeTokenRecord[]> {
  return rows(
    db,
    sql<NodeTokenRecord>`
      SELECT ${COLUMNS} FROM node_tokens WHERE tenant_id = ${tenantId} OR tenant_id IS NULL
      ORDER BY created_at DESC, token_id`,
  );
}

/** Returns the token with this id, of any tenant and in any state; null if there is none. */
export function selectNodeTokenById(db: Db, tokenId: string): Promise<NodeTokenRecord | null> {
  return row(
    db,
    sql<NodeTokenRecord>`SELECT ${COLUMNS} FROM node_tokens WHERE token_id = ${tokenId}`,
  );
}

/** Returns the name of a token of this tenant, also of a revoked one; null if there is none. */
export async function selectNodeName(
  db: Db,
  tenantId: string,
  tokenId: string,
): Promise<string | null> {
  const token = await row(
    db,
    sql<{ name: string }>`
      SELECT name FROM node_tokens WHERE token_id = ${tokenId} AND tenant_id = ${tenantId}`,
  );
  return token?.name ?? null;
}

/** Revokes a token; a revoked one keeps its time. Returns false for an unknown id. */
export async function endNodeToken(db: Db, tokenId: string): Promise<boolean> {
  const revoked = await row(
    db,
    sql`
      UPDATE node_tokens SET revoked_at = coalesce(revoked_at, now())
      WHERE token_id = ${tokenId} RETURNING 1`,
  );
  return revoked !== null;
}
