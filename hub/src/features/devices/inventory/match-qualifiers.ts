// Qualifiers of overrides as far as the inventory can answer them: whether an app may satisfy a value, and the SQL that selects
// entities. A new qualifier gets a row here, in shared/match-qualifiers.ts and in the texts of the console.
import {
  type QualifierName,
  type QualifierValues,
  qualifiersOf,
} from '@gatewarden/shared/match-qualifiers.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import type { EntityKind, Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { mayFoldTo } from '../../../platform/db/name-folding.ts';

/** An app as the inventory knows it, over all devices. */
export interface KnownProduct {
  kind: EntityKind;
  platform: Platform;
  name: string;
  publisher: string | null;
}

interface InventoryQualifier {
  /** Returns false if no device can have the app with this value. Absent: unknown per app. */
  fits?: (value: string, product: KnownProduct) => boolean;
  /** Condition on `entities e`; rows that it selects may still not match. Absent: SQL cannot compare. */
  sql?: (value: string) => RawBuilder<unknown>;
  /** True if an app cannot satisfy two different values. */
  isExclusive: boolean;
}

const INVENTORY_QUALIFIERS: Record<QualifierName, InventoryQualifier> = {
  // The hash of a file belongs to no app.
  executable_sha256: { fits: () => false, isExclusive: true },
  entity_id: { sql: (value) => sql`e.entity_id = decode(${value}, 'hex')`, isExclusive: true },
  // An app may have several names. SQL joins the folded name of the app: see `selectMatchingEntities`.
  name: { fits: (value, { name }) => foldName(value) === foldName(name), isExclusive: false },
  publisher: {
    fits: (value, { publisher }) => publisher !== null && foldName(value) === foldName(publisher),
    sql: (value) => mayFoldTo(sql`e.publisher`, [foldName(value)]),
    isExclusive: true,
  },
  platform: { fits: (value, { platform }) => value === platform, isExclusive: true },
  kind: {
    fits: (value, { kind }) => value === kind,
    sql: (value) => sql`e.kind = ${value}`,
    isExclusive: true,
  },
  // Versions differ by device.
  version_below: { isExclusive: false },
};

/** Returns the conditions on `entities e` that a match has, joined by AND. */
export function entityConditions(match: QualifierValues): RawBuilder<unknown> {
  const conditions = qualifiersOf(match).flatMap(
    ({ name, value }) => INVENTORY_QUALIFIERS[name].sql?.(value) ?? [],
  );
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/**
 * Returns true for an app that a match may select, as far as the inventory knows it. Without a product (no device has the
 * app) only its id can be named.
 */
export function mayMatch(
  match: QualifierValues,
  entityId: string,
  product: KnownProduct | null,
): boolean {
  if (match.entity_id !== undefined) return match.entity_id === entityId;
  return product !== null && fitsProduct(match, product);
}

function fitsProduct(match: QualifierValues, product: KnownProduct): boolean {
  return qualifiersOf(match).every(
    ({ name, value }) => INVENTORY_QUALIFIERS[name].fits?.(value, product) ?? true,
  );
}

/** Returns true if kind and platform of a match do not exclude an app. */
export const fitsKindAndPlatform = (
  { kind, platform }: QualifierValues,
  product: Pick<KnownProduct, 'kind' | 'platform'>,
): boolean => fitsProduct({ kind, platform }, { ...product, name: '', publisher: null });

/** Returns true for two matches that no app satisfies both of. Ids and hashes of files are not compared. */
export function areDisjoint(a: QualifierValues, b: QualifierValues): boolean {
  const { entity_id: _id, executable_sha256: _hash, ...comparable } = a;
  return qualifiersOf(comparable).some(({ name, value }) => {
    const other = b[name];
    return (
      INVENTORY_QUALIFIERS[name].isExclusive &&
      other !== undefined &&
      foldName(value) !== foldName(other)
    );
  });
}
