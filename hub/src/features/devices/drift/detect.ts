// Launch facts of an app: its launch hashes and its permissions. Only apps that report some can drift. Pure.

/** Difference between an app on a device and the baseline of its approval. */
export interface Drift {
  launchChanged: boolean;
  /** Sorted; permissions that the baseline does not contain. */
  newPermissions: string[];
}

/** The parts of a reported entity that state how it is launched and what it may do. */
export interface LaunchFacts {
  launch_hash?: string | null | undefined;
  instances?:
    | readonly { launch_hash?: string | null; permissions?: readonly string[] | null }[]
    | null
    | undefined;
}

/** Returns true for an app that reports a launch or a permission. */
export const canDrift = (entity: LaunchFacts): boolean =>
  launchHashesOf(entity).size + permissionsOf(entity).size > 0;

/** Returns the permissions of all instances. */
export const permissionsOf = (entity: LaunchFacts): Set<string> =>
  new Set((entity.instances ?? []).flatMap((instance) => instance.permissions ?? []));

/** Returns the launch hashes of the app and of all its instances. */
export function launchHashesOf(entity: LaunchFacts): Set<string> {
  const hashes = [entity, ...(entity.instances ?? [])].map((launched) => launched.launch_hash);
  return new Set(hashes.filter((hash) => hash != null));
}

/** Returns true for an app that reports a launch or a permission that it did not report before. */
export const hasNewFacts = (before: LaunchFacts, after: LaunchFacts): boolean =>
  !launchHashesOf(after).isSubsetOf(launchHashesOf(before)) ||
  !permissionsOf(after).isSubsetOf(permissionsOf(before));
