// Records what an approval covered, and compares later observations with it. A device that reports other launches or
// permissions drifts in the same way as a device whose app changed.

import type { Tx } from '../../../platform/db/database.ts';
import {
  allFingerprints,
  type BaselineEntry,
  baselineOf,
  diffAgainstBaseline,
  stateEntry,
  toBaseline,
} from './baseline-rules.ts';
import {
  insertBaseline,
  installationPages,
  type LaunchObservation,
  selectBaselines,
  selectLaunchVariants,
  selectMayDrift,
} from './baseline-store.ts';
import { canDrift } from './detect.ts';
import type { DriftedEntity, DriftRow } from './drift-store.ts';
import { fingerprintsOf, type ReportedLaunch } from './fingerprint.ts';

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

/**
 * Records a review: the app as the audience's devices have it now becomes the baseline, except on devices that await a
 * review or are `excluded`. If no device of the audience has the app and nothing was reviewed before, the other devices'
 * variants were reviewed. If no device has the app, nothing is recorded, and the first device defines the baseline.
 */
export async function recordBaseline(
  tx: Tx,
  tenantId: string,
  entityId: string,
  review: { audience: ApprovalAudience; excluded?: readonly string[] },
): Promise<void> {
  const mayDrift = await selectMayDrift(tx, tenantId, entityId);
  if (mayDrift === null) return;
  const collected = mayDrift
    ? await collectFromDevices(tx, tenantId, entityId, review)
    : baselineOf([]);
  const entries = collected ?? (await collectFromOthers(tx, tenantId, entityId, review.excluded));
  await insertBaseline(tx, tenantId, entityId, entries);
}

/** Records a baseline for an approval that has none. Variants of devices outside the audience do not count as reviewed. */
export async function seedBaseline(
  tx: Tx,
  tenantId: string,
  entityId: string,
  audience: ApprovalAudience,
): Promise<void> {
  const mayDrift = await selectMayDrift(tx, tenantId, entityId);
  if (mayDrift === null) return;
  const collected = mayDrift
    ? await collectFromDevices(tx, tenantId, entityId, { audience })
    : baselineOf([]);
  const entries = collected ?? [stateEntry('awaiting_first_device')];
  await insertBaseline(tx, tenantId, entityId, entries);
}

/** Returns entries from the audience's devices; null if none of them has the app. */
async function collectFromDevices(
  tx: Tx,
  tenantId: string,
  entityId: string,
  { audience, excluded = [] }: Parameters<typeof recordBaseline>[3],
): Promise<BaselineEntry[] | null> {
  if (audience === 'everybody') {
    return baselineOf(await selectLaunchVariants(tx, tenantId, entityId, excluded));
  }
  const reviewed = new Map<string, BaselineEntry>();
  let hasAny = false;
  const filter = { includeDrifted: true, only: audience.only };
  for await (const page of installationPages(tx, tenantId, entityId, filter)) {
    const entities = page.map((installation) => installation.entity);
    const covered = new Set(await audience.among(tx, tenantId, entities));
    const reports: ReportedLaunch[] = [];
    for (const { entity, reported, isAwaitingReview } of page) {
      if (!covered.has(entity) || !canDrift(reported)) continue;
      hasAny = true;
      if (!isAwaitingReview && !excluded.includes(entity.device_id)) reports.push(reported);
    }
    for (const entry of baselineOf(reports)) reviewed.set(entry.kind + entry.fingerprint, entry);
  }
  return hasAny ? [...reviewed.values()] : null;
}

async function collectFromOthers(
  tx: Tx,
  tenantId: string,
  entityId: string,
  excluded: readonly string[] = [],
): Promise<BaselineEntry[]> {
  const existing = (await selectBaselines(tx, tenantId, [entityId], [])).get(entityId);
  if (existing?.state === 'reviewed') return [];
  const audience = 'everybody';
  return (
    (await collectFromDevices(tx, tenantId, entityId, { audience, excluded })) ?? baselineOf([])
  );
}

/** Result of comparing observations with baselines. `baselines` are to be stored after the drifts. */
export interface ObservationResult {
  drifts: DriftRow[];
  baselines: { entityId: string; entries: BaselineEntry[] }[];
}

/**
 * Compares observations of approved apps with their baselines. Where no device of the audience had the app before, these
 * observations define the baseline. An app whose baseline is missing is not compared: a job seeds it.
 */
export async function compareObservations(
  tx: Tx,
  tenantId: string,
  approved: readonly LaunchObservation[],
): Promise<ObservationResult> {
  if (approved.length === 0) return { drifts: [], baselines: [] };
  const comparison = await loadComparison(tx, tenantId, approved);
  const result: ObservationResult = { drifts: [], baselines: [] };
  for (const [entityId, observations] of Map.groupBy(approved, ({ entity }) => entity.entity_id)) {
    const state = comparison.stateOf(entityId);
    if (state === 'reviewed') {
      result.drifts.push(...comparison.among(observations));
      continue;
    }
    const isFirst =
      state === 'awaiting_first_device' || (await selectMayDrift(tx, tenantId, entityId)) === null;
    if (!isFirst) continue;
    const entries = baselineOf(observations.map((observation) => observation.reported));
    result.baselines.push({ entityId, entries });
    result.drifts.push(...comparison.among(observations, toBaseline(entries)));
  }
  return result;
}

/** Loads the baselines of the observed apps, with the fingerprints that the observations have. */
export async function loadComparison(
  tx: Tx,
  tenantId: string,
  observations: readonly LaunchObservation[],
) {
  const byObservation = new Map(
    observations.map((observation) => [observation, fingerprintsOf(observation.reported)]),
  );
  const fingerprints = [...byObservation.values()].flatMap(allFingerprints);
  const entityIds = new Set(observations.map(({ entity }) => entity.entity_id));
  const baselines = await selectBaselines(tx, tenantId, [...entityIds], [...new Set(fingerprints)]);
  const baselineFor = (entityId: string) => baselines.get(entityId) ?? toBaseline([]);
  return {
    stateOf: (entityId: string) => baselineFor(entityId).state,
    /** Returns drifts of these observations, which are of one app; `baseline` replaces the stored baseline. */
    among: (compared: readonly LaunchObservation[], baseline?: ReturnType<typeof toBaseline>) =>
      compared.flatMap((observation): DriftRow[] => {
        const { entity } = observation;
        const observed = byObservation.get(observation) ?? fingerprintsOf(observation.reported);
        const drift = diffAgainstBaseline(observed, baseline ?? baselineFor(entity.entity_id));
        return drift === null ? [] : [{ entity, drift }];
      }),
  };
}
