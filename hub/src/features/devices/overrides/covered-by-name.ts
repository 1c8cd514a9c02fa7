// Apps that an override covers by their name for the whole tenant: they await no review of their own.
import { foldName } from '@gatewarden/shared/names.ts';
import { isInForce, precedes } from '@gatewarden/shared/policy.ts';
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { CoveredByName } from '../inventory/covered-products-store.ts';
import { mayMatch } from '../inventory/match-qualifiers.ts';
import { selectProductsNamed } from '../inventory/scope-store.ts';
import type { Snapshot, StoredOverride } from '../sync/snapshot.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';

/** Returns the lookup of apps covered by name. Other qualifiers (publisher, kind, platform) must fit the inventory, too. */
export function coveredByName({ db, snapshots }: { db: Db; snapshots: Snapshots }): CoveredByName {
  // A tenant may have a hundred thousand decisions; the few by name are looked for once for each snapshot.
  const known = new WeakMap<Snapshot, readonly StoredOverride[]>();
  return async (tenantId) => {
    const snapshot = await snapshots.get(tenantId);
    const named = known.get(snapshot) ?? snapshot.overrides.filter(isByName);
    known.set(snapshot, named);
    const now = Date.now();
    const inForce = named.filter((override) => isInForce(override, now));
    if (inForce.length === 0) return [];
    const byName = Map.groupBy(inForce, (override) => foldName(override.match.name ?? ''));
    const products = await selectProductsNamed(db, tenantId, [...byName.keys()]);
    return products.flatMap(({ entity_id, may_drift, ...product }) => {
      const mayDrift = DRIFTING.has(product.kind) || may_drift;
      const deciding = (byName.get(foldName(product.name)) ?? [])
        .filter((override) => mayMatch(override.match, entity_id, product))
        .filter((override) => !(isApproval(override) && mayDrift))
        .reduce<StoredOverride | null>(
          (best, override) => (best === null || goesBefore(override, best) ? override : best),
          null,
        );
      if (deciding === null) return [];
      const { override_id, approval_status, execution_policy } = deciding;
      return [{ entity_id, override_id, approval_status, execution_policy }];
    });
  };
}

const isApproval = (override: StoredOverride) => override.approval_status === 'approved';

/**
 * Kinds that can always drift. Other apps can drift if they report a launch or a permission. An app that can drift needs an
 * approval by its id, because drift only suspends such approvals.
 */
const DRIFTING: ReadonlySet<EntityKind> = new Set([
  'browser_extension',
  'ide_extension',
  'mcp_server',
]);

/** Returns true for an override of whole apps by name: a file or a version is only a part of an app. */
const isByName = ({ match, ...row }: StoredOverride) =>
  !row.deleted &&
  row.scope_kind === 'tenant' &&
  row.rollout_percent > 0 &&
  match.name !== undefined &&
  match.entity_id === undefined &&
  match.executable_sha256 === undefined &&
  match.version_below === undefined;

/** Returns true if `a` decides before `b`: a complete rollout precedes a partial rollout, as for overrides by id. */
function goesBefore(a: StoredOverride, b: StoredOverride): boolean {
  const [aIsForAll, bIsForAll] = [a.rollout_percent === 100, b.rollout_percent === 100];
  return aIsForAll === bIsForAll ? precedes(a, b) : aIsForAll;
}
