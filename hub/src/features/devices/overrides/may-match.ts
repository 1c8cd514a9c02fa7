// Which decisions an application may fall under, as far as the inventory knows it. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import { fitsKindAndPlatform, type SubjectProduct } from './match-subject.ts';

export interface KnownProduct extends Pick<SubjectProduct, 'kind' | 'platform'> {
  name: string;
  publisher: string | null;
}

/**
 * True where nothing that the match names speaks against the application. Versions differ by device, so they are left
 * out; of a file's hash nothing is known unless the match names the application too. Without a product (nobody has it) only
 * its id can be named.
 */
export function mayMatch(
  match: OverrideMatch,
  entityId: string,
  product: KnownProduct | null,
): boolean {
  if (match.entity_id !== undefined) return match.entity_id === entityId;
  if (product === null || match.executable_sha256 !== undefined) return false;
  return (
    fitsKindAndPlatform(match, product) &&
    matchesName(match.name, product.name) &&
    matchesName(match.publisher, product.publisher)
  );
}

const matchesName = (wanted: string | undefined, name: string | null) =>
  wanted === undefined || (name !== null && foldName(wanted) === foldName(name));
