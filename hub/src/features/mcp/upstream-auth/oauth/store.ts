// All SQL of people's OAuth connections with servers, and of the gateway's clients at their logins.
import { sql } from 'kysely';
import type { SealedColumn } from '../../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows, type Tx } from '../../../../platform/db/database.ts';

export interface GrantKey {
  tenantId: string;
  backendId: string;
  userId: string;
}

/** The source of the tokens at the time of the connection, for refresh and revocation. */
export interface Source {
  /** The server's address then: tokens go nowhere else. */
  url: string;
  issuer: string;
  token_endpoint: string;
  revocation_endpoint: string | null;
  client_id: string;
  auth_method: AuthMethod;
  /** Sent as `resource`; null: it is not. */
  resource: string | null;
}

export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

export interface GrantRow {
  backend_id: string;
  user_id: string;
  sealed_tokens: string;
  source: Source;
  scope: string | null;
  generation: number;
  refresh_at: Date | null;
  renewal: string | null;
  connected_at: Date;
  refreshed_at: Date;
}

export const SEALED_GRANTS: SealedColumn = {
  table: 'mcp_grants',
  column: 'sealed_tokens',
  key: ['tenant_id', 'backend_id', 'user_id'],
};
export const SEALED_CLIENTS: SealedColumn = {
  table: 'mcp_upstream_clients',
  column: 'sealed_secret',
  key: ['tenant_id', 'backend_id'],
};
export const SEALED_STARTS: SealedColumn = {
  table: 'mcp_grant_starts',
  column: 'sealed_pending',
  key: ['state_hash'],
};

const COLUMNS = sql`backend_id, user_id, sealed_tokens, source, scope, generation, refresh_at, renewal,
  connected_at, refreshed_at`;
const isKey = (key: GrantKey) => sql`tenant_id = ${key.tenantId}
  AND backend_id = ${key.backendId} AND user_id = ${key.userId}`;

export function selectGrant(db: Db, key: GrantKey): Promise<GrantRow | null> {
  return row(db, sql<GrantRow>`SELECT ${COLUMNS} FROM mcp_grants WHERE ${isKey(key)}`);
}

export interface NewTokens {
  sealed_tokens: string;
  scope: string | null;
  refresh_at: Date | null;
}

/** Inserts or replaces the connection. */
export async function storeGrant(
  tx: Tx,
  key: GrantKey,
  item: NewTokens & { source: Source },
): Promise<void> {
  await sql`
    INSERT INTO mcp_grants AS g
      (tenant_id, backend_id, user_id, sealed_tokens, source, scope, refresh_at, connected_at,
       refreshed_at)
    VALUES (${key.tenantId}, ${key.backendId}, ${key.userId}, ${item.sealed_tokens},
      ${JSON.stringify(item.source)}::jsonb, ${item.scope}, ${item.refresh_at}, now(), now())
    ON CONFLICT (tenant_id, backend_id, user_id) DO UPDATE SET
      sealed_tokens = excluded.sealed_tokens, source = excluded.source, scope = excluded.scope,
      refresh_at = excluded.refresh_at, generation = g.generation + 1, refreshing_until = NULL,
      renewal = NULL, connected_at = excluded.connected_at, refreshed_at = excluded.refreshed_at`.execute(
    tx,
  );
}

/** Acquires the lease for a refresh. Returns false if another process has it, or has refreshed already. */
export async function claimRefresh(
  db: Db,
  key: GrantKey,
  generation: number,
  seconds: number,
): Promise<boolean> {
  const claimed = await row(
    db,
    sql`
      UPDATE mcp_grants SET refreshing_until = now() + make_interval(secs => ${seconds})
      WHERE ${isKey(key)} AND generation = ${generation} AND renewal IS NULL
        AND (refreshing_until IS NULL OR refreshing_until < now()) RETURNING 1`,
  );
  return claimed !== null;
}

/** False where the connection was ended or made anew meanwhile. */
export async function storeRefreshed(
  tx: Tx,
  key: GrantKey,
  generation: number,
  tokens: NewTokens,
): Promise<boolean> {
  const stored = await row(
    tx,
    sql`
      UPDATE mcp_grants SET sealed_tokens = ${tokens.sealed_tokens}, scope = ${tokens.scope},
        refresh_at = ${tokens.refresh_at}, generation = generation + 1, refreshing_until = NULL,
        refreshed_at = now()
      WHERE ${isKey(key)} AND generation = ${generation} RETURNING 1`,
  );
  return stored !== null;
}

/** Releases the lease without a new token. */
export async function releaseRefresh(db: Db, key: GrantKey, generation: number): Promise<void> {
  await sql`
    UPDATE mcp_grants SET refreshing_until = NULL
    WHERE ${isKey(key)} AND generation = ${generation}`.execute(db);
}

/** From now on the person has to connect anew; false where that happened meanwhile. */
export async function markForRenewal(
  tx: Tx,
  key: GrantKey,
  generation: number,
  why: string,
): Promise<boolean> {
  const marked = await row(
    tx,
    sql`
      UPDATE mcp_grants SET renewal = ${why}, refreshing_until = NULL, generation = generation + 1
      WHERE ${isKey(key)} AND generation = ${generation} RETURNING 1`,
  );
  return marked !== null;
}

