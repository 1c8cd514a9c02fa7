// Records drift that a group of batches brings: apps that changed on a device, and apps that arrive other than reviewed.
import type { Facets } from '@gatewarden/shared/wire/console/applications.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type ApprovedAmong, compareObservations } from './baseline.ts';
import type { LaunchObservation } from './baseline-store.ts';
import { insertBaseline } from './baseline-store.ts';
import { type DriftedEntity, type DriftRow, insertDrifts } from './drift-store.ts';

/** Changes and observations of a group of batches. `previousFacets` are keyed by `${entity_id}/${device_id}`. */
export interface ReportedChanges {
  drifts: readonly DriftRow[];
  observations: readonly LaunchObservation[];
  previousFacets: ReadonlyMap<string, Facets>;
}

/** Records drift of apps that are approved on their device. Returns true if a device awaits a review now. */
export async function recordDrift(
  tx: Tx,
  tenantId: string,
  { drifts, observations, previousFacets }: ReportedChanges,
  approvedAmong: ApprovedAmong,
): Promise<boolean> {
  if (drifts.length + observations.length === 0) return false;
  const current = [...drifts, ...observations].map(({ entity }) => entity);
  const previous = observations.flatMap((observation) => observation.previousState ?? []);
  const approved = new Set(await approvedAmong(tx, tenantId, [...current, ...previous]));
  const changed = drifts.filter((drift) => approved.has(drift.entity));
  const compared = await compareObservations(tx, tenantId, newlyApproved(observations, approved));
  const rows = [...changed, ...compared.drifts];
  const hasDrifted = await insertDrifts(tx, tenantId, rows, previousFacets);
  // Baselines are locked after drifts and in order of entity id, as in a review.
  const baselines = compared.baselines.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1));
  for (const { entityId, entries } of baselines) {
    await insertBaseline(tx, tenantId, entityId, entries);
  }
  return hasDrifted;
}

/** Returns observations that an approval covers now and did not cover before the change. */
export function newlyApproved(
  observations: readonly LaunchObservation[],
  approved: ReadonlySet<DriftedEntity>,
): LaunchObservation[] {
  const wasApproved = (previous: DriftedEntity | undefined) =>
    previous !== undefined && approved.has(previous);
  return observations.filter(
    ({ entity, previousState }) => approved.has(entity) && !wasApproved(previousState),
  );
}
