// Matches secrets from a text with the keys that this hub issued, and revokes them.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { By } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { IssuedKind, IssuedSecret } from '../../../platform/issued-secrets.ts';
import type { FoundSecret } from './find-secrets.ts';

/** A secret of a text; `issued` is null if no such key is known here, or to this tenant. */
export interface LeakedSecret {
  kind: FoundSecret['kind'];
  line: number;
  /** Eight characters of the hash, as in lists of keys. */
  fingerprint: string;
  issued: IssuedSecret | null;
}

/** Returns the issued key of each secret, in the order of the text. `tenantId` null: keys of any tenant. */
export async function matchIssuedKeys(
  db: Db,
  kinds: readonly IssuedKind[],
  tenantId: string | null,
  found: readonly FoundSecret[],
): Promise<LeakedSecret[]> {
  const hashed = found.map((secret) => ({ ...secret, hash: hashSecret(secret.secret) }));
  const issued = new Map<string, IssuedSecret>();
  for (const kind of kinds) {
    const hashes = hashed
      .filter((secret) => secret.kind === kind.kind)
      .map((secret) => secret.hash);
    if (hashes.length === 0) continue;
    for (const key of await kind.find(db, tenantId, hashes)) {
      issued.set(key.hash.toString('hex'), key);
    }
  }
  return hashed.map(({ kind, line, hash }) => {
    const hex = hash.toString('hex');
    return { kind, line, fingerprint: hex.slice(0, 8), issued: issued.get(hex) ?? null };
  });
}

/** Returns whether a leaked key is still active. */
export const isActive = (leak: LeakedSecret): boolean => leak.issued?.status === 'active';

/** Revokes each active key in a transaction of its own, so that a failure blocks no other key. Returns the errors. */
export async function revokeLeakedKeys(
  db: Db,
  kinds: readonly IssuedKind[],
  by: By,
  leaks: readonly LeakedSecret[],
): Promise<unknown[]> {
  const failed: unknown[] = [];
  for (const { kind, issued } of leaks.filter(isActive)) {
    const owner = kinds.find((candidate) => candidate.kind === kind);
    if (owner === undefined || issued === null) continue;
    await transact(db, (tx) => owner.revoke(tx, by, issued)).catch((error: unknown) => {
      failed.push(error);
    });
  }
  return failed;
}
