// The state of one transaction of ingest: batches of one tenant and what the stages of commit-batch.ts learn about them.
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireScan } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { AgentPrincipal } from '../../../platform/auth/agent.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { ApprovedAmong } from '../drift/baseline.ts';
import type { LockedDevice } from '../enrollment/index.ts';
import type { ArrivalPolicies } from './arrival-policies.ts';
import type { CachedPart } from './batch-payload.ts';
import type { CachedEntity, CachedPage } from './cache-entry.ts';
import type { Outcome } from './group-commit.ts';
import type { InventoryCache, InventoryCacheChange } from './inventory-cache.ts';
import type { SentEntity, StoredEntity } from './merge.ts';
import type { NewerScanSummary } from './scan-coverage.ts';
import { type NewScan, pairKey, type StoredBatch, type StoredScan } from './scan-store.ts';

export const ENDPOINT = 'discovered-apps';

/** A batch that a device sent and that is not stored yet. */
export interface PendingBatch {
  agent: AgentPrincipal;
  deviceFacts: WireDevice;
  deviceId: string;
  batchId: string;
  bodyHash: Buffer;
  scan: WireScan;
  /** Key under which the page is cached after the commit; empty if the page is not cacheable. */
  pageHash: string;
  /** Entities that the cache had byte for byte; valid only for the inventory version that it names. */
  knownPart: CachedPart | null;
  /** Entities beyond `knownPart`. */
  changedEntities: readonly SentEntity[];
  /** Parses all entities, for a `knownPart` that is outdated. */
  readAllEntities(): SentEntity[];
}

/** The acknowledgment of a stored batch. */
export interface BatchAck {
  accepted: number;
  unchanged: number;
  changed: boolean;
}

/** A device while its batches are merged. */
export interface DeviceMergeState {
  row: LockedDevice;
  /** The last accepted batch defines name, version and owner of the device. */
  lastAcceptedBatch: PendingBatch | null;
  isNew: boolean;
  inventoryHash: Buffer;
  entityCount: number;
  scanEnded: boolean;
  highestScan: number;
  /** Id prefixes that merged batches mentioned, as present or removed, with the sequence number of their scan. */
  mentioned: { seq: number; ids: Buffer }[];
  /** Content of each merged entity by id; null for a removed entity. */
  contents: Map<string, CachedEntity | null>;
  page: InventoryCacheChange['page'];
}

/** The entities of a batch, split by what is known of them. */
export interface BatchContent {
  knownPage: CachedPage | null;
  sent: readonly SentEntity[];
  /** Entities of `sent` that the cache has with the same content. */
  unchanged: ReadonlySet<SentEntity>;
  /** Rows of the device by entity id; batches of a device share them, so each sees what earlier batches left. */
  stored: Map<string, StoredEntity>;
  isOnlyBatchOfDevice: boolean;
}

/** Batches of one tenant that are stored in one transaction. */
export interface CommitBatch {
  tx: Tx;
  tenantId: string;
  pending: readonly PendingBatch[];
  /** Outcomes by index of `pending`; a batch with an outcome is left out by later stages. */
  outcomes: (Outcome<BatchAck> | undefined)[];
  deps: CommitDeps;
}

export interface CommitDeps {
  cache: InventoryCache;
  approvedAmong: ApprovedAmong;
  /** Inserts entities with a conflict clause; see `writeEntities`. */
  isCautious: boolean;
  /** Null if no product policy concerns the batches. */
  coverArrivals: ArrivalPolicies['cover'] | null;
}

/** After the stage `lock`. */
export interface LockedBatch extends CommitBatch {
  devices: ReadonlyMap<string, DeviceMergeState>;
  /** Stored batches by device and batch id; merged batches are added. */
  duplicates: Map<string, StoredBatch>;
  /** Scans by device and scan id; the stage `plan` adds new ones. */
  scans: Map<string, StoredScan>;
  contents: ReadonlyMap<PendingBatch, BatchContent>;
}

/** After the stage `plan`. */
export interface PlannedBatch extends LockedBatch {
  accepted: readonly PendingBatch[];
  rejected: ReadonlyMap<PendingBatch, Outcome<BatchAck>>;
  newScans: readonly NewScan[];
  /** Summaries for batches of scans that a newer scan has overtaken. */
  newerScans: ReadonlyMap<PendingBatch, NewerScanSummary>;
}

/** Returns a value that the stages guarantee. Throws a plain error otherwise. */
export function assertDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A stage of ingest lost a batch, a device or a scan.');
  return value;
}

/** Returns the scan id in lower case, as it is stored. */
export const scanIdOf = (batch: PendingBatch): string => batch.scan.scan_id.toLowerCase();

/** Returns the scan of a batch. */
export const scanOf = (
  { scans }: { scans: ReadonlyMap<string, StoredScan> },
  batch: PendingBatch,
): StoredScan => assertDefined(scans.get(pairKey(batch.deviceId, scanIdOf(batch))));

/** Returns batches that have no outcome yet. */
export const withoutOutcome = ({ pending, outcomes }: CommitBatch): PendingBatch[] =>
  pending.filter((_, i) => outcomes[i] === undefined);

/** Returns the state of a device before anything is merged. */
export const startMerge = (row: LockedDevice, isNew: boolean): DeviceMergeState => ({
  row,
  lastAcceptedBatch: null,
  isNew,
  inventoryHash: row.inventory_hash,
  entityCount: row.entity_count,
  scanEnded: false,
  highestScan: row.highest_scan,
  mentioned: [],
  contents: new Map(),
  page: null,
});

/** Returns the id prefixes that newer scans mentioned: those stored before, and those merged in this transaction. */
export function mentionedAfter(
  device: DeviceMergeState,
  seq: number,
  newer: NewerScanSummary,
): Buffer[] {
  const merged = device.mentioned.filter((mention) => mention.seq > seq);
  return [...newer.mentionedIdPrefixes, ...merged.map((mention) => mention.ids)];
}
