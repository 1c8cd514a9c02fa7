// The baseline of an approved app: fingerprints of the launches and permissions that were reviewed. An approval records what
// the devices of its audience have.
import type { Tx } from '../../../platform/db/database.ts';
import {
  hasBaseline,
  insertBaseline,
  installationPages,
  selectLaunchVariants,
  selectMayDrift,
} from './baseline-store.ts';
import type { DriftedEntity } from './drift-store.ts';
import {
  type Drift,
  fingerprintsOf,
  type LaunchFingerprints,
  type ReportedLaunch,
} from './fingerprint.ts';

/** Returns those of the entities that an approval in force covers on their device. */
export type ApprovedAmong = (
  tx: Tx,
  tenantId: string,
  entities: readonly DriftedEntity[],
) => Promise<readonly DriftedEntity[]>;

/** The devices that approvals of an app are for. `only` lists them if they are few; null if they may be many. */
export type ApprovalAudience =
  | 'everybody'
  | { among: ApprovedAmong; only: readonly string[] | null };

/** Returns all fingerprints of an app on a device. */
export const allFingerprints = ({ launches, exact, permissions }: LaunchFingerprints): string[] => [
  ...launches,
  ...(exact === null ? [] : [exact]),
  ...permissions.keys(),
];

/** Returns the fingerprints of an app as these devices report it. */
export function baselineOf(reports: Iterable<ReportedLaunch>): Set<string> {
  const fingerprints = new Set<string>();
  for (const reported of reports) {
    for (const fingerprint of allFingerprints(fingerprintsOf(reported)))
      fingerprints.add(fingerprint);
  }
  return fingerprints;
}

/** Returns how a device differs from the baseline; null if it does not. */
export function diffAgainstBaseline(
  { launches, exact, permissions }: LaunchFingerprints,
  baseline: ReadonlySet<string>,
): Drift | null {
  const isExact = exact !== null && baseline.has(exact);
  const launchChanged = !isExact && !launches.isSubsetOf(baseline);
  const newPermissions = [...permissions]
    .flatMap(([fingerprint, permission]) => (baseline.has(fingerprint) ? [] : permission))
    .sort();
  return launchChanged || newPermissions.length > 0 ? { launchChanged, newPermissions } : null;
}

/**
 * Records a review: the app as the audience's devices have it now is added to the baseline, except on devices that await a
 * review or are `excluded`. If no device of the audience has the app, the first baseline is the app as other devices have
 * it. If no device has it, nothing is recorded, and the first device of the audience defines the baseline.
 */
export async function recordBaseline(
  tx: Tx,
  tenantId: string,
  entityId: string,
  { audience, excluded = [] }: { audience: ApprovalAudience; excluded?: readonly string[] },
): Promise<void> {
  const mayDrift = await selectMayDrift(tx, tenantId, entityId);
  if (mayDrift === null) return;
  if (!mayDrift) return insertBaseline(tx, tenantId, entityId, []);
  if (audience !== 'everybody') {
    const isPresent = await recordOfAudience(tx, tenantId, entityId, { audience, excluded });
    if (isPresent || (await hasBaseline(tx, tenantId, entityId))) return;
  }
  const variants = await selectLaunchVariants(tx, tenantId, entityId, excluded);
  await insertBaseline(tx, tenantId, entityId, baselineOf(variants));
}

/** Records the app on devices of a part of the tenant. Returns false if none of them has it. */
async function recordOfAudience(
  tx: Tx,
  tenantId: string,
  entityId: string,
  review: { audience: Exclude<ApprovalAudience, 'everybody'>; excluded: readonly string[] },
): Promise<boolean> {
  const { among, only } = review.audience;
  let isPresent = false;
  for await (const page of installationPages(tx, tenantId, entityId, { only })) {
    const entities = page.map((installation) => installation.entity);
    const covered = new Set(await among(tx, tenantId, entities));
    if (covered.size === 0) continue;
    isPresent = true;
    const reviewed = page.filter(
      ({ entity, isAwaitingReview }) =>
        covered.has(entity) && !isAwaitingReview && !review.excluded.includes(entity.device_id),
    );
    const fingerprints = baselineOf(reviewed.map(({ reported }) => reported));
    await insertBaseline(tx, tenantId, entityId, fingerprints);
  }
  return isPresent;
}
