// Issues, reveals and revokes log export keys. The caller checks the app or backend that a key names.

import { randomUUID } from 'node:crypto';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { ExportKey, ExportScope } from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { type By, recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { type ExportKeyRow, insertExportKey, revokeExportKey } from './store.ts';

export interface NewExportKey {
  tenantId: string;
  keyId?: string;
  scope: ExportScope;
  appId: string | null;
  backendId: string | null;
  name: string;
  expiresAt: Date | null;
}

const NAMES: Record<ExportScope, string> = {
  app: 'Logs of an app',
  all_apps: 'Logs of all apps',
  backend: 'Logs of an MCP backend',
  all_backends: 'Logs of all MCP backends',
};

/** Returns the name of a key that was issued without a name. */
export const defaultName = (scope: ExportScope): string => NAMES[scope];

/** Issues a key with its audit event. The secret is returned here and by a reveal. */
export async function issueExportKey(
  tx: Tx,
  sealer: Sealer,
  by: By,
  input: NewExportKey,
): Promise<{ key: ExportKeyRow; secret: string }> {
  const secret = makeSecret('logExport');
  const hash = hashSecret(secret);
  const { keyId = randomUUID() } = input;
  const key = await insertExportKey(tx, {
    tenant_id: input.tenantId,
    key_id: keyId,
    scope: input.scope,
    app_id: input.appId,
    backend_id: input.backendId,
    secret_hash: hash,
    sealed_secret: sealer.seal(secret, sealLocation(input.tenantId, keyId)),
    fingerprint: hash.toString('hex').slice(0, 8),
    name: input.name,
    creator: by.actor,
    expires_at: input.expiresAt,
  });
  await recordKeyChange(tx, by, 'create', key);
  return { key, secret };
}

/** Returns the secret of an active key, with an audit event. Throws `terminal_key_state`. */
export async function revealExportKey(
  tx: Tx,
  sealer: Sealer,
  by: By,
  key: ExportKeyRow,
): Promise<string> {
  if (statusOf(key) !== 'active') throw new HubError('terminal_key_state');
  await recordKeyChange(tx, by, 'reveal', key);
  return sealer.unseal(key.sealed_secret, sealLocation(key.tenant_id, key.key_id));
}

/** Revokes a key at once, in every hub process; a revoked key stays as it is. Throws `precondition_failed`. */
export async function revokeKey(
  tx: Tx,
  by: By,
  key: ExportKeyRow,
  more: object = {},
): Promise<ExportKeyRow> {
  if (key.revoked_at !== null) return key;
  const after = await revokeExportKey(tx, key);
  if (after === null) throw new HubError('precondition_failed');
  await recordKeyChange(tx, by, 'revoke', after, more);
  return after;
}

async function recordKeyChange(
  tx: Tx,
  by: By,
  verb: AuditVerb<'log_export_key'>,
  key: ExportKeyRow,
  more: object = {},
): Promise<void> {
  await notify(tx, { kind: 'page', tenant: key.tenant_id, topic: 'gateway' });
  await recordAudit(tx, {
    tenantId: key.tenant_id,
    actor: by.actor,
    operation: `log_export_key.${verb}`,
    resource: { kind: 'log_export_key', id: key.key_id },
    requestId: by.requestId,
    detail: {
      name: key.name,
      scope: key.scope,
      app_id: key.app_id,
      backend_id: key.backend_id,
      expires_at: key.expires_at,
      ...more,
    },
  });
}

export const SEALED_EXPORT_KEYS: SealedColumn = {
  table: 'log_export_keys',
  column: 'sealed_secret',
  key: ['tenant_id', 'key_id'],
};
const sealLocation = (tenantId: string, keyId: string) =>
  locationOf(SEALED_EXPORT_KEYS, [tenantId, keyId]);

/** Returns the state of a key by the database's clock. */
export function statusOf(key: ExportKeyRow): ExportKey['status'] {
  if (key.revoked_at !== null) return 'revoked';
  return key.is_expired ? 'expired' : 'active';
}

/** Returns a key as the console API sends it, without its secret. */
export function wireExportKey(key: ExportKeyRow): ExportKey {
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    key_id: key.key_id,
    name: key.name,
    scope: key.scope,
    app_id: key.app_id,
    backend_id: key.backend_id,
    fingerprint: key.fingerprint,
    status: statusOf(key),
    created_at: key.created_at.toISOString(),
    expires_at: iso(key.expires_at),
    revoked_at: iso(key.revoked_at),
    last_used_at: iso(key.last_used_at),
    read_up_to: iso(key.read_up_to),
    version: etagOf(key.version),
  };
}
