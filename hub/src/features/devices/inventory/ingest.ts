// POST /ea/v1/sync/discovered-apps: merges one batch. A 202 means that it is committed.

import { xorHash } from '@gatewarden/shared/digests.ts';
import {
  BATCH_LIMIT,
  type DiscoveredAppsRequest,
  type WireEntity,
} from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { type AgentPrincipal, agentOf } from '../../../platform/auth/agent.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import type { App } from '../../../platform/http/app.ts';
import { HubError } from '../../../platform/http/errors.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { admitDevice } from '../enrolment/index.ts';
import { checkEntities, mergeBatch, mergeRemovals } from './merge.ts';
import { entitiesGone, isSuperseded, lookedAt } from './scan-end.ts';
import {
  applyProducts,
  confirmEntities,
  type DeviceKey,
  finishScan,
  insertBatch,
  insertScanBatch,
  markCovered,
  markRemoved,
  openScan,
  selectBatch,
  selectEntities,
  selectLaterWord,
  selectPresent,
  selectScanBatches,
  updateDeviceInventory,
  writeCoverage,
  writeEntities,
} from './store.ts';

export interface IngestDeps {
  db: Db;
  pages: PageEvents;
  metrics: Metrics;
  /** Told after the commit, so that a cached picture of the device is read anew. */
  forgetDevice(tenantId: string, deviceId: string): void;
}

export function registerIngest(app: App, deps: IngestDeps): void {
  const endpoint = SYNC_ENDPOINTS.discoveredApps;
  app.post(
    endpoint.path,
    {
      config: { sync: 'post' },
      schema: { tags: ['device'], body: endpoint.request, response: { 202: endpoint.answer } },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const batch = request.body;
      checkBatch(batch);
      const result = await transact(deps.db, (tx) =>
        storeBatch(tx, agent, batch, request.bodyHash ?? Buffer.alloc(0)),
      );
      deps.metrics.ingestItems.inc({ kind: 'entity', result: 'accepted' }, result.accepted);
      deps.metrics.ingestItems.inc({ kind: 'entity', result: 'unchanged' }, result.unchanged);
      if (result.changed) {
        deps.forgetDevice(agent.tenantId, batch.device.device_id.toLowerCase());
        deps.pages.announce(agent.tenantId, 'devices');
        deps.pages.announce(agent.tenantId, 'applications');
      }
      return reply.code(202).send({
        batch_id: batch.batch_id,
        accepted: result.accepted,
        unchanged: result.unchanged,
        request_id: request.id,
      });
    },
  );
}

function checkBatch(batch: DiscoveredAppsRequest): void {
  const { entities, scan } = batch;
  if (entities.length > BATCH_LIMIT) {
    throw new HubError(
      'batch_too_large',
      `/entities holds ${entities.length} items, at most ${BATCH_LIMIT}.`,
    );
  }
  const mayBeEmpty = scan.coverage !== undefined || (scan.kind === 'full' && scan.batches === 1);
  if (entities.length === 0 && !mayBeEmpty) {
    throw new HubError(
      'invalid_request',
      '/entities may be empty only with coverage or where a full scan found nothing',
    );
  }
  if (scan.batch >= scan.batches) {
    throw new HubError('invalid_request', '/scan/batch must be below /scan/batches');
  }
  checkEntities(entities);
}

interface Stored {
  accepted: number;
  unchanged: number;
  changed: boolean;
}

