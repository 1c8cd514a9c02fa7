// POST /ea/v1/sync/discovered-apps: a batch waits a few milliseconds for others and is committed with them. A 202 means
// that it is committed.
import type { DiscoveredAppsRequest } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import type { FastifyError, FastifyRequest } from 'fastify';
import { agentOf } from '../../../platform/auth/agent.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { TransactPipelined } from '../../../platform/db/pipelined-transactions.ts';
import { lockFeed, notify } from '../../../platform/feed/feed.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { isIdTaken } from '../../../platform/http/server/client-chosen-id.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { ApprovedAmong } from '../drift/baseline.ts';
import type { Sightings } from '../enrollment/index.ts';
import type { ArrivalPolicies } from './arrival-policies.ts';
import { arrivalsOf } from './arrivals.ts';
import { type BatchPayload, readBatchPayload } from './batch-payload.ts';
import type { BatchAck, PendingBatch } from './batch-state.ts';
import { commitBatches } from './commit-batch.ts';
import { createGroupCommitter } from './group-commit.ts';
import { createInventoryCache, type InventoryCache } from './inventory-cache.ts';
import { checkEntities } from './merge.ts';
import { pairKey } from './scan-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The parsed batch. Not in a WeakMap: a minor garbage collection retains everything that its entries reference. */
    pageBody: BatchPayload | null;
  }
}

/** Batches of 5 ms (20 ms while bodies are being read) form a transaction; three run while the next batches wait. */
const GROUP_COMMIT = {
  waitMs: 5,
  maxWaitMs: 20,
  maxItems: 24,
  maxWeight: 16 * BATCH_LIMIT,
  inFlight: 3,
  nowMs: () => performance.now(),
};
/** Bounds the cache to about 70 MB (81 bytes for each entity). Devices beyond it are looked up in the database: slower, with the same result. */
const CACHED_ENTITIES_MAX = 1_000_000;

export interface IngestDeps {
  pipelined: TransactPipelined;
  /** True while bodies are here that have not been read. */
  hasUnread(): boolean;
  pages: PageEvents;
  metrics: Metrics;
  sightings: Sightings;
  /** Called after the commit; other hub processes receive a notification. */
  forgetDevice(key: string): void;
  approvedAmong: ApprovedAmong;
  /** Called in the transaction that stores new drift. */
  driftChanged(tx: Tx, tenantId: string): Promise<void>;
  /** Policies for products, which new applications may come under. */
  arrivalPolicies: ArrivalPolicies;
  /** Called after a commit that changed an inventory of the tenant. */
  productsChanged(tenantId: string): void;
}

