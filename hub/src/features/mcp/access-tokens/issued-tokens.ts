// Issued tokens by the hash of the secret, for `leaked keys` searches.
import { sql } from 'kysely';
import { recordAudit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { createIssuedKind } from '../../../platform/issued-secrets.ts';
import { invalidateTokenEverywhere } from './access-cache.ts';
import { apiTokenWith, revokeApiToken, revokeOAuthToken } from './store.ts';

/** OAuth tokens of clients. Tokens of the root belong to no tenant, so only the operator finds them. */
export const ISSUED_OAUTH_TOKENS = createIssuedKind(
  'gatewayOAuth',
  {
    table: 'mcp_tokens',
    id: 'token_id',
    hash: 'token_hash',
    name: sql`coalesce(client_name, redirect_host)`,
    expiresAt: sql`null`,
    lastUsedAt: sql`last_used_at`,
    createdBy: sql`email`,
    isExpiryNotified: sql`true`,
  },
  async (tx, by, { id, tenant_id: tenantId }) => {
    const found = await revokeOAuthToken(tx, id, tenantId === null ? null : { tenantId });
    if (found === null) return;
    await invalidateToken(tx, tenantId, found.hash);
    if (tenantId === null) return;
    await recordAudit(tx, {
      ...by,
      tenantId,
      operation: 'mcp_token.revoke',
      resource: { kind: 'mcp_token', id },
      detail: {
        email: found.token.email,
        client_name: found.token.client_name,
        why: 'leaked',
      },
    });
  },
);

export const ISSUED_API_TOKENS = createIssuedKind(
  'directApi',
  {
    table: 'mcp_api_tokens',
    id: 'token_id',
    hash: 'token_hash',
    name: sql`name`,
    expiresAt: sql`expires_at`,
    lastUsedAt: sql`last_used_at`,
    createdBy: sql`creator->>'email'`,
    isExpiryNotified: sql`true`,
  },
  async (tx, by, { id: tokenId, tenant_id: tenantId }) => {
    const token = tenantId === null ? null : await apiTokenWith(tx, tenantId, tokenId);
    if (tenantId === null || token === null) return;
    const found = await revokeApiToken(tx, { tenantId, backendId: token.backend_id, tokenId });
    if (found === null) return;
    await invalidateToken(tx, tenantId, found.hash);
    await recordAudit(tx, {
      ...by,
      tenantId,
      operation: 'mcp_api_token.revoke',
      resource: { kind: 'mcp_api_token', id: tokenId },
      detail: { name: found.token.name, why: 'leaked' },
    });
  },
);

async function invalidateToken(tx: Tx, tenantId: string | null, hash: Buffer): Promise<void> {
  await invalidateTokenEverywhere(tx, hash);
  if (tenantId !== null) await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
}
