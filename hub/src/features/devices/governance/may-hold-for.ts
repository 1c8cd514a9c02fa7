// Which decisions an application may fall under, as far as the inventory knows it. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { EntityKind, Platform } from '@gatewarden/shared/wire/vocabulary.ts';

export interface KnownProduct {
  name: string;
  kind: EntityKind;
  platform: Platform;
  publisher: string | null;
}

/**
 * True where nothing that the match names speaks against the application. Versions differ by device, so they are left
 * out; of a file's hash nothing is known unless the match names the application too. Without a product (nobody has it) only
 * its id can be named.
 */
export function mayHoldFor(
  match: OverrideMatch,
  entityId: string,
  product: KnownProduct | null,
): boolean {
  if (match.entity_id !== undefined) return match.entity_id === entityId;
  if (product === null || match.executable_sha256 !== undefined) return false;
  return (
    (match.kind ?? product.kind) === product.kind &&
    (match.platform ?? product.platform) === product.platform &&
    isNamed(match.name, product.name) &&
    isNamed(match.publisher, product.publisher)
  );
}

const isNamed = (wanted: string | undefined, name: string | null) =>
  wanted === undefined || (name !== null && foldName(wanted) === foldName(name));
