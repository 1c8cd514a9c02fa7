// Issues, shows and reveals gateway credentials.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import type { AppKey, AppKeyIssued } from '@gatewarden/shared/wire/management/keys.ts';
import { recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { touchCollection } from '../../../platform/db/collection-versions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { unixSeconds, unixSecondsOrNull } from '../../../platform/http/server/expiry.ts';
import type { Principal } from '../auth/index.ts';
import { type AppKeyRow, insertAppKey, selectAppKeyDocs } from './store.ts';

const NAME_MAX = 120;

export interface NewAppKey {
  name: string;
  expiresAt: Date | null;
}

/** Returns the trimmed name of 1-120 characters. Throws 400 with the pointer. */
export function checkedKeyName(text: string, pointer: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > NAME_MAX) {
    throw new HubError(
      'invalid_request',
      `${pointer} must have 1-${NAME_MAX} characters, without spaces at the ends`,
    );
  }
  return name;
}

/** Issues a key with its audit event; the caller notifies gateway nodes. Throws 409 for a name in use. */
export async function issueAppKey(
  tx: Tx,
  sealer: Sealer,
  by: { principal: Principal; requestId: string },
  appId: string,
  wanted: NewAppKey,
): Promise<AppKeyIssued> {
  const { tenantId, actor } = by.principal;
  const secret = makeSecret('gatewayApp');
  const hash = hashSecret(secret);
  const keyId = randomUUID();
  const stored = await insertAppKey(
    tx,
    { tenantId, appId },
    {
      key_id: keyId,
      name: wanted.name,
      name_folded: foldName(wanted.name),
      secret_hash: hash,
      sealed_secret: sealer.seal(secret, placeOf(tenantId, keyId)),
      fingerprint: hash.toString('hex').slice(0, 8),
      creator: actor,
      expires_at: wanted.expiresAt,
    },
  );
  if (stored === null) {
    throw new HubError('already_exists', 'An active key of this app already has this name.');
  }
  await touchCollection(tx, tenantId, collectionOf(appId));
  await recordAudit(tx, {
    tenantId,
    actor,
    operation: 'key.create',
    resource: { kind: 'key', id: keyId },
    requestId: by.requestId,
    detail: { app_id: appId, name: stored.name, expires_at: stored.expires_at },
    management: true,
  });
  return { ...wireAppKey(stored), secret };
}

export function collectionOf(appId: string): string {
  return `keys/${appId}`;
}

export function revealedSecret(sealer: Sealer, tenantId: string, key: AppKeyRow): string {
  return sealer.unseal(key.sealed_secret, placeOf(tenantId, key.key_id));
}

export const SEALED_KEYS: SealedColumn = {
  table: 'app_keys',
  column: 'sealed_secret',
  key: ['tenant_id', 'key_id'],
};

const placeOf = (tenantId: string, keyId: string) => locationOf(SEALED_KEYS, [tenantId, keyId]);

export function statusOf(key: AppKeyRow): AppKey['status'] {
  if (key.revoked_at !== null) return 'revoked';
  return key.is_expired ? 'expired' : 'active';
}

export function wireAppKey(key: AppKeyRow): AppKey {
  return {
    key_id: key.key_id,
    name: key.name,
    status: statusOf(key),
    fingerprint: key.fingerprint,
    creator: key.creator,
    created_at: unixSeconds(key.created_at),
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: unixSecondsOrNull(key.revoked_at),
    last_used_at: unixSecondsOrNull(key.last_used_at),
    last_used_from: key.last_used_from,
    version: etagOf(key.version),
  };
}

/** Returns keys for gateway nodes, by id: a hash to compare with, never the secret. Revoked keys are left out. */
export async function keyDocs(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, object>> {
  const found = await selectAppKeyDocs(db, tenantId, ids);
  return new Map(
    found.map((key) => [
      key.key_id,
      {
        key_id: key.key_id,
        app_id: key.app_id,
        secret_sha256: key.secret_hash.toString('hex'),
        expires_at: key.expires_at?.toISOString() ?? null,
      },
    ]),
  );
}
