// Drift: an approval is for what was there when it was given. What launches otherwise, or may do more, is to be reviewed.
// Pure.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

export interface Drift {
  launchChanged: boolean;
  /** Sorted; permissions that it did not have before. */
  newPermissions: string[];
}

type Launched = Pick<WireEntity, 'launch_hash' | 'instances'>;

/** As far as it says how it is launched and what it may do. */
export interface LaunchFacts {
  launch_hash?: string | null | undefined;
  instances?:
    | readonly { launch_hash?: string | null; permissions?: readonly string[] | null }[]
    | null
    | undefined;
}

/** True where it is said how it is launched or what it may do: both can change. */
export function canDrift(entity: LaunchFacts): boolean {
  return (
    hasLaunchHash(entity) ||
    (entity.instances ?? []).some((instance) => (instance.permissions ?? []).length > 0)
  );
}

/** All that any of its instances may do. */
export function permissionsOf(entity: LaunchFacts): Set<string> {
  return new Set((entity.instances ?? []).flatMap((instance) => instance.permissions ?? []));
}

type Instance = NonNullable<Launched['instances']>[number];

const hasLaunchHash = (entity: LaunchFacts): boolean =>
  entity.launch_hash != null ||
  (entity.instances ?? []).some((instance) => instance.launch_hash != null);

/** Where an instance stands: one configuration of one person. */
const instanceKeyOf = ({ owner, path, name }: Instance) => JSON.stringify([owner, path, name]);

function hashesBy(entity: Launched, keyOf: (row: Instance) => string): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>();
  for (const instance of entity.instances ?? []) {
    if (instance.launch_hash == null) continue;
    const key = keyOf(instance);
    result.set(key, (result.get(key) ?? new Set()).add(instance.launch_hash));
  }
  return result;
}

/**
 * Each instance is held against what stood in its place; a new one against what its owner had, else against all. So one
 * that goes is no drift, two that change places are, and so is a launch that was not known before.
 */
function hasLaunchChanged(before: Launched, after: Launched): boolean {
  // Most of what changes is launched by nothing that is known.
  if (!hasLaunchHash(before) && !hasLaunchHash(after)) return false;
  const places = hashesBy(before, instanceKeyOf);
  const owners = hashesBy(before, (row) => row.owner ?? '');
  const all = new Set([...places.values()].flatMap((hashes) => [...hashes]));
  if (before.launch_hash != null) all.add(before.launch_hash);
  for (const instance of after.instances ?? []) {
    const here = places.get(instanceKeyOf(instance));
    if (instance.launch_hash != null) {
      const known = here ?? owners.get(instance.owner ?? '') ?? all;
      if (!known.has(instance.launch_hash)) return true;
    } else if (here !== undefined && !here.has(after.launch_hash ?? '')) return true;
  }
  if (after.launch_hash != null) return !all.has(after.launch_hash);
  return before.launch_hash != null && hashesBy(after, instanceKeyOf).size === 0;
}

/** Null where nothing drifted. Fewer permissions are no drift, nor is a new version that launches alike. */
export function detectDrift(before: Launched, after: Launched): Drift | null {
  const had = permissionsOf(before);
  const newPermissions = [...permissionsOf(after)].filter((text) => !had.has(text)).sort();
  const launchChanged = hasLaunchChanged(before, after);
  return launchChanged || newPermissions.length > 0 ? { launchChanged, newPermissions } : null;
}
