// Stages `lock` and `deduplicate`: lock the devices, load batches and scans that are stored, and load stored entities.
import { HubError } from '../../../platform/http/errors/errors.ts';
import { checkDevice, type LockedDevice, lockOrEnrol } from '../enrollment/index.ts';
import {
  assertDefined,
  type BatchAck,
  type BatchContent,
  type CommitBatch,
  type DeviceMergeState,
  ENDPOINT,
  type LockedBatch,
  type PendingBatch,
  startMerge,
  withoutOutcome,
} from './batch-state.ts';
import { selectEntities } from './entity-store.ts';
import type { Outcome } from './group-commit.ts';
import type { StoredEntity } from './merge.ts';
import { pairKey, type StoredBatch, selectBatches, selectScans } from './scan-store.ts';

/**
 * Locks the devices of the batches and enrolls new ones. Batches of agents that may not report for their device get an error
 * as outcome. Statements are sent together; the database still runs them in order.
 */
export async function lockBatch(batch: CommitBatch): Promise<LockedBatch> {
  const { tx, tenantId, pending, outcomes } = batch;
  pending.forEach((item, i) => {
    outcomes[i] = authorizationError(item, null);
  });
  const requested = withoutOutcome(batch);
  const loadStored = () =>
    Promise.all([selectBatches(tx, tenantId, requested), selectScans(tx, tenantId, requested)]);
  const [{ devices, isAtOnce }, early] = await Promise.all([
    lockDevicesOf(batch, requested),
    loadStored(),
  ]);
  pending.forEach((item, i) => {
    outcomes[i] ??= authorizationError(item, devices.get(item.deviceId)?.row ?? null);
  });
  const [[duplicates, scans], contents] = await Promise.all([
    // Without waiting for a lock, the early answer is still current.
    isAtOnce ? early : loadStored(),
    loadContents(batch, withoutOutcome(batch), devices),
  ]);
  return { ...batch, devices, duplicates, scans, contents };
}

/** Returns the batches without an outcome whose batch id is new. */
export const deduplicate = (locked: LockedBatch): PendingBatch[] =>
  withoutOutcome(locked).filter(
    ({ deviceId, batchId }) => !locked.duplicates.has(pairKey(deviceId, batchId)),
  );

/** Returns the stored acknowledgment of a repeated batch; another body or endpoint is the error `batch_id_reused`. */
export function acknowledgeDuplicate(
  batch: Pick<PendingBatch, 'bodyHash'>,
  stored: StoredBatch,
): Outcome<BatchAck> {
  if (stored.endpoint !== ENDPOINT || !stored.body_hash.equals(batch.bodyHash)) {
    return { error: new HubError('batch_id_reused') };
  }
  return { value: { accepted: stored.accepted, unchanged: stored.unchanged, changed: false } };
}

/** Returns the `HubError` that a check throws, as an outcome. Throws any other error. */
export function catchHubError(check: () => void): Outcome<BatchAck> | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return { error };
  }
}

const authorizationError = (batch: PendingBatch, device: LockedDevice | null) =>
  catchHubError(() => checkDevice(batch.agent, batch.deviceId, device));

async function lockDevicesOf(
  { tx, tenantId }: CommitBatch,
  batches: readonly PendingBatch[],
): Promise<{ devices: Map<string, DeviceMergeState>; isAtOnce: boolean }> {
  const last = new Map(batches.map((batch) => [batch.deviceId, batch]));
  const { locked, made, isAtOnce } = await lockOrEnrol(
    tx,
    tenantId,
    [...last.values()].map(({ agent, deviceFacts }) => ({
      subscriberId: agent.subscriberId,
      facts: deviceFacts,
    })),
  );
  const devices = new Map([...locked].map(([id, row]) => [id, startMerge(row, made.has(id))]));
  return { devices, isAtOnce };
}

/** Loads the stored rows of entities that the cache does not answer for. */
async function loadContents(
  { tx, tenantId, deps }: CommitBatch,
  batches: readonly PendingBatch[],
  devices: ReadonlyMap<string, DeviceMergeState>,
): Promise<Map<PendingBatch, BatchContent>> {
  const contents = new Map<PendingBatch, BatchContent>();
  const requested = new Map<string, Set<string>>();
  for (const [deviceId, ofDevice] of Map.groupBy(batches, (batch) => batch.deviceId)) {
    const { row, isNew } = assertDefined(devices.get(deviceId));
    const cacheKey = pairKey(tenantId, deviceId);
    const version = row.inventory_version;
    // The first of two batches can change the cached state that the second needs.
    const isOnlyBatchOfDevice = ofDevice.length === 1;
    const mayBeStored = (id: string) => !deps.cache.isKnownAbsent(cacheKey, version, id);
    for (const batch of ofDevice) {
      const content = splitContent(batch, isOnlyBatchOfDevice ? version : null, (entity) =>
        deps.cache.hasEntity(cacheKey, version, entity.id, entity.contentHash),
      );
      contents.set(batch, content);
      const ids = requested.get(deviceId) ?? new Set();
      requested.set(deviceId, ids);
      if (isNew) continue;
      const uncached = content.sent.filter((entity) => !content.unchanged.has(entity));
      for (const { id } of uncached.filter((entity) => mayBeStored(entity.id))) ids.add(id);
    }
  }
  shareStored(contents, await selectEntities(tx, tenantId, requested));
  return contents;
}

/** Gives batches of a device the same map of stored rows. */
function shareStored(
  contents: ReadonlyMap<PendingBatch, BatchContent>,
  stored: Map<string, Map<string, StoredEntity>>,
): void {
  for (const [batch, content] of contents) {
    const rows = stored.get(batch.deviceId) ?? new Map<string, StoredEntity>();
    stored.set(batch.deviceId, rows);
    content.stored = rows;
  }
}

/** Splits a batch by the cache at an inventory version; null ignores the cache. */
function splitContent(
  batch: PendingBatch,
  version: number | null,
  isCached: (entity: BatchContent['sent'][number]) => boolean,
): BatchContent {
  const { knownPart } = batch;
  const knownPage = knownPart !== null && knownPart.version === version ? knownPart.page : null;
  const isOutdated = knownPage === null && knownPart !== null;
  const sent = isOutdated ? batch.readAllEntities() : batch.changedEntities;
  const unchanged = new Set(sent.filter((entity) => version !== null && isCached(entity)));
  return {
    knownPage,
    sent,
    unchanged,
    stored: new Map(),
    isOnlyBatchOfDevice: version !== null,
  };
}
