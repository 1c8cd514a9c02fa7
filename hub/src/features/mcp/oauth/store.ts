// All SQL of the OAuth server: registrations, authorizations under way, codes.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';

/** Whether all of them are registered, lately and under this name: then there is nothing to write. */
export async function areRegistered(
  db: Db,
  namespace: string,
  uris: readonly string[],
  clientName: string | null,
): Promise<boolean> {
  const known = await row(
    db,
    sql<{ count: number }>`
      SELECT count(*)::int AS count FROM mcp_redirect_uris
      WHERE namespace = ${namespace} AND redirect_uri = ANY (${[...uris]}::text[])
        AND client_name IS NOT DISTINCT FROM ${clientName}
        AND registered_at > now() - interval '1 day'`,
  );
  return known?.count === uris.length;
}

/**
 * False where the namespace has as many as it may have: then those go that nobody ever signed in through, oldest first,
 * but none of the last minutes, whose person may be at the login.
 */
export async function storeRedirects(
  db: Db,
  namespace: string,
  uris: readonly string[],
  clientName: string | null,
  max: number,
): Promise<boolean> {
  const store = async () => {
    const stored = await rows(
      db,
      sql`
        INSERT INTO mcp_redirect_uris (namespace, redirect_uri, client_name)
        SELECT ${namespace}, uri, ${clientName} FROM unnest(${[...uris]}::text[]) AS uri
        WHERE (SELECT count(*) FROM mcp_redirect_uris WHERE namespace = ${namespace}) < ${max}
          OR EXISTS (SELECT FROM mcp_redirect_uris
                     WHERE namespace = ${namespace} AND redirect_uri = uri)
        ON CONFLICT (namespace, redirect_uri)
        DO UPDATE SET registered_at = now(), client_name = excluded.client_name RETURNING 1`,
    );
    return stored.length === uris.length;
  };
  if (await store()) return true;
  await sql`
    DELETE FROM mcp_redirect_uris
    WHERE namespace = ${namespace} AND redirect_uri IN (
      SELECT redirect_uri FROM mcp_redirect_uris
      WHERE namespace = ${namespace} AND used_at IS NULL
        AND registered_at < now() - interval '15 minutes'
      ORDER BY registered_at LIMIT ${Math.ceil(max / 10)})`.execute(db);
  return store();
}

/** Somebody signed in through it. */
export async function markRedirectUsed(tx: Tx, namespace: string, uri: string): Promise<void> {
  await sql`
    UPDATE mcp_redirect_uris SET used_at = now()
    WHERE namespace = ${namespace} AND redirect_uri = ${uri}
      AND (used_at IS NULL OR used_at < now() - interval '1 day')`.execute(tx);
}

/** Null where it was never registered. */
export function selectRedirect(db: Db, namespace: string, uri: string) {
  return row(
    db,
    sql<{ client_name: string | null }>`
      SELECT client_name FROM mcp_redirect_uris
      WHERE namespace = ${namespace} AND redirect_uri = ${uri}`,
  );
}

/** The authorization request, stored until the token is issued. */
export interface Asked {
  redirectUri: string;
  state: string | null;
  challenge: string | null;
  resource: string | null;
  clientName: string | null;
  issuer: string;
}

export interface Authorization {
  namespace: string;
  asked: Asked;
  browser_hash: Buffer;
  csrf_hash: Buffer;
  approved_at: Date | null;
}

export async function insertAuthorization(
  db: Db,
  item: Omit<Authorization, 'approved_at'> & { requestHash: Buffer; seconds: number },
): Promise<void> {
  await sql`
    INSERT INTO mcp_authorizations
      (request_hash, namespace, asked, browser_hash, csrf_hash, expires_at)
    VALUES (${item.requestHash}, ${item.namespace}, ${JSON.stringify(item.asked)}::jsonb,
      ${item.browser_hash}, ${item.csrf_hash}, now() + make_interval(secs => ${item.seconds}))`.execute(
    db,
  );
}

export function selectAuthorization(db: Db, requestHash: Buffer): Promise<Authorization | null> {
  return row(
    db,
    sql<Authorization>`
      SELECT namespace, asked, browser_hash, csrf_hash, approved_at FROM mcp_authorizations
      WHERE request_hash = ${requestHash} AND expires_at > now()`,
  );
}

