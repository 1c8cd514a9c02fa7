// Log export keys by the hash of their secret.
import { sql } from 'kysely';
import { createIssuedKind } from '../../../platform/issued-secrets.ts';
import { revokeKey } from './keys.ts';
import { selectKeyOfAnyTenant } from './store.ts';

export const ISSUED_EXPORT_KEYS = createIssuedKind(
  'logExport',
  {
    table: 'log_export_keys',
    id: 'key_id',
    hash: 'secret_hash',
    name: sql`name`,
    expiresAt: sql`expires_at`,
    lastUsedAt: sql`last_used_at`,
    createdBy: sql`creator->>'email'`,
    isExpiryNotified: sql`true`,
  },
  async (tx, by, { id }) => {
    const key = await selectKeyOfAnyTenant(tx, id);
    if (key !== null) await revokeKey(tx, by, key, { why: 'leaked' });
  },
);
