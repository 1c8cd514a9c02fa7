// Gateway credentials by the hash of their secret. Gateway nodes learn of a revocation like of any other.
import { sql } from 'kysely';
import { recordAudit } from '../../../platform/audit.ts';
import { announceConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { createIssuedKind } from '../../../platform/issued-secrets.ts';
import { revokeAppKey, selectKeyOfAnyApp } from './store.ts';

export const ISSUED_APP_KEYS = createIssuedKind(
  'gatewayApp',
  {
    table: 'app_keys',
    id: 'key_id',
    hash: 'secret_hash',
    name: sql`name`,
    expiresAt: sql`expires_at`,
    lastUsedAt: sql`last_used_at`,
    createdBy: sql`creator->>'email'`,
    isExpiryNotified: sql`true`,
  },
  async (tx, by, { id, tenant_id: tenantId }) => {
    if (tenantId === null) throw new HubError('not_found');
    const before = await selectKeyOfAnyApp(tx, tenantId, id);
    const revoked = before && (await revokeAppKey(tx, tenantId, before));
    if (before === null || revoked === null) throw new HubError('not_found');
    await recordAudit(tx, {
      ...by,
      tenantId,
      operation: 'key.revoke',
      resource: { kind: 'key', id },
      detail: {
        app_id: before.app_id,
        name: revoked.name,
        expires_at: revoked.expires_at,
        why: 'leaked',
      },
      management: true,
    });
    await announceConfiguration(tx, tenantId, [{ kind: 'key', id, deleted: true }]);
  },
);
