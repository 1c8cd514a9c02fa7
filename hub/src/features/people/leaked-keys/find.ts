// What stands behind secrets that somebody found, and its end.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { By } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { IssuedKind, IssuedSecret } from '../../../platform/issued-secrets.ts';
import type { FoundSecret } from './rules.ts';

/** One secret of a text; `issued` is null where no such key is known (here, or to this tenant). */
export interface Leak {
  kind: FoundSecret['kind'];
  line: number;
  /** Eight characters of the hash, as keys are listed. */
  fingerprint: string;
  issued: IssuedSecret | null;
}

/** In the order of the text; null: keys of any tenant. */
export async function behind(
  db: Db,
  kinds: readonly IssuedKind[],
  tenantId: string | null,
  found: readonly FoundSecret[],
): Promise<Leak[]> {
  const hashed = found.map((one) => ({ ...one, hash: hashSecret(one.secret) }));
  const issued = new Map<string, IssuedSecret>();
  for (const kind of kinds) {
    const hashes = hashed.filter((one) => one.kind === kind.kind).map((one) => one.hash);
    if (hashes.length === 0) continue;
    for (const one of await kind.find(db, tenantId, hashes)) {
      issued.set(one.hash.toString('hex'), one);
    }
  }
  return hashed.map(({ kind, line, hash }) => {
    const hex = hash.toString('hex');
    return { kind, line, fingerprint: hex.slice(0, 8), issued: issued.get(hex) ?? null };
  });
}

export const isOpen = (leak: Leak): boolean => leak.issued?.status === 'active';

/** Ends each that works, each in a transaction of its own; gives what went wrong: one that cannot be ended holds up none. */
export async function endAll(
  db: Db,
  kinds: readonly IssuedKind[],
  by: By,
  leaks: readonly Leak[],
): Promise<unknown[]> {
  const failed: unknown[] = [];
  for (const { kind, issued } of leaks.filter(isOpen)) {
    const owner = kinds.find((one) => one.kind === kind);
    if (owner === undefined || issued === null) continue;
    await transact(db, (tx) => owner.revoke(tx, by, issued)).catch((error: unknown) => {
      failed.push(error);
    });
  }
  return failed;
}
