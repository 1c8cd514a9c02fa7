// All SQL of the OAuth server: registrations, authorizations under way, codes.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

/** Null where the namespace has as many as it may have. */
export async function storeRedirects(
  db: Db,
  namespace: string,
  uris: readonly string[],
  clientName: string | null,
  max: number,
): Promise<boolean> {
  const stored = await rows(
    db,
    sql`
      INSERT INTO mcp_redirect_uris (namespace, redirect_uri, client_name)
      SELECT ${namespace}, uri, ${clientName} FROM unnest(${[...uris]}::text[]) AS uri
      WHERE (SELECT count(*) FROM mcp_redirect_uris WHERE namespace = ${namespace}) < ${max}
      ON CONFLICT (namespace, redirect_uri)
      DO UPDATE SET registered_at = now(), client_name = excluded.client_name RETURNING 1`,
  );
  return stored.length > 0;
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

/** What the client asked for, kept until the code and, with it, until the token. */
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
  one: Omit<Authorization, 'approved_at'> & { requestHash: Buffer; seconds: number },
): Promise<void> {
  await sql`
    INSERT INTO mcp_authorizations
      (request_hash, namespace, asked, browser_hash, csrf_hash, expires_at)
    VALUES (${one.requestHash}, ${one.namespace}, ${JSON.stringify(one.asked)}::jsonb,
      ${one.browser_hash}, ${one.csrf_hash}, now() + make_interval(secs => ${one.seconds}))`.execute(
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
  one: Grantee & { codeHash: Buffer; namespace: string; asked: Asked; seconds: number },
): Promise<void> {
  await sql`
    INSERT INTO mcp_codes (code_hash, namespace, asked, tenant_id, user_id, email, expires_at)
    VALUES (${one.codeHash}, ${one.namespace}, ${JSON.stringify(one.asked)}::jsonb,
      ${one.tenantId}, ${one.userId}, ${one.email},
      now() + make_interval(secs => ${one.seconds}))`.execute(tx);
}

export interface UsedCode {
  namespace: string;
  asked: Asked;
  tenant_id: string | null;
  user_id: string | null;
  email: string;
  is_expired: boolean;
}

/** Uses the code up, whoever shows it; null where there is none, or it was used before. */
export function useCode(tx: Tx, codeHash: Buffer, tokenId: string): Promise<UsedCode | null> {
  return row(
    tx,
    sql<UsedCode>`
      UPDATE mcp_codes SET used_at = now(), token_id = ${tokenId}
      WHERE code_hash = ${codeHash} AND used_at IS NULL
      RETURNING namespace, asked, tenant_id, user_id, email, expires_at <= now() AS is_expired`,
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
    DELETE FROM mcp_redirect_uris WHERE registered_at < now() - interval '400 days'`.execute(db);
}

/** A person is forgotten: codes that nobody has exchanged, or that are kept to notice a second use. */
export async function eraseCodes(tx: Tx, tenantId: string, emailFolded: string): Promise<void> {
  await sql`
    DELETE FROM mcp_codes
    WHERE tenant_id = ${tenantId} AND lower(email) = ${emailFolded}`.execute(tx);
}
