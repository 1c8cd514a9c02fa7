// Issued keys and tokens of all kinds by the hash of their secret, so that a leaked secret can be identified and revoked.
import type { SecretKind } from '@gatewarden/shared/secrets.ts';
import { type RawBuilder, sql } from 'kysely';
import type { By } from './audit.ts';
import { type Db, row, rows, type Tx } from './db/database.ts';

/** A key or token. */
export interface IssuedSecret {
  id: string;
  hash: Buffer;
  /** Null for a secret of the installation. */
  tenant_id: string | null;
  name: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  status: 'active' | 'expired' | 'revoked';
}

/** A secret that expires soon. */
export interface ExpiringSecret extends IssuedSecret {
  expires_at: Date;
  /** E-mail address of the creator; null if unknown. */
  created_by: string | null;
  /** Expiry time to the microsecond, for the next page. */
  sort_key: string;
}

export interface Span {
  from: Date;
  until: Date;
}

/** A kind of secret, as its feature provides it. */
export interface IssuedKind {
  kind: SecretKind;
  /** Returns secrets by hash in any state; tenant null: of all tenants. */
  find(db: Db, tenantId: string | null, hashes: readonly Buffer[]): Promise<IssuedSecret[]>;
  /** Returns active secrets that expire in the span, up to 1,000 after `after`; tenant null: of all tenants. */
  findExpiring(
    db: Db,
    tenantId: string | null,
    span: Span,
    after?: ExpiringSecret,
  ): Promise<ExpiringSecret[]>;
  /** Revokes a secret on every hub process, with an audit event. A revoked secret stays unchanged. */
  revoke(tx: Tx, by: By, secret: IssuedSecret): Promise<void>;
}

/** Table and columns of a kind; a missing column is `sql`null``. */
export interface IssuedTable {
  table: string;
  id: string;
  hash: string;
  name: RawBuilder<unknown>;
  expiresAt: RawBuilder<unknown>;
  lastUsedAt: RawBuilder<unknown>;
  /** E-mail address of the creator. */
  createdBy: RawBuilder<unknown>;
  /** Condition of secrets whose expiry is notified; `sql`true`` for all. */
  isExpiryNotified: RawBuilder<unknown>;
}

/** Rows of a query. */
const PAGE_SIZE = 1_000;

/** Returns a kind that is stored in a single table. `revoke` is called with a locked, active secret. */
export function createIssuedKind(
  kind: SecretKind,
  definition: IssuedTable,
  revoke: (tx: Tx, by: By, issued: IssuedSecret) => Promise<void>,
): IssuedKind {
  const { lastUsedAt, createdBy, isExpiryNotified } = definition;
  const table = sql.table(definition.table);
  const [id, hash] = [sql.ref(definition.id), sql.ref(definition.hash)];
  const expiresAt = sql`(${definition.expiresAt})::timestamptz`;
  const columns = sql`${id} AS id, ${hash} AS hash, tenant_id, ${definition.name} AS name,
    created_at, ${expiresAt} AS expires_at, (${lastUsedAt})::timestamptz AS last_used_at,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN ${expiresAt} <= now() THEN 'expired'
      ELSE 'active' END AS status`;
  const inTenant = (tenantId: string | null) =>
    tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`;
  return {
    kind,
    find: (db, tenantId, hashes) =>
      rows(
        db,
        sql<IssuedSecret>`
          SELECT ${columns} FROM ${table}
          WHERE ${inTenant(tenantId)} AND ${hash} = ANY(${hashes}::bytea[])`,
      ),
    findExpiring: (db, tenantId, { from, until }, after) => {
      const beyond =
        after === undefined
          ? sql`${expiresAt} > ${from}`
          : sql`(${expiresAt}, ${id}) > (${after.sort_key}::timestamptz, ${after.id}::uuid)`;
      return rows(
        db,
        sql<ExpiringSecret>`
          SELECT ${columns}, ${createdBy} AS created_by, ${expiresAt}::text AS sort_key FROM ${table}
          WHERE ${inTenant(tenantId)} AND revoked_at IS NULL AND ${beyond}
            AND ${expiresAt} <= ${until} AND ${isExpiryNotified}
          ORDER BY ${expiresAt}, ${id} LIMIT ${PAGE_SIZE}`,
      );
    },
    async revoke(tx, by, issued) {
      const locked = await row(
        tx,
        sql`
          SELECT 1 FROM ${table} WHERE ${inTenant(issued.tenant_id)} AND ${id} = ${issued.id}
            AND revoked_at IS NULL FOR UPDATE`,
      );
      if (locked !== null) await revoke(tx, by, issued);
    },
  };
}
