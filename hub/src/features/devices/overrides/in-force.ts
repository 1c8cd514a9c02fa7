// Overrides in force on a device now, newest first, with who decided and why.

import { isInForce, precedes } from '@gatewarden/shared/policy.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type KnownProduct, mayMatch } from '../inventory/match-qualifiers.ts';
import { selectPlatformsOfApps } from '../inventory/scope-store.ts';
import { aimsAt, audienceOf, type Snapshot, type StoredOverride } from '../sync/snapshot.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { selectOwningPolicies } from './list-store.ts';
import { type OverrideRecord, selectOverridesByIds } from './store.ts';

export interface DeviceId {
  device_id: string;
  subscriber_id: string;
}

/** A device with its platform. Its list leaves out policies for other platforms. */
export interface ListedDevice extends DeviceId {
  platform: Platform;
}

/** The overrides in force that aim at the device, as the snapshot has them. */
export async function loadOverridesInForce(
  snapshots: Snapshots,
  tenantId: string,
  device: DeviceId,
): Promise<StoredOverride[]> {
  const snapshot = await snapshots.get(tenantId);
  const audience = audienceOf(snapshot, device.device_id, device.subscriber_id);
  const now = Date.now();
  return snapshot.overrides.filter(
    (override) => isInForce(override, now) && aimsAt(override, audience),
  );
}

/**
 * Returns overrides in force with a revision below `after`, highest first; of a product policy only the highest. Policies
 * for another platform than the device's, and for an app of another platform, are left out.
 */
export async function selectInForce(
  deps: { db: Db; snapshots: Snapshots },
  tenantId: string,
  device: ListedDevice,
  after: number | undefined,
  limit: number,
): Promise<OverrideRecord[]> {
  const overrides = await loadOverridesInForce(deps.snapshots, tenantId, device);
  const ids = overrides.map((override) => override.override_id);
  const [owners, appPlatforms] = await Promise.all([
    selectOwningPolicies(deps.db, tenantId, ids),
    selectPlatformsOfApps(
      deps.db,
      tenantId,
      overrides.flatMap(({ match }) => match.entity_id ?? []),
    ),
  ]);
  const applicable = overrides.filter(({ override_id, match }) => {
    const platforms = [
      owners.get(override_id)?.platform,
      match.platform,
      match.entity_id && appPlatforms.get(match.entity_id),
    ];
    return platforms.every((platform) => !platform || platform === device.platform);
  });
  applicable.sort((a, b) => b.revision - a.revision);
  const policies = Map.groupBy(
    applicable,
    ({ override_id }) => owners.get(override_id)?.policy_id ?? override_id,
  );
  const inForce = [...policies.values()]
    .flatMap(([first]) => first ?? [])
    .filter((override) => after === undefined || override.revision < after)
    .slice(0, limit);
  return selectOverridesByIds(
    deps.db,
    tenantId,
    inForce.map((override) => override.override_id),
  );
}

/** Returns, by override in force and in order of precedence, which of these applications it may decide about, for anybody. */
export function overridesInForceFor(
  snapshot: Snapshot,
  applications: readonly (KnownProduct & { entity_id: string })[],
): Map<string, Set<string>> {
  const now = Date.now();
  const inForce = snapshot.overrides.filter((override) => isInForce(override, now));
  const covering = inForce.flatMap((override) => {
    const covered = applications.filter((application) =>
      mayMatch(override.match, application.entity_id, application),
    );
    const entityIds = new Set(covered.map((application) => application.entity_id));
    return entityIds.size === 0 ? [] : [{ override, entityIds }];
  });
  covering.sort((a, b) => (precedes(a.override, b.override) ? -1 : 1));
  return new Map(covering.map(({ override, entityIds }) => [override.override_id, entityIds]));
}