export function deleteGrant(tx: Tx, key: GrantKey): Promise<GrantRow | null> {
  return row(tx, sql<GrantRow>`DELETE FROM mcp_grants WHERE ${isKey(key)} RETURNING ${COLUMNS}`);
}

/** `userId` null: everybody's. */
export function selectGrants(
  db: Db,
  tenantId: string,
  userId: string | null,
  after: readonly string[] | undefined,
  limit: number,
): Promise<GrantRow[]> {
  const own = userId === null ? sql`true` : sql`user_id = ${userId}`;
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(user_id, backend_id) > (${after[0]}::uuid, ${after[1]}::uuid)`;
  return rows(
    db,
    sql<GrantRow>`
      SELECT ${COLUMNS} FROM mcp_grants WHERE tenant_id = ${tenantId} AND ${own} AND ${beyond}
      ORDER BY user_id, backend_id LIMIT ${limit}`,
  );
}

/** A backend is gone: nobody is connected with it any more. */
export async function deleteGrantsOf(
  tx: Tx,
  tenantId: string,
  backendId: string,
): Promise<string[]> {
  await sql`
    DELETE FROM mcp_upstream_clients
    WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}`.execute(tx);
  const gone = await rows(
    tx,
    sql<{ user_id: string }>`
      DELETE FROM mcp_grants WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}
      RETURNING user_id`,
  );
  return gone.map((item) => item.user_id);
}

export interface UpstreamClient {
  basis: Buffer;
  issuer: string;
  client_id: string;
  sealed_secret: string | null;
  auth_method: AuthMethod;
}

const CLIENT = sql`basis, issuer, client_id, sealed_secret, auth_method`;

export function selectClient(
  db: Db,
  tenantId: string,
  backendId: string,
): Promise<UpstreamClient | null> {
  return row(
    db,
    sql<UpstreamClient>`
      SELECT ${CLIENT} FROM mcp_upstream_clients
      WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}`,
  );
}

/** Returns the stored client: this one, or the client that another process registered first. */
export async function storeClient(
  db: Db,
  tenantId: string,
  backendId: string,
  upstreamClient: UpstreamClient,
): Promise<UpstreamClient> {
  const stored = await row(
    db,
    sql<UpstreamClient>`
      INSERT INTO mcp_upstream_clients AS c
        (tenant_id, backend_id, basis, issuer, client_id, sealed_secret, auth_method, registered_at)
      VALUES (${tenantId}, ${backendId}, ${upstreamClient.basis}, ${upstreamClient.issuer}, ${upstreamClient.client_id},
        ${upstreamClient.sealed_secret}, ${upstreamClient.auth_method}, now())
      ON CONFLICT (tenant_id, backend_id) DO UPDATE SET basis = excluded.basis,
        issuer = excluded.issuer, client_id = excluded.client_id,
        sealed_secret = excluded.sealed_secret, auth_method = excluded.auth_method,
        registered_at = excluded.registered_at
      WHERE c.basis <> excluded.basis RETURNING ${CLIENT}`,
  );
  return stored ?? (await selectClient(db, tenantId, backendId)) ?? upstreamClient;
}

export interface Start extends GrantKey {
  session_hash: Buffer;
  sealed_pending: string;
}

export async function insertStart(
  db: Db,
  stateHash: Buffer,
  item: Start & { seconds: number },
): Promise<void> {
  await sql`
    INSERT INTO mcp_grant_starts
      (state_hash, tenant_id, backend_id, user_id, session_hash, sealed_pending, expires_at)
    VALUES (${stateHash}, ${item.tenantId}, ${item.backendId}, ${item.userId}, ${item.session_hash},
      ${item.sealed_pending}, now() + make_interval(secs => ${item.seconds}))`.execute(db);
}

/** Uses it up: for the session in which it was begun, and for no other. */
export async function takeStart(
  db: Db,
  stateHash: Buffer,
  sessionHash: Buffer,
): Promise<Start | null> {
  const taken = await row(
    db,
    sql<{
      tenant_id: string;
      backend_id: string;
      user_id: string;
      session_hash: Buffer;
      sealed_pending: string;
    }>`
      DELETE FROM mcp_grant_starts
      WHERE state_hash = ${stateHash} AND session_hash = ${sessionHash} AND expires_at > now()
      RETURNING tenant_id, backend_id, user_id, session_hash, sealed_pending`,
  );
  if (taken === null) return null;
  const { tenant_id: tenantId, backend_id: backendId, user_id: userId, ...rest } = taken;
  return { tenantId, backendId, userId, ...rest };
}

export async function deleteOldStarts(db: Db): Promise<void> {
  await sql`DELETE FROM mcp_grant_starts WHERE expires_at < now()`.execute(db);
}

/** A person is forgotten: what they connected, and what they began. Gives the servers. */
export async function eraseGrants(tx: Tx, tenantId: string, userId: string): Promise<string[]> {
  await sql`
    DELETE FROM mcp_grant_starts WHERE tenant_id = ${tenantId} AND user_id = ${userId}`.execute(tx);
  const gone = await rows(
    tx,
    sql<{ backend_id: string }>`
      DELETE FROM mcp_grants WHERE tenant_id = ${tenantId} AND user_id = ${userId}
      RETURNING backend_id`,
  );
  return gone.map((item) => item.backend_id);
}
