// Keys and tokens by their secret's hash, whatever their kind: who found one in a log asks which it is and ends it.
import type { SecretKind } from '@gatewarden/shared/secrets.ts';
import { type RawBuilder, sql } from 'kysely';
import type { By } from './audit.ts';
import { type Db, row, rows, type Tx } from './db/database.ts';

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

/** One that ends soon. */
export interface Ending extends Issued {
  expires_at: Date;
  /** The address of the person who made it; null where none is recorded. */
  created_by: string | null;
  /** Its end to the microsecond, for the next page. */
  sort_key: string;
}

export interface Span {
  from: Date;
  until: Date;
}

/** What a feature tells of the secrets that it issues. */
export interface IssuedKind {
  kind: SecretKind;
  /** Those under these hashes, whatever their state; null: of any tenant. */
  find(db: Db, tenantId: string | null, hashes: readonly Buffer[]): Promise<Issued[]>;
  /** Those that work and end in this span, the first thousand behind `after`; null: of any tenant. */
  ending(db: Db, tenantId: string | null, span: Span, after?: Ending): Promise<Ending[]>;
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
  /** The e-mail address of who made it. */
  createdBy: RawBuilder<unknown>;
  /** Whose end is people's to look after; `sql`true`` for all. */
  isLookedAfter: RawBuilder<unknown>;
}

/** At most so many of one question. */
const PAGE = 1_000;

/** A kind that stands in one table; `end` is called for one that works, which nobody else can change meanwhile. */
export function issuedKind(
  kind: SecretKind,
  one: IssuedTable,
  end: (tx: Tx, by: By, issued: Issued) => Promise<void>,
): IssuedKind {
  const [table, id, hash] = [sql.table(one.table), sql.ref(one.id), sql.ref(one.hash)];
  const expiresAt = sql`(${one.expiresAt})::timestamptz`;
  const columns = sql`${id} AS id, ${hash} AS hash, tenant_id, ${one.name} AS name,
    created_at, ${expiresAt} AS expires_at, (${one.lastUsedAt})::timestamptz AS last_used_at,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN ${expiresAt} <= now() THEN 'expired'
      ELSE 'active' END AS status`;
  const of = (tenantId: string | null) =>
    tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`;
  return {
    kind,
    find: (db, tenantId, hashes) =>
      rows(
        db,
        sql<Issued>`
          SELECT ${columns} FROM ${table}
          WHERE ${of(tenantId)} AND ${hash} = ANY(${hashes}::bytea[])`,
      ),
    ending: (db, tenantId, { from, until }, after) => {
      const beyond =
        after === undefined
          ? sql`${expiresAt} > ${from}`
          : sql`(${expiresAt}, ${id}) > (${after.sort_key}::timestamptz, ${after.id}::uuid)`;
      return rows(
        db,
        sql<Ending>`
          SELECT ${columns}, ${one.createdBy} AS created_by, ${expiresAt}::text AS sort_key FROM ${table}
          WHERE ${of(tenantId)} AND revoked_at IS NULL AND ${beyond}
            AND ${expiresAt} <= ${until} AND ${one.isLookedAfter}
          ORDER BY ${expiresAt}, ${id} LIMIT ${PAGE}`,
      );
    },
    async end(tx, by, issued) {
      const locked = await row(
        tx,
        sql`
          SELECT 1 FROM ${table} WHERE ${of(issued.tenant_id)} AND ${id} = ${issued.id}
            AND revoked_at IS NULL FOR UPDATE`,
      );
      if (locked !== null) await end(tx, by, issued);
    },
  };
}
