// Log export keys: secrets with which collectors read the export.
// Main types: `ExportGrant` (what a key opens), `ExportKeyRow` (stored).
// Invariants: the secret is stored sealed and by hash; each issue, reveal and revocation is audited; a revoked key
// never works again.
// Depends on platform/crypto and platform/issued-secrets.
// Start reading at keys.ts, then routes.ts.

import { hashSecret, isSecret } from '@gatewarden/shared/secrets.ts';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import type { ExportScope } from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { BY_OPERATOR } from '../../../platform/audit.ts';
import { ConfigError, UsageError } from '../../../platform/config/config.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { defaultName, issueExportKey, revokeKey, wireExportKey } from './keys.ts';
import { selectExportKeys, selectKeyByHash, selectKeyOfAnyTenant } from './store.ts';

export { ISSUED_EXPORT_KEYS } from './issued.ts';
export { issueExportKey, revealExportKey, SEALED_EXPORT_KEYS } from './keys.ts';
export { createReadMarks, type ReadMarks } from './read-marks.ts';
export { type ExportKeyRouteDeps, registerExportKeys } from './routes.ts';
export { selectActiveKey, selectLaggingKeys } from './store.ts';

export type Endpoint = 'llm' | 'mcp';

/** The scope that a key grants. */
export interface ExportGrant {
  tenantId: string;
  keyId: string;
  scope: ExportScope;
  appId: string | null;
  backendId: string | null;
}

const SCOPES: Record<Endpoint, readonly ExportScope[]> = {
  llm: ['app', 'all_apps'],
  mcp: ['backend', 'all_backends'],
};

/**
 * Returns the grant of a header's key. Throws `invalid_log_export_key` (401) for text that is no key,
 * `log_export_key_inactive` and `wrong_log_export_key` (403) for a key without access now.
 */
export async function authorizeExport(
  db: Db,
  endpoint: Endpoint,
  header: string | string[] | undefined,
): Promise<ExportGrant> {
  const secret = typeof header === 'string' ? header.trim() : '';
  if (!isSecret('logExport', secret)) throw new HubError('invalid_log_export_key');
  const key = await selectKeyByHash(db, hashSecret(secret));
  if (key === null) throw new HubError('invalid_log_export_key');
  // Document 2 names the codes of the export: the message distinguishes a suspension from a revoked key.
  if (key.is_suspended) {
    throw new HubError('log_export_key_inactive', ERRORS.tenant_suspended.message);
  }
  if (key.revoked_at !== null || key.is_expired) {
    throw new HubError('log_export_key_inactive');
  }
  if (!SCOPES[endpoint].includes(key.scope)) throw new HubError('wrong_log_export_key');
  return {
    tenantId: key.tenant_id,
    keyId: key.key_id,
    scope: key.scope,
    appId: key.app_id,
    backendId: key.backend_id,
  };
}

/** Issues a key at the command line. Returns its id and secret. */
export async function createExportKey(
  deps: { db: Db; sealer: Sealer },
  options: {
    tenantId: string;
    scope: ExportScope;
    appId: string | null;
    backendId: string | null;
    name: string | undefined;
    expiresAt: Date | null;
  },
): Promise<{ key_id: string; key: string }> {
  const name = (options.name ?? defaultName(options.scope)).trim();
  if (name === '' || name.length > 200) throw new ConfigError('--name must be 1-200 characters');
  const { key, secret } = await transact(deps.db, (tx) =>
    issueExportKey(tx, deps.sealer, BY_OPERATOR, { ...options, name }),
  );
  return { key_id: key.key_id, key: secret };
}

const LISTED_MAX = 10_000;

/** Returns the keys of a tenant, or of all tenants, without secrets. */
export async function listExportKeys(db: Db, tenantId: string | null) {
  const keys = await selectExportKeys(db, tenantId, undefined, LISTED_MAX);
  return keys.map((key) => ({ tenant_id: key.tenant_id, ...wireExportKey(key) }));
}

/** Revokes a key at the command line. Throws ConfigError if there is no such key. */
export async function revokeByOperator(db: Db, keyId: string): Promise<void> {
  if (!isUuid(keyId)) {
    throw new UsageError('--key-id must be a key id');
  }
  await transact(db, async (tx) => {
    const key = await selectKeyOfAnyTenant(tx, keyId);
    if (key === null) throw new ConfigError(`there is no log-export key ${keyId}`);
    await revokeKey(tx, BY_OPERATOR, key);
  });
}
