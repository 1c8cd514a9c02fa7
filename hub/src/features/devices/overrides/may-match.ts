// Which decisions an application may fall under, as far as the inventory knows it. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import { type MeantProduct, mayMean } from './match-subject.ts';

export interface KnownProduct extends Pick<MeantProduct, 'kind' | 'platform'> {
  name: string;
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
    mayMean(match, product) &&
    isNamed(match.name, product.name) &&
    isNamed(match.publisher, product.publisher)
  );
}

const isNamed = (wanted: string | undefined, name: string | null) =>
  wanted === undefined || (name !== null && foldName(wanted) === foldName(name));
