// All SQL of what opens MCP URLs: tokens of the OAuth server, and direct API tokens.
import { sql } from 'kysely';
import type { Actor } from '../../../platform/audit.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';

export interface OAuthToken {
  token_id: string;
  namespace: string;
  tenant_id: string | null;
  user_id: string | null;
  email: string;
  email_folded: string;
  client_name: string | null;
  redirect_host: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const OAUTH = sql`token_id, namespace, tenant_id, user_id, email, email_folded, client_name,
  redirect_host, created_at, last_used_at, revoked_at`;

export type NewOAuthToken = Omit<OAuthToken, 'created_at' | 'last_used_at' | 'revoked_at'>;

export async function insertOAuthTokens(
  tx: Tx,
  all: readonly { hash: Buffer; token: NewOAuthToken }[],
): Promise<void> {
  const each = <Name extends keyof NewOAuthToken>(name: Name) =>
    all.map(({ token }) => token[name]);
  await sql`
    ${PREPARED} INSERT INTO mcp_tokens (token_hash, token_id, namespace, tenant_id, user_id, email,
      email_folded, client_name, redirect_host)
    SELECT * FROM unnest(${all.map((item) => item.hash)}::bytea[], ${each('token_id')}::uuid[],
      ${each('namespace')}::text[], ${each('tenant_id')}::uuid[], ${each('user_id')}::uuid[],
      ${each('email')}::text[], ${each('email_folded')}::text[], ${each('client_name')}::text[],
      ${each('redirect_host')}::text[])`.execute(tx);
}

export function selectOAuthToken(db: Db, hash: Buffer): Promise<OAuthToken | null> {
  return row(
    db,
    sql<OAuthToken>`
      SELECT ${OAUTH} FROM mcp_tokens WHERE token_hash = ${hash} AND revoked_at IS NULL`,
  );
}

/** Its hash, so that caches can forget it; null where it was revoked or never there. */
export async function revokeOAuthToken(
  tx: Db,
  tokenId: string,
  of: { tenantId: string; emailFolded?: string } | null,
): Promise<{ hash: Buffer; token: OAuthToken } | null> {
  const scope =
    of === null
      ? sql`true`
      : sql`tenant_id = ${of.tenantId} AND (${of.emailFolded ?? null}::text IS NULL
          OR email_folded = ${of.emailFolded ?? null})`;
  const revoked = await row(
    tx,
    sql<OAuthToken & { token_hash: Buffer }>`
      UPDATE mcp_tokens SET revoked_at = now()
      WHERE token_id = ${tokenId} AND revoked_at IS NULL AND ${scope}
      RETURNING token_hash, ${OAUTH}`,
  );
  if (revoked === null) return null;
  const { token_hash: hash, ...token } = revoked;
  return { hash, token };
}

export function selectOAuthTokens(
  db: Db,
  tenantId: string,
  emailFolded: string | null,
  after: readonly string[] | undefined,
  limit: number,
): Promise<OAuthToken[]> {
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(email_folded, token_id) > (${after[0]}, ${after[1]}::uuid)`;
  const own = emailFolded === null ? sql`true` : sql`email_folded = ${emailFolded}`;
  return rows(
    db,
    sql<OAuthToken>`
      SELECT ${OAUTH} FROM mcp_tokens
      WHERE tenant_id = ${tenantId} AND revoked_at IS NULL AND ${own} AND ${beyond}
      ORDER BY email_folded, token_id LIMIT ${limit}`,
  );
}

export interface ApiToken {
  tenant_id: string;
  token_id: string;
  backend_id: string;
  name: string;
  agent: string;
  whole_header: boolean;
  fingerprint: string;
  creator: Actor;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const API = sql`tenant_id, token_id, backend_id, name, agent, whole_header, fingerprint, creator,
  created_at, expires_at, last_used_at, revoked_at`;

export async function insertApiToken(
  tx: Tx,
  hash: Buffer,
  apiToken: Omit<ApiToken, 'created_at' | 'last_used_at' | 'revoked_at'>,
): Promise<ApiToken> {
  const made = await row(
    tx,
    sql<ApiToken>`
      INSERT INTO mcp_api_tokens (tenant_id, token_id, token_hash, backend_id, name, agent,
        whole_header, fingerprint, creator, expires_at)
      VALUES (${apiToken.tenant_id}, ${apiToken.token_id}, ${hash}, ${apiToken.backend_id}, ${apiToken.name},
        ${apiToken.agent}, ${apiToken.whole_header}, ${apiToken.fingerprint},
        ${JSON.stringify(apiToken.creator)}::jsonb, ${apiToken.expires_at})
      RETURNING ${API}`,
  );
  if (made === null) throw new Error('an insert gave no row');
  return made;
}

export function selectApiToken(db: Db, hash: Buffer): Promise<ApiToken | null> {
  return row(
    db,
    sql<ApiToken>`
      SELECT ${API} FROM mcp_api_tokens WHERE token_hash = ${hash} AND revoked_at IS NULL`,
  );
}

/** Returns the token by its id, also a revoked token. */
export function apiTokenWith(db: Db, tenantId: string, tokenId: string): Promise<ApiToken | null> {
  return row(
    db,
    sql<ApiToken>`
      SELECT ${API} FROM mcp_api_tokens WHERE tenant_id = ${tenantId} AND token_id = ${tokenId}`,
  );
}

export function selectApiTokens(
  db: Db,
  tenantId: string,
  backendId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ApiToken[]> {
  const beyond = after === undefined ? sql`true` : sql`token_id > ${after[0]}::uuid`;
  return rows(
    db,
    sql<ApiToken>`
      SELECT ${API} FROM mcp_api_tokens
      WHERE tenant_id = ${tenantId} AND backend_id = ${backendId} AND ${beyond}
      ORDER BY token_id LIMIT ${limit}`,
  );
}

/** Returns the tokens that are not revoked; null: of all backends, or of all creators. */
export function selectLiveApiTokens(
  db: Db,
  tenantId: string,
  { creator, backendId }: { creator: string | null; backendId: string | null },
  after: readonly string[] | undefined,
  limit: number,
): Promise<ApiToken[]> {
  const beyond = after === undefined ? sql`true` : sql`token_id > ${after[0]}::uuid`;
  const at = backendId === null ? sql`true` : sql`backend_id = ${backendId}`;
  const own = creator === null ? sql`true` : sql`creator->>'id' = ${creator}`;
  return rows(
    db,
    sql<ApiToken>`
      SELECT ${API} FROM mcp_api_tokens
      WHERE tenant_id = ${tenantId} AND revoked_at IS NULL AND ${own} AND ${at} AND ${beyond}
      ORDER BY token_id LIMIT ${limit}`,
  );
}

/** Returns the backends with a valid direct API token. */
export async function selectBackendsWithApiTokens(db: Db, tenantId: string): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ backend_id: string }>`
      SELECT DISTINCT backend_id FROM mcp_api_tokens
      WHERE tenant_id = ${tenantId} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())`,
  );
  return new Set(found.map((item) => item.backend_id));
}

/** Null where it is none of this backend's, or was revoked before. */
export async function revokeApiToken(
  tx: Tx,
  place: { tenantId: string; backendId: string; tokenId: string },
): Promise<{ hash: Buffer; token: ApiToken } | null> {
  const revoked = await row(
    tx,
    sql<ApiToken & { token_hash: Buffer }>`
      UPDATE mcp_api_tokens SET revoked_at = now()
      WHERE tenant_id = ${place.tenantId} AND backend_id = ${place.backendId}
        AND token_id = ${place.tokenId} AND revoked_at IS NULL
      RETURNING token_hash, ${API}`,
  );
  if (revoked === null) return null;
  const { token_hash: hash, ...token } = revoked;
  return { hash, token };
}

/** Only forward. */
export async function recordTokenUses(
  db: Db,
  uses: readonly { token_id: string; at: string }[],
): Promise<void> {
  const records = JSON.stringify(uses);
  for (const table of [sql.table('mcp_tokens'), sql.table('mcp_api_tokens')]) {
    await sql`
      UPDATE ${table} t SET last_used_at = greatest(t.last_used_at, u.at)
      FROM json_to_recordset(${records}::json) AS u(token_id uuid, at timestamptz)
      WHERE t.token_id = u.token_id`.execute(db);
  }
}

/** A person is forgotten: the sign-ins of their clients. Gives the hashes of the tokens that worked. */
export async function eraseOAuthTokens(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
): Promise<Buffer[]> {
  const gone = await rows(
    tx,
    sql<{ token_hash: Buffer }>`
      DELETE FROM mcp_tokens WHERE tenant_id = ${tenantId} AND email_folded = ${emailFolded}
      RETURNING token_hash`,
  );
  return gone.map((item) => item.token_hash);
}
