// Compares approved apps with their baselines: apps that a batch brings or changes, and apps that devices have already when
// an approval begins or reaches them. An app without a baseline is compared with nothing, and defines it.
import type { Facets } from '@gatewarden/shared/wire/console/applications.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type ApprovedAmong, allFingerprints, diffAgainstBaseline } from './baseline.ts';
import {
  type InstallationFilter,
  insertBaseline,
  installationPages,
  type LaunchObservation,
  selectBaselines,
  selectMayDrift,
} from './baseline-store.ts';
import { type DriftRow, insertDrifts } from './drift-store.ts';
import { canDrift, fingerprintsOf } from './fingerprint.ts';

/**
 * Records drift of the observed apps that are approved on their device. `previousFacets` are keyed by
 * `${entity_id}/${device_id}`. Returns true if a device awaits a review now.
 */
export async function recordDrift(
  tx: Tx,
  tenantId: string,
  observations: readonly LaunchObservation[],
  deps: { approvedAmong: ApprovedAmong; previousFacets: ReadonlyMap<string, Facets> },
): Promise<boolean> {
  const approved = await filterApproved(tx, tenantId, observations, deps.approvedAmong);
  const { drifts, learned } = await compareObservations(tx, tenantId, approved);
  const hasDrifted = await insertDrifts(tx, tenantId, drifts, deps.previousFacets);
  // Baselines are locked after drifts and in order of entity id, as in a review.
  await storeLearned(tx, tenantId, learned);
  return hasDrifted;
}

/** Records drift of the devices that have an approved app already. Returns true if a device awaits a review now. */
export async function recordDriftOfPresent(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  filter: InstallationFilter = {},
): Promise<boolean> {
  const drifts: DriftRow[] = [];
  for await (const page of comparedPages(tx, tenantId, entityId, approvedAmong, filter)) {
    drifts.push(...page.drifts);
    await storeLearned(tx, tenantId, page.learned);
  }
  return insertDrifts(tx, tenantId, drifts, new Map());
}

/** Returns the ids of devices for which `recordDriftOfPresent` would write a row now. Takes no lock and writes nothing. */
export async function findDriftedDevices(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  filter: InstallationFilter,
): Promise<string[]> {
  const deviceIds: string[] = [];
  for await (const page of comparedPages(tx, tenantId, entityId, approvedAmong, filter)) {
    const changing = page.learned.size > 0 ? page.observations : page.drifts;
    deviceIds.push(...changing.map(({ entity }) => entity.device_id));
  }
  return deviceIds;
}

interface Comparison {
  observations: readonly LaunchObservation[];
  drifts: DriftRow[];
  /** Fingerprints of apps without a baseline, by entity id. */
  learned: Map<string, string[]>;
}

async function* comparedPages(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  filter: InstallationFilter,
): AsyncGenerator<Comparison> {
  if ((await selectMayDrift(tx, tenantId, entityId)) !== true) return;
  for await (const page of installationPages(tx, tenantId, entityId, filter)) {
    const unreviewed = page.filter((row) => !row.isAwaitingReview && canDrift(row.reported));
    const approved = await filterApproved(tx, tenantId, unreviewed, approvedAmong);
    yield await compareObservations(tx, tenantId, approved);
  }
}

async function filterApproved(
  tx: Tx,
  tenantId: string,
  observations: readonly LaunchObservation[],
  approvedAmong: ApprovedAmong,
): Promise<LaunchObservation[]> {
  if (observations.length === 0) return [];
  const entities = observations.map(({ entity }) => entity);
  const approved = new Set(await approvedAmong(tx, tenantId, entities));
  return observations.filter(({ entity }) => approved.has(entity));
}

async function compareObservations(
  tx: Tx,
  tenantId: string,
  observations: readonly LaunchObservation[],
): Promise<Comparison> {
  const compared: Comparison = { observations, drifts: [], learned: new Map() };
  if (observations.length === 0) return compared;
  const observed = observations.map(({ entity, reported }) => {
    const fingerprints = fingerprintsOf(reported);
    return { entity, fingerprints, all: allFingerprints(fingerprints) };
  });
  const baselines = await selectBaselines(tx, tenantId, {
    entityIds: [...new Set(observed.map(({ entity }) => entity.entity_id))],
    fingerprints: [...new Set(observed.flatMap(({ all }) => all))],
  });
  for (const { entity, fingerprints, all } of observed) {
    const baseline = baselines.get(entity.entity_id);
    if (baseline === undefined) {
      const earlier = compared.learned.get(entity.entity_id) ?? [];
      compared.learned.set(entity.entity_id, [...earlier, ...all]);
      continue;
    }
    const drift = diffAgainstBaseline(fingerprints, baseline);
    if (drift !== null) compared.drifts.push({ entity, drift });
  }
  return compared;
}

async function storeLearned(
  tx: Tx,
  tenantId: string,
  learned: Comparison['learned'],
): Promise<void> {
  for (const entityId of [...learned.keys()].sort()) {
    await insertBaseline(tx, tenantId, entityId, learned.get(entityId) ?? []);
  }
}
