// Drift: an approval is for what was there when it was given. What launches otherwise, or may do more, is to be reviewed.
// Pure.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

export interface Drift {
  launchChanged: boolean;
  /** Sorted; permissions that it did not have before. */
  newPermissions: string[];
}

type Launched = Pick<WireEntity, 'launch_hash' | 'instances'>;

/** All that any of its instances may do. */
export function permissionsOf(entity: Launched): Set<string> {
  return new Set((entity.instances ?? []).flatMap((one) => one.permissions ?? []));
}

/** What launches it, over all places where it stands on the device. */
function launchesOf(entity: Launched): string {
  const hashes = [entity.launch_hash, ...(entity.instances ?? []).map((one) => one.launch_hash)];
  return [...new Set(hashes.filter((hash) => hash != null))].sort().join(' ');
}

/** Null where nothing drifted. Fewer permissions are no drift, nor is a new version that launches alike. */
export function driftOf(before: Launched, after: Launched): Drift | null {
  const had = permissionsOf(before);
  const newPermissions = [...permissionsOf(after)].filter((one) => !had.has(one)).sort();
  const [launchedBefore, launches] = [launchesOf(before), launchesOf(after)];
  const launchChanged = launchedBefore !== '' && launches !== launchedBefore;
  return launchChanged || newPermissions.length > 0 ? { launchChanged, newPermissions } : null;
}
