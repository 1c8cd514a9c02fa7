// Records drift that a group of batches brings: approved apps that a device reports with an unreviewed launch or permission.
import type { Facets } from '@gatewarden/shared/wire/console/applications.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type ApprovedAmong, compareObservations } from './baseline.ts';
import type { LaunchObservation } from './baseline-store.ts';
import { insertBaseline } from './baseline-store.ts';
import { insertDrifts } from './drift-store.ts';

/** Observations of a group of batches. `previousFacets` are keyed by `${entity_id}/${device_id}`. */
export interface ReportedChanges {
  observations: readonly LaunchObservation[];
  previousFacets: ReadonlyMap<string, Facets>;
}

/** Records drift of apps that are approved on their device. Returns true if a device awaits a review now. */
export async function recordDrift(
  tx: Tx,
  tenantId: string,
  { observations, previousFacets }: ReportedChanges,
  approvedAmong: ApprovedAmong,
): Promise<boolean> {
  if (observations.length === 0) return false;
  const entities = observations.map(({ entity }) => entity);
  const approved = new Set(await approvedAmong(tx, tenantId, entities));
  const compared = await compareObservations(
    tx,
    tenantId,
    observations.filter(({ entity }) => approved.has(entity)),
  );
  const hasDrifted = await insertDrifts(tx, tenantId, compared.drifts, previousFacets);
  // Baselines are locked after drifts and in order of entity id, as in a review.
  const baselines = compared.baselines.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1));
  for (const { entityId, entries } of baselines) {
    await insertBaseline(tx, tenantId, entityId, entries);
  }
  return hasDrifted;
}