/** Once, by the browser that was shown the page; false where that happened already. */
export async function approveAuthorization(
  db: Db,
  requestHash: Buffer,
  browserHash: Buffer,
): Promise<boolean> {
  const approved = await row(
    db,
    sql`
      UPDATE mcp_authorizations SET approved_at = now(), browser_hash = ${browserHash}
      WHERE request_hash = ${requestHash} AND approved_at IS NULL AND expires_at > now()
      RETURNING 1`,
  );
  return approved !== null;
}

/** Ends it; false where somebody else did. */
export async function takeAuthorization(tx: Db, requestHash: Buffer): Promise<boolean> {
  const taken = await row(
    tx,
    sql`DELETE FROM mcp_authorizations WHERE request_hash = ${requestHash} RETURNING 1`,
  );
  return taken !== null;
}

export interface Grantee {
  tenantId: string | null;
  userId: string | null;
  email: string;
}

export async function insertCode(
  tx: Tx,
  item: Grantee & { codeHash: Buffer; namespace: string; asked: Asked; seconds: number },
): Promise<void> {
  await sql`
    INSERT INTO mcp_codes (code_hash, namespace, asked, tenant_id, user_id, email, expires_at)
    VALUES (${item.codeHash}, ${item.namespace}, ${JSON.stringify(item.asked)}::jsonb,
      ${item.tenantId}, ${item.userId}, ${item.email},
      now() + make_interval(secs => ${item.seconds}))`.execute(tx);
}

export interface UsedCode {
  namespace: string;
  asked: Asked;
  tenant_id: string | null;
  user_id: string | null;
  email: string;
  is_expired: boolean;
}

/**
 * Marks codes as used, and returns those that existed and were unused. Rows are locked in a fixed order, so that hub processes
 * never deadlock. A code that is presented twice at the same time is used once (RFC 6749 §4.1.2).
 */
export function useCodes(
  tx: Tx,
  shown: readonly { codeHash: Buffer; tokenId: string }[],
): Promise<(UsedCode & { token_id: string })[]> {
  return rows(
    tx,
    sql<UsedCode & { token_id: string }>`
      ${PREPARED} WITH shown AS (
        SELECT DISTINCT ON (code_hash) code_hash, token_id
        FROM unnest(${shown.map((item) => item.codeHash)}::bytea[],
          ${shown.map((item) => item.tokenId)}::uuid[]) AS s (code_hash, token_id)
        ORDER BY code_hash
      ), locked AS MATERIALIZED (
        SELECT c.code_hash FROM mcp_codes c JOIN shown USING (code_hash)
        WHERE c.used_at IS NULL ORDER BY c.code_hash FOR UPDATE OF c
      )
      UPDATE mcp_codes AS c SET used_at = now(), token_id = shown.token_id
      FROM shown JOIN locked USING (code_hash)
      WHERE c.code_hash = shown.code_hash AND c.used_at IS NULL
      RETURNING c.token_id, c.namespace, c.asked, c.tenant_id, c.user_id, c.email,
        c.expires_at <= now() AS is_expired`,
  );
}

/** The token that a used code was to become. */
export async function tokenOfCode(db: Db, codeHash: Buffer): Promise<string | null> {
  const found = await row(
    db,
    sql<{ token_id: string | null }>`
      SELECT token_id FROM mcp_codes WHERE code_hash = ${codeHash}`,
  );
  return found?.token_id ?? null;
}

/** Used codes are remembered for a day, so that a second use is noticed. */
export async function deleteOldOAuth(db: Db): Promise<void> {
  await sql`DELETE FROM mcp_authorizations WHERE expires_at < now()`.execute(db);
  await sql`DELETE FROM mcp_codes WHERE expires_at < now() - interval '1 day'`.execute(db);
  await sql`
    DELETE FROM mcp_redirect_uris
    WHERE greatest(registered_at, used_at) < now() - interval '400 days'`.execute(db);
}

/** A person is forgotten: codes that nobody has exchanged, or that are kept to notice a second use. */
export async function eraseCodes(tx: Tx, tenantId: string, emailFolded: string): Promise<void> {
  await sql`
    DELETE FROM mcp_codes
    WHERE tenant_id = ${tenantId} AND lower(email) = ${emailFolded}`.execute(tx);
}
