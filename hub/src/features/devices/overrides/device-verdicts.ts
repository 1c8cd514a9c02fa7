// The policies that decide about the apps of a device, as far as the inventory knows the apps: the hash of a running file is
// unknown here.
import type { OwningEntity } from '@gatewarden/shared/match-qualifiers.ts';
import { type Decision, decide, endsProcesses } from '@gatewarden/shared/policy.ts';
import type { Db } from '../../../platform/db/database.ts';
import { selectEntitiesOf } from '../inventory/scope-store.ts';
import type { StoredOverride } from '../sync/snapshot.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { type ListedDevice, loadOverridesInForce } from './in-force.ts';
import { selectOwningPolicies } from './list-store.ts';

/** Returns the decision about each of these apps of the device, by entity id. */
export async function decideAboutApps(
  snapshots: Snapshots,
  tenantId: string,
  device: ListedDevice,
  apps: readonly OwningEntity[],
): Promise<ReadonlyMap<string, Decision<StoredOverride>>> {
  return decideEach(device, apps, await loadOverridesInForce(snapshots, tenantId, device));
}

function decideEach(
  device: ListedDevice,
  apps: readonly OwningEntity[],
  inForce: readonly StoredOverride[],
): ReadonlyMap<string, Decision<StoredOverride>> {
  const ids = new Set(apps.map((app) => app.entity_id));
  // A tenant may have a hundred thousand overrides, nearly all of them for a single app.
  const candidates = inForce.filter(
    ({ match }) => match.entity_id === undefined || ids.has(match.entity_id),
  );
  const now = Date.now();
  return new Map(
    apps.map((app) => {
      const { name, publisher } = app;
      const facts = { name, application_name: null, publisher, sha256: null, entities: [app] };
      return [app.entity_id, decide(device, facts, candidates, now)];
    }),
  );
}

/** Returns an app of the device for each override and product policy that ends its processes there, by the id of the policy. */
export async function selectStoppedApps(
  { db, snapshots }: { db: Db; snapshots: Snapshots },
  tenantId: string,
  device: ListedDevice,
): Promise<ReadonlyMap<string, string>> {
  const inForce = await loadOverridesInForce(snapshots, tenantId, device);
  const apps = await selectEntitiesOf(db, tenantId, {
    deviceIds: [device.device_id],
    entityIds: inForce
      .filter((override) => endsProcesses(override.execution_policy))
      .flatMap(({ match }) => match.entity_id ?? []),
  });
  const stopped = [...decideEach(device, apps, inForce)].flatMap(([entityId, { override }]) =>
    override !== null && endsProcesses(override.execution_policy)
      ? [{ entityId, overrideId: override.override_id }]
      : [],
  );
  const owners = await selectOwningPolicies(
    db,
    tenantId,
    stopped.map(({ overrideId }) => overrideId),
  );
  return new Map(
    stopped.flatMap(({ entityId, overrideId }) => {
      const owner = owners.get(overrideId)?.policy_id;
      return [overrideId, ...(owner === undefined ? [] : [owner])].map((id) => [id, entityId]);
    }),
  );
}

/** Returns the ids of stopped starts of which the app is on the device and may run by now. */
export async function selectReleasedStarts(
  { db, snapshots }: { db: Db; snapshots: Snapshots },
  tenantId: string,
  device: ListedDevice,
  events: readonly { activity_id: string; entity_id: string | null; override_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const inForce = await loadOverridesInForce(snapshots, tenantId, device);
  // Only the device knows which file runs: its report about an override by file hash decides.
  const byFile = new Set(
    inForce
      .filter(({ match }) => match.executable_sha256 !== undefined)
      .map(({ override_id }) => override_id),
  );
  const apps = await selectEntitiesOf(db, tenantId, {
    deviceIds: [device.device_id],
    entityIds: events.flatMap((event) => event.entity_id ?? []),
  });
  const decisions = decideEach(device, apps, inForce);
  const released = events.filter(({ entity_id: entityId, override_id: overrideId }) => {
    const decision = decisions.get(entityId ?? '');
    return (
      decision !== undefined && !endsProcesses(decision.policy) && !byFile.has(overrideId ?? '')
    );
  });
  return new Set(released.map((event) => event.activity_id));
}