export function registerIngest(app: App, deps: IngestDeps): void {
  const endpoint = SYNC_ENDPOINTS.discoveredApps;
  const inventories = createInventoryCache(CACHED_ENTITIES_MAX);
  app.decorateRequest('pageBody', null);
  const committer = createCommitter(app, deps, inventories);
  app.post(
    endpoint.path,
    {
      config: {
        sync: 'post',
        readBody(request, bytes) {
          const { tenantId } = agentOf(request);
          const body = readBatchPayload(bytes, (deviceId) =>
            inventories.get(pairKey(tenantId, deviceId)),
          );
          request.pageBody = body;
          request.bodyHash = body.bodyHash;
          return body.value;
        },
      },
      schema: {
        tags: ['device'],
        summary: endpoint.summary,
        body: endpoint.request,
        response: { 202: endpoint.answer },
      },
      // Answered where every device's errors are.
      errorHandler(error, request) {
        throw validateWholeBody(error, request, request.pageBody);
      },
    },
    async (request, reply) => {
      const { tenantId, subscriberId } = agentOf(request);
      const batch = request.body;
      const result = await committer.submit(
        tenantId,
        pendingBatchOf(request, batch, request.pageBody),
      );
      deps.metrics.ingestItems.inc({ kind: 'entity', result: 'accepted' }, result.accepted);
      deps.metrics.ingestItems.inc({ kind: 'entity', result: 'unchanged' }, result.unchanged);
      deps.sightings.record({
        tenant_id: tenantId,
        device_id: batch.device.device_id.toLowerCase(),
        last_seen_at: new Date().toISOString(),
        governance_state: null,
      });
      if (result.changed) {
        deps.pages.announce(tenantId, 'devices', subscriberId);
        deps.pages.announce(tenantId, 'applications', subscriberId);
        deps.productsChanged(tenantId);
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

/** Returns the group committer of batches. It stores batches of a tenant together and updates the cached inventories. */
function createCommitter(app: App, deps: IngestDeps, inventories: InventoryCache) {
  const { approvedAmong } = deps;
  const store = async (tenantId: string, items: readonly PendingBatch[], isCautious: boolean) => {
    const isCovering = await deps.arrivalPolicies.mayCover(tenantId, items.flatMap(arrivalsOf));
    return deps.pipelined(async (tx) => {
      // The feed's lock goes before those of devices and applications everywhere.
      if (isCovering) await lockFeed(tx, tenantId, 'governance');
      const coverArrivals = isCovering ? deps.arrivalPolicies.cover : null;
      const how = { cache: inventories, approvedAmong, isCautious, coverArrivals };
      const result = await commitBatches(tx, tenantId, items, how);
      if (result.hasDrifted) await deps.driftChanged(tx, tenantId);
      const keys = result.changedDevices.map((deviceId) => pairKey(tenantId, deviceId));
      return async () => {
        await Promise.all([
          result.finish(),
          keys.length === 0 ? null : notify(tx, { kind: 'forget', cache: 'device', keys }),
        ]);
        return result;
      };
    });
  };
  return createGroupCommitter<PendingBatch, BatchAck>({
    ...GROUP_COMMIT,
    isMoreComing: deps.hasUnread,
    weightOf: (item) => item.changedEntities.length,
    run: async (tenantId, items) => {
      const stored = await store(tenantId, items, false).catch((error: unknown) => {
        // An entity that was added and removed in the same group leaves a row, and its device's version unchanged.
        if (isIdTaken(error)) return store(tenantId, items, true);
        throw error;
      });
      const { outcomes, cacheChanges, changedDevices } = stored;
      if (stored.duplicateDeviceIdDetected) deps.pages.announce(tenantId, 'devices');
      for (const deviceId of changedDevices) deps.forgetDevice(pairKey(tenantId, deviceId));
      for (const [device, change] of cacheChanges) inventories.update(device, change);
      return outcomes;
    },
    onBroken(err, batches) {
      app.log.warn({ err, batches }, 'batches could not be stored together');
    },
  });
}

function pendingBatchOf(
  request: FastifyRequest,
  batch: DiscoveredAppsRequest,
  body: BatchPayload | null,
): PendingBatch {
  if (body === null) throw new Error('a batch came past its reader');
  const { cachedPart } = body;
  checkBatch(batch, batch.entities.length + (cachedPart?.page.count ?? 0));
  checkAllEntities(batch, body);
  return {
    agent: agentOf(request),
    deviceFacts: batch.device,
    deviceId: batch.device.device_id.toLowerCase(),
    batchId: batch.batch_id.toLowerCase(),
    bodyHash: request.bodyHash ?? Buffer.alloc(0),
    scan: batch.scan,
    pageHash: body.pageHash,
    knownPart: cachedPart,
    changedEntities: body.readChangedEntities(),
    readAllEntities: body.readAllEntities,
  };
}

function checkBatch(batch: DiscoveredAppsRequest, count: number): void {
  const { scan } = batch;
  if (count > BATCH_LIMIT) {
    throw new HubError(
      'batch_too_large',
      `/entities has ${count} items. The maximum is ${BATCH_LIMIT}.`,
    );
  }
  const mayBeEmpty = scan.coverage !== undefined || (scan.kind === 'full' && scan.batches === 1);
  if (count === 0 && !mayBeEmpty) {
    throw new HubError(
      'invalid_request',
      '/entities may be empty only with coverage, or for a full scan without results',
    );
  }
  if (scan.batch >= scan.batches) {
    throw new HubError('invalid_request', '/scan/batch must be below /scan/batches');
  }
}

/** The same complaint about the whole body, for without the known entities the others have another index. */
function validateWholeBody(
  error: FastifyError,
  request: FastifyRequest,
  body: BatchPayload | null,
): FastifyError {
  if (error.validationContext !== 'body' || body === null || body.cachedPart === null) {
    return error;
  }
  const validate = request.getValidationFunction('body');
  validate?.(body.parseWhole());
  if (validate?.errors != null) error.validation = validate.errors;
  return error;
}

/** Without the cached entities an index would be wrong, so that an error is reported for the body as a whole. */
function checkAllEntities({ entities }: DiscoveredAppsRequest, body: BatchPayload): void {
  try {
    checkEntities(entities);
  } catch (error) {
    checkEntities((body.parseWhole() as DiscoveredAppsRequest).entities);
    throw error;
  }
}
