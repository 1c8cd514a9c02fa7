// Compares the subjects of two overrides: by entity id, by name, by file. Pure.
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '@gatewarden/shared/names.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import {
  areDisjoint,
  fitsKindAndPlatform,
  type KnownProduct,
} from '../inventory/match-qualifiers.ts';

/** A product that a match may mean, as the inventory knows it. */
export interface SubjectProduct extends Pick<KnownProduct, 'kind' | 'platform'> {
  entity_id: string;
  name_folded: string;
}

/** A match with the apps that it selects: by its id, or by its name. */
export interface Subject {
  match: OverrideMatch;
  products: readonly SubjectProduct[];
}

/** Returns the subject of a match among these apps. */
export function subjectOf(match: OverrideMatch, known: readonly SubjectProduct[]): Subject {
  const name = match.name === undefined ? undefined : foldName(match.name);
  const products = known.filter(
    (product) =>
      (match.entity_id === undefined
        ? product.name_folded === name
        : product.entity_id === match.entity_id) && fitsKindAndPlatform(match, product),
  );
  return { match, products };
}

/**
 * Returns true if both matches may select the same app. A narrower match (a platform, old versions) has the same subject;
 * matches by publisher or kind alone must be equal.
 */
export function concernsSame({ match, products }: Subject, other: OverrideMatch): boolean {
  if (isDeepStrictEqual(match, other)) return true;
  if (match.executable_sha256 !== other.executable_sha256 || areDisjoint(match, other))
    return false;
  if (match.executable_sha256 !== undefined) return true;
  if (match.entity_id !== undefined && other.entity_id !== undefined) {
    return match.entity_id === other.entity_id;
  }
  if (other.entity_id !== undefined) {
    return products.some((product) => product.entity_id === other.entity_id);
  }
  if (other.name === undefined) return false;
  const name = foldName(other.name);
  if (match.name !== undefined && foldName(match.name) === name) return true;
  return products.some(
    (product) => product.name_folded === name && fitsKindAndPlatform(other, product),
  );
}

/** Returns the index keys of a subject. Two matches with the same subject share a key. */
export function indexKeysOf({ match, products }: Subject): string[] {
  return [...new Set([indexKeyOf(match), ...products.flatMap(indexKeysOfProduct)])];
}

/** Returns the word under which a match is stored. */
export function indexKeyOf(match: OverrideMatch): string {
  if (match.executable_sha256 !== undefined) return `file ${match.executable_sha256}`;
  if (match.entity_id !== undefined) return `id ${match.entity_id}`;
  return match.name === undefined ? 'rest' : `name ${foldName(match.name)}`;
}

const indexKeysOfProduct = (product: SubjectProduct) => [
  `id ${product.entity_id}`,
  `name ${product.name_folded}`,
];
