// Management keys by the hash of their secret.
import { sql } from 'kysely';
import { recordAudit } from '../../../platform/audit.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { createIssuedKind } from '../../../platform/issued-secrets.ts';
import { revokeKey, selectKey } from './store.ts';

export const ISSUED_MANAGEMENT_KEYS = createIssuedKind(
  'management',
  {
    table: 'management_keys',
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
    const before = await selectKey(tx, tenantId, id);
    const revoked = before && (await revokeKey(tx, tenantId, before));
    if (revoked === null) throw new HubError('not_found');
    await recordAudit(tx, {
      ...by,
      tenantId,
      operation: 'management_key.revoke',
      resource: { kind: 'management_key', id },
      detail: { name: revoked.name, why: 'leaked' },
      management: true,
    });
  },
);
