// Issues and revokes SCIM tokens, with their audit events.
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { sql } from 'kysely';
import { type By, recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { createIssuedKind } from '../../../platform/issued-secrets.ts';
import { insertScimToken, markScimTokenRevoked } from './token-store.ts';

/** Issues a token. The secret is returned once and stored as a hash. */
export async function issueScimToken(
  db: Db,
  by: By,
  token: { tenantId: string; tokenId: string; name: string; expiresAt: Date | null },
): Promise<string> {
  const secret = makeSecret('scim');
  const { tenantId, tokenId, name, expiresAt } = token;
  await transact(db, async (tx) => {
    await insertScimToken(tx, { ...token, hash: hashSecret(secret), creator: by.actor });
    await recordAudit(tx, {
      ...by,
      tenantId,
      operation: 'scim_token.create',
      resource: { kind: 'scim_token', id: tokenId },
      detail: { name, expires_at: expiresAt },
    });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
  });
  return secret;
}

/** Revokes a token with effect from the directory's next request. A token that was revoked before stays as it is. */
export async function revokeScimToken(
  tx: Tx,
  by: By,
  { tenantId, tokenId }: { tenantId: string; tokenId: string },
  more: object = {},
): Promise<void> {
  const revoked = await markScimTokenRevoked(tx, tenantId, tokenId);
  if (revoked === null) return;
  await recordAudit(tx, {
    ...by,
    tenantId,
    operation: 'scim_token.revoke',
    resource: { kind: 'scim_token', id: tokenId },
    detail: { name: revoked.name, ...more },
  });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
}

/** SCIM tokens by the hash of their secret. */
export const ISSUED_SCIM_TOKENS = createIssuedKind(
  'scim',
  {
    table: 'scim_tokens',
    id: 'token_id',
    hash: 'token_hash',
    name: sql`name`,
    expiresAt: sql`expires_at`,
    lastUsedAt: sql`last_used_at`,
    createdBy: sql`creator->>'email'`,
    isExpiryNotified: sql`true`,
  },
  async (tx, by, { id, tenant_id: tenantId }) => {
    if (tenantId !== null)
      await revokeScimToken(tx, by, { tenantId, tokenId: id }, { why: 'leaked' });
  },
);
