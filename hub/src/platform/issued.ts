// Keys and tokens by their secret's hash, whatever their kind: who found one in a log asks which it is and ends it.
import type { SecretKind } from '@gatewarden/shared/secrets.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from './audit.ts';
import { type Db, rows, type Tx } from './db/database.ts';

export interface By {
  actor: Actor;
  requestId: string | null;
}

/** What stands behind a secret. */
export interface Issued {
  id: string;
  hash: Buffer;
  /** Null: of the installation, not of one tenant. */
  tenant_id: string | null;
  name: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  status: 'active' | 'expired' | 'revoked';
}

/** What a feature tells of the secrets that it issues. */
export interface IssuedKind {
  kind: SecretKind;
  /** Those under these hashes, whatever their state; null: of any tenant. */
  find(db: Db, tenantId: string | null, hashes: readonly Buffer[]): Promise<Issued[]>;
  /** Ends one on every hub process, with its audit event; one that is revoked stays as it is. */
  end(tx: Tx, by: By, one: Issued): Promise<void>;
}

/** Where a kind is stored; what a table lacks is `sql`null``. */
export interface IssuedTable {
  table: string;
  id: string;
  hash: string;
  name: RawBuilder<unknown>;
  expiresAt: RawBuilder<unknown>;
  lastUsedAt: RawBuilder<unknown>;
}

/** `find` of a kind that stands in one table. */
export function issuedIn(one: IssuedTable): IssuedKind['find'] {
  return (db, tenantId, hashes) => {
    const mine = tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`;
    return rows(
      db,
      sql<Issued>`
        SELECT ${sql.ref(one.id)} AS id, ${sql.ref(one.hash)} AS hash, tenant_id, ${one.name} AS name,
          created_at, (${one.expiresAt})::timestamptz AS expires_at,
          (${one.lastUsedAt})::timestamptz AS last_used_at,
          CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
            WHEN (${one.expiresAt})::timestamptz <= now() THEN 'expired' ELSE 'active' END AS status
        FROM ${sql.table(one.table)}
        WHERE ${mine} AND ${sql.ref(one.hash)} = ANY(${hashes}::bytea[])`,
    );
  };
}