async function storeBatch(
  tx: Tx,
  agent: AgentPrincipal,
  batch: DiscoveredAppsRequest,
  bodyHash: Buffer,
): Promise<Stored> {
  const device = await admitDevice(tx, agent, batch.device, new Date());
  const key: DeviceKey = {
    tenantId: agent.tenantId,
    deviceId: device.device_id,
    platform: batch.device.platform,
  };
  const batchId = batch.batch_id.toLowerCase();
  const before = await selectBatch(tx, key, batchId);
  if (before !== null) {
    if (before.endpoint !== 'discovered-apps' || !before.body_hash.equals(bodyHash)) {
      throw new HubError('batch_id_reused');
    }
    return { accepted: before.accepted, unchanged: before.unchanged, changed: false };
  }
  const scan = await openScan(tx, key, {
    scanId: batch.scan.scan_id,
    seq: batch.scan.seq ?? null,
    kind: batch.scan.kind,
    startedAt: batch.scan.started_at,
    batches: batch.scan.batches,
  });
  const ids = batch.entities.map((entity) => entity.entity_id);
  const stored = await selectEntities(tx, key, ids);
  const later =
    stored.size < ids.length || [...stored.values()].some((one) => one.removed)
      ? await selectLaterWord(tx, key, scan.seq)
      : { all: false, pairs: [] };
  const merge = mergeBatch(stored, batch.entities, scan.seq, (entity) =>
    isSuperseded(later, {
      source: entity.source,
      owners: [...new Set((entity.instances ?? []).map((one) => one.owner ?? null))],
    }),
  );
  await writeEntities(tx, key, merge.writes, scan.seq);
  await confirmEntities(tx, key, merge.confirmed, scan.seq);
  const present = merge.writes.filter((one) => !one.removed).map((one) => one.entity);
  await applyProducts(tx, key, merge, present);
  if (batch.scan.coverage !== undefined)
    await writeCoverage(tx, key, batch.scan.coverage, scan.seq);

  let hash = xorHash(device.inventory_hash, merge.hashChange);
  let countChange = merge.entityCountChange;
  const end = await endScan(tx, key, batch, scan);
  if (end.removals !== null) {
    hash = xorHash(hash, end.removals.hashChange);
    countChange += end.removals.entityCountChange;
    await applyProducts(tx, key, end.removals, NO_NAMES);
  }
  const changed = merge.accepted > 0 || countChange !== 0 || end.ended || device.is_new;
  if (changed) {
    await updateDeviceInventory(tx, key, {
      inventoryHash: hash,
      entityCountChange: countChange,
      scanEnded: end.ended,
    });
  }
  const counts = { accepted: merge.accepted, unchanged: merge.unchanged };
  await insertBatch(tx, key, batchId, {
    endpoint: 'discovered-apps',
    body_hash: bodyHash,
    ...counts,
  });
  return { ...counts, changed };
}

const NO_NAMES: readonly WireEntity[] = [];

/** A full scan of which all batches came ends here and takes away what it did not name; a delta ends with its last. */
async function endScan(
  tx: Tx,
  key: DeviceKey,
  batch: DiscoveredAppsRequest,
  scan: { seq: number; batches: number; finished_at: Date | null },
) {
  const { scan: sent } = batch;
  if (scan.finished_at !== null) return { ended: false, removals: null };
  if (sent.kind === 'delta') {
    const ended = sent.batch === sent.batches - 1;
    if (ended) await finishScan(tx, key, sent.scan_id, false);
    return { ended, removals: null };
  }
  await insertScanBatch(tx, key, {
    scanId: sent.scan_id,
    batch: sent.batch,
    ids: batch.entities.filter((one) => one.removed !== true).map((one) => one.entity_id),
    coverage: sent.coverage ?? null,
  });
  const parts = await selectScanBatches(tx, key, sent.scan_id);
  if (parts.length < scan.batches) return { ended: false, removals: null };
  const named = new Set(parts.flatMap((part) => part.ids));
  const lists = parts.flatMap((part) => (part.coverage === null ? [] : [part.coverage]));
  const coverage = lists.length === 0 ? null : lists.flat();
  const gone = entitiesGone(await selectPresent(tx, key), named, coverage, scan.seq);
  await markRemoved(
    tx,
    key,
    gone.map((one) => one.entity_id),
    scan.seq,
  );
  await markCovered(tx, key, lookedAt(coverage ?? []), scan.seq);
  await finishScan(tx, key, sent.scan_id, coverage === null);
  return { ended: true, removals: mergeRemovals(gone) };
}
