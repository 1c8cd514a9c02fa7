// All SQL of MCP backends.
import { sql } from 'kysely';
import type { SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { containsPattern } from '../../../platform/db/list-conditions.ts';

/** Public settings of an OAuth login; missing settings are discovered. */
export interface OAuthLogin {
  client_id?: string;
  issuer?: string;
  authorization_endpoint?: string;
  token_endpoint?: string;
  revocation_endpoint?: string;
  scopes?: string[];
  send_resource?: boolean;
}

export type BackendAuth =
  | { kind: 'none' | 'passthrough' }
  | { kind: 'shared' | 'personal_key'; header: string; prefix: string }
  | ({ kind: 'oauth' } & OAuthLogin);

export interface BackendRow {
  backend_id: string;
  slug: string;
  name: string;
  url: string;
  auth: BackendAuth;
  tools: { allow?: string[]; deny?: string[] } | null;
  sealed_auth: string | null;
  drift: 'flag' | 'hide';
  same_as: string[];
  idle_timeout_seconds: number;
  total_timeout_seconds: number;
  header_names: string[];
  sealed_headers: string | null;
  disabled_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = sql`backend_id, slug, name, url, auth, tools, sealed_auth, drift, same_as,
  idle_timeout_seconds, total_timeout_seconds, header_names, sealed_headers, disabled_at, version, created_at, updated_at`;

export type NewBackend = Pick<BackendRow, 'backend_id' | BackendField> & {
  name_folded: string;
};

/** The settings of a backend by an administrator. */
type BackendField =
  | 'slug'
  | 'name'
  | 'url'
  | 'auth'
  | 'tools'
  | 'sealed_auth'
  | 'drift'
  | 'same_as'
  | 'idle_timeout_seconds'
  | 'total_timeout_seconds'
  | 'header_names'
  | 'sealed_headers';

export const SEALED_AUTH: SealedColumn = {
  table: 'mcp_backends',
  column: 'sealed_auth',
  key: ['tenant_id', 'backend_id'],
};

export const SEALED_HEADERS: SealedColumn = {
  table: 'mcp_backends',
  column: 'sealed_headers',
  key: ['tenant_id', 'backend_id'],
};

const toolsOf = ({ tools }: Pick<BackendRow, 'tools'>) =>
  sql`${tools === null ? null : JSON.stringify(tools)}::jsonb`;

/** Null where the slug is taken. */
export function insertBackend(
  tx: Tx,
  tenantId: string,
  backend: NewBackend,
): Promise<BackendRow | null> {
  return row(
    tx,
    sql<BackendRow>`
      INSERT INTO mcp_backends (tenant_id, backend_id, slug, name, name_folded, url, auth, tools,
        sealed_auth, drift, same_as, idle_timeout_seconds, total_timeout_seconds, header_names,
        sealed_headers)
      VALUES (${tenantId}, ${backend.backend_id}, ${backend.slug}, ${backend.name}, ${backend.name_folded},
        ${backend.url}, ${JSON.stringify(backend.auth)}::jsonb, ${toolsOf(backend)}, ${backend.sealed_auth}, ${backend.drift},
        ${JSON.stringify(backend.same_as)}::jsonb, ${backend.idle_timeout_seconds},
        ${backend.total_timeout_seconds}, ${JSON.stringify(backend.header_names)}::jsonb,
        ${backend.sealed_headers})
      ON CONFLICT (tenant_id, slug) DO NOTHING RETURNING ${COLUMNS}`,
  );
}

export function selectBackend(
  db: Db,
  tenantId: string,
  backendId: string,
): Promise<BackendRow | null> {
  return row(
    db,
    sql<BackendRow>`
      SELECT ${COLUMNS} FROM mcp_backends
      WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}`,
  );
}

export function selectBackends(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<BackendRow[]> {
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(name_folded, backend_id) > (${after[0]}, ${after[1]}::uuid)`;
  return rows(
    db,
    sql<BackendRow>`
      SELECT ${COLUMNS} FROM mcp_backends WHERE tenant_id = ${tenantId} AND ${beyond}
      ORDER BY name_folded, backend_id LIMIT ${limit}`,
  );
}

export interface FoundBackend extends BackendRow {
  tenant_id: string;
}

/** Enabled ones of any tenant with this id or this slug: at most two, for then it is not clear which is meant. */
export function selectBackendsAt(db: Db, segment: string): Promise<FoundBackend[]> {
  return rows(
    db,
    sql<FoundBackend>`
      SELECT tenant_id, ${COLUMNS} FROM mcp_backends
      WHERE (slug = ${segment} OR backend_id::text = ${segment}) AND disabled_at IS NULL
      ORDER BY backend_id::text = ${segment} DESC LIMIT 2`,
  );
}

/** Returns the enabled backends. */
export function selectEnabledBackends(db: Db, tenantId: string): Promise<BackendRow[]> {
  return rows(
    db,
    sql<BackendRow>`
      SELECT ${COLUMNS} FROM mcp_backends WHERE tenant_id = ${tenantId} AND disabled_at IS NULL
      ORDER BY slug`,
  );
}

/** Returns servers with this folded piece of text in their name or slug, by name. */
export function searchBackends(
  db: Db,
  tenantId: string,
  piece: string,
  limit: number,
): Promise<{ backend_id: string; name: string }[]> {
  const pattern = containsPattern(piece);
  return rows(
    db,
    sql<{ backend_id: string; name: string }>`
      SELECT backend_id, name FROM mcp_backends
      WHERE tenant_id = ${tenantId} AND (name_folded LIKE ${pattern} OR slug LIKE ${pattern})
      ORDER BY name_folded, backend_id LIMIT ${limit}`,
  );
}

/** All of the tenant, as they are. */
export function selectAllBackends(db: Db, tenantId: string): Promise<BackendRow[]> {
  return rows(
    db,
    sql<BackendRow>`
      SELECT ${COLUMNS} FROM mcp_backends WHERE tenant_id = ${tenantId}
      ORDER BY name_folded, backend_id`,
  );
}

/** All of the tenant. */
export function selectBackendNames(
  db: Db,
  tenantId: string,
): Promise<{ backend_id: string; name: string; disabled_at: Date | null }[]> {
  return rows(
    db,
    sql<{ backend_id: string; name: string; disabled_at: Date | null }>`
      SELECT backend_id, name, disabled_at FROM mcp_backends WHERE tenant_id = ${tenantId}
      ORDER BY name_folded, backend_id`,
  );
}

/** Returns the backends that match by id, slug or folded name. */
export function selectBackendsMeant(
  db: Db,
  tenantId: string,
  meant: { ids: readonly string[]; slugs: readonly string[]; folded: readonly string[] },
): Promise<{ backend_id: string; slug: string; name: string; name_folded: string }[]> {
  return rows(
    db,
    sql<{ backend_id: string; slug: string; name: string; name_folded: string }>`
      SELECT backend_id, slug, name, name_folded FROM mcp_backends
      WHERE tenant_id = ${tenantId} AND (backend_id = ANY (${meant.ids}::uuid[])
        OR slug = ANY (${meant.slugs}) OR name_folded = ANY (${meant.folded}))
      ORDER BY created_at, backend_id`,
  );
}

/** Null where another writer was faster. */
export function updateBackend(
  tx: Tx,
  tenantId: string,
  before: BackendRow,
  after: Pick<BackendRow, BackendField | 'disabled_at'> & { name_folded: string },
): Promise<BackendRow | null> {
  return row(
    tx,
    sql<BackendRow>`
      UPDATE mcp_backends SET slug = ${after.slug}, name = ${after.name},
        name_folded = ${after.name_folded}, url = ${after.url}, disabled_at = ${after.disabled_at},
        auth = ${JSON.stringify(after.auth)}::jsonb, tools = ${toolsOf(after)},
        sealed_auth = ${after.sealed_auth}, drift = ${after.drift},
        same_as = ${JSON.stringify(after.same_as)}::jsonb,
        idle_timeout_seconds = ${after.idle_timeout_seconds},
        total_timeout_seconds = ${after.total_timeout_seconds},
        header_names = ${JSON.stringify(after.header_names)}::jsonb,
        sealed_headers = ${after.sealed_headers},
        version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND backend_id = ${before.backend_id}
        AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}

export async function isSlugTaken(
  tx: Tx,
  tenantId: string,
  slug: string,
  but: string,
): Promise<boolean> {
  const found = await row(
    tx,
    sql`
      SELECT 1 FROM mcp_backends
      WHERE tenant_id = ${tenantId} AND slug = ${slug} AND backend_id <> ${but}`,
  );
  return found !== null;
}

/** Null where another writer was faster. */
export function deleteBackend(
  tx: Tx,
  tenantId: string,
  before: BackendRow,
): Promise<BackendRow | null> {
  return row(
    tx,
    sql<BackendRow>`
      DELETE FROM mcp_backends
      WHERE tenant_id = ${tenantId} AND backend_id = ${before.backend_id}
        AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}
