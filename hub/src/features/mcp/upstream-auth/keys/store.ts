// All SQL of people's own keys for backends.
import { sql } from 'kysely';
import type { SealedColumn } from '../../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows, type Tx } from '../../../../platform/db/database.ts';

export const SEALED_CONNECTIONS: SealedColumn = {
  table: 'mcp_connections',
  column: 'sealed_secret',
  key: ['tenant_id', 'backend_id', 'user_id'],
};

export interface ConnectionKey {
  tenantId: string;
  backendId: string;
  userId: string;
}

export interface ConnectionRow {
  backend_id: string;
  created_at: Date;
  updated_at: Date;
}

export async function selectSecret(db: Db, key: ConnectionKey): Promise<string | null> {
  const found = await row(
    db,
    sql<{ sealed_secret: string }>`
      SELECT sealed_secret FROM mcp_connections
      WHERE tenant_id = ${key.tenantId} AND backend_id = ${key.backendId}
        AND user_id = ${key.userId}`,
  );
  return found?.sealed_secret ?? null;
}

export function selectConnections(
  db: Db,
  tenantId: string,
  userId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ConnectionRow[]> {
  const beyond = after === undefined ? sql`true` : sql`backend_id > ${after[0]}::uuid`;
  return rows(
    db,
    sql<ConnectionRow>`
      SELECT backend_id, created_at, updated_at FROM mcp_connections
      WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND ${beyond}
      ORDER BY backend_id LIMIT ${limit}`,
  );
}

export async function storeSecret(
  tx: Tx,
  key: ConnectionKey,
  sealed: string,
): Promise<ConnectionRow> {
  const stored = await row(
    tx,
    sql<ConnectionRow>`
      INSERT INTO mcp_connections (tenant_id, backend_id, user_id, sealed_secret, updated_at)
      VALUES (${key.tenantId}, ${key.backendId}, ${key.userId}, ${sealed}, now())
      ON CONFLICT (tenant_id, backend_id, user_id)
      DO UPDATE SET sealed_secret = excluded.sealed_secret, updated_at = excluded.updated_at
      RETURNING backend_id, created_at, updated_at`,
  );
  if (stored === null) throw new Error('an upsert gave no row');
  return stored;
}

export function deleteSecret(tx: Tx, key: ConnectionKey): Promise<ConnectionRow | null> {
  return row(
    tx,
    sql<ConnectionRow>`
      DELETE FROM mcp_connections
      WHERE tenant_id = ${key.tenantId} AND backend_id = ${key.backendId}
        AND user_id = ${key.userId}
      RETURNING backend_id, created_at, updated_at`,
  );
}

/** Deletes the keys of all users for a server. Returns the user ids. */
export async function deleteSecretsOf(
  tx: Tx,
  tenantId: string,
  backendId: string,
): Promise<string[]> {
  const gone = await rows(
    tx,
    sql<{ user_id: string }>`
      DELETE FROM mcp_connections WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}
      RETURNING user_id`,
  );
  return gone.map((item) => item.user_id);
}

/** A person is forgotten: their own keys. Gives the servers. */
export async function eraseSecrets(tx: Tx, tenantId: string, userId: string): Promise<string[]> {
  const gone = await rows(
    tx,
    sql<{ backend_id: string }>`
      DELETE FROM mcp_connections WHERE tenant_id = ${tenantId} AND user_id = ${userId}
      RETURNING backend_id`,
  );
  return gone.map((item) => item.backend_id);
}
