// Compares the devices that have an app already with its baseline, when an approval comes into force again, later, or for
// more devices than before. Differences await a review.
import type { Tx } from '../../../platform/db/database.ts';
import { type ApprovedAmong, loadComparison } from './baseline.ts';
import { baselineOf } from './baseline-rules.ts';
import type { LaunchObservation } from './baseline-store.ts';
import {
  type InstallationFilter,
  insertBaseline,
  installationPages,
  selectMayDrift,
} from './baseline-store.ts';
import { canDrift } from './detect.ts';
import { type DriftRow, insertDrifts } from './drift-store.ts';

type DeviceFilter = Pick<InstallationFilter, 'only' | 'since'>;

/**
 * Records drift of devices that have an approved app. Ingest compares only what arrives while an approval is in force, so
 * everything that arrived earlier is compared here. If no device of the audience had the app, the first devices define the
 * baseline. An app whose baseline is missing stays unchanged. Returns true if a device awaits a review now.
 */
export async function recordDriftOfPresent(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  filter: DeviceFilter = {},
): Promise<boolean> {
  const drifts: DriftRow[] = [];
  for await (const page of comparisonPages(tx, tenantId, entityId, approvedAmong, filter)) {
    drifts.push(...page.drifts);
    if (page.first.length === 0) continue;
    const entries = baselineOf(page.first.map((observation) => observation.reported));
    await insertBaseline(tx, tenantId, entityId, entries);
  }
  return insertDrifts(tx, tenantId, drifts, new Map());
}

/** Returns the ids of devices for which `recordDriftOfPresent` would write a row now. Takes no lock and writes nothing. */
export async function findDriftedDevices(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  filter: DeviceFilter,
): Promise<string[]> {
  const deviceIds: string[] = [];
  for await (const page of comparisonPages(tx, tenantId, entityId, approvedAmong, filter)) {
    deviceIds.push(...[...page.drifts, ...page.first].map(({ entity }) => entity.device_id));
  }
  return deviceIds;
}

/** Yields drifts in pages of devices, or the first observations if the app has no reviewed baseline yet. */
async function* comparisonPages(
  tx: Tx,
  tenantId: string,
  entityId: string,
  approvedAmong: ApprovedAmong,
  filter: DeviceFilter,
): AsyncGenerator<{ drifts: DriftRow[]; first: LaunchObservation[] }> {
  if ((await selectMayDrift(tx, tenantId, entityId)) !== true) return;
  for await (const page of installationPages(tx, tenantId, entityId, filter)) {
    const entities = page.map((installation) => installation.entity);
    const approved = new Set(await approvedAmong(tx, tenantId, entities));
    const observations = page.filter(
      ({ entity, reported }) => approved.has(entity) && canDrift(reported),
    );
    if (observations.length === 0) continue;
    const comparison = await loadComparison(tx, tenantId, observations);
    const state = comparison.stateOf(entityId);
    if (state === 'missing') return;
    if (state === 'awaiting_first_device') yield { drifts: [], first: observations };
    else yield { drifts: comparison.among(observations), first: [] };
  }
}
