// The rows of the hubs' database as maps in memory, with their look-ups. The rules that change them are the hub's.
import type {
  LockedDevice,
  PolledDevice,
} from '@gatewarden/hub/src/features/devices/enrollment/index.ts';
import type { StoredEntity } from '@gatewarden/hub/src/features/devices/ingest/merge.ts';
import type { NewerScanSummary } from '@gatewarden/hub/src/features/devices/ingest/scan-coverage.ts';
import { coveredPairs } from '@gatewarden/hub/src/features/devices/ingest/scan-coverage.ts';
import type {
  NewBatch,
  ScanPart,
  StoredScan,
} from '@gatewarden/hub/src/features/devices/ingest/scan-store.ts';
import type { Snapshot } from '@gatewarden/hub/src/features/devices/sync/snapshot.ts';
import { EMPTY_INVENTORY } from '@gatewarden/shared/digests.ts';
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { Tenant } from '../support/governance-history.ts';

export const TENANT_ID = '018f0000-0000-7000-8000-000000000001';
export const DEVICE_ID = '018f0000-0000-7000-8000-00000000000d';
export const FEED_EPOCH = 'aaaaaaaa-0000-4000-8000-000000000000';

export type DeviceRecord = LockedDevice & PolledDevice;
export type EntityRecord = StoredEntity & { source: string; owners: (string | null)[] };

/** A device that was just enrolled. */
export const newDevice = (subscriberId: string, facts: WireDevice): DeviceRecord => ({
  ...facts,
  subscriber_id: subscriberId,
  retired: false,
  token_bound: false,
  inventory_epoch: 1,
  inventory_hash: EMPTY_INVENTORY,
  entity_count: 0,
  inventory_version: 0,
  highest_scan: -1,
  forgotten_scan: -1,
  scan_base: 0,
  inventory_unequal_since: null,
  inventory_doubted_at: null,
  governance_reset_at: null,
});

export class Records {
  readonly tenant = new Tenant();
  /** The tenant's governance at each number of its feed. */
  readonly history = new Map<number, Snapshot>();
  device: DeviceRecord | null = null;
  readonly batches = new Map<string, NewBatch>();
  readonly scans = new Map<string, StoredScan>();
  readonly entities = new Map<string, EntityRecord>();
  /** Every content that an entity ever had here. */
  readonly everStored = new Set<string>();
  readonly alerts = new Map<string, WireAlert>();
  /** How often people were notified, by alert. */
  readonly notified = new Map<string, number>();

  constructor() {
    this.remember();
  }

  /** After each write of governance. */
  remember(): void {
    this.history.set(this.tenant.n, this.tenant.fresh());
  }

  put(entity: WireEntity, row: Omit<StoredEntity, 'instances'>): void {
    const owners = [...new Set((entity.instances ?? []).map((hub) => hub.owner ?? null))];
    const { source, instances = [] } = entity;
    this.entities.set(row.entity_id, { ...row, instances: instances ?? [], source, owners });
    if (!row.removed) this.everStored.add(`${row.entity_id}:${row.content_hash}`);
  }

  present(): EntityRecord[] {
    return [...this.entities.values()]
      .filter((entity) => !entity.removed)
      .sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1));
  }

  presentNames(): string[] {
    return this.present().map((entity) => `${entity.entity_id}:${entity.content_hash}`);
  }

  partsOf(scanId: string): ScanPart[] {
    return [...this.batches.values()].flatMap(({ mentions }) =>
      mentions?.scanId === scanId
        ? [
            {
              scan_batch: mentions.scanBatch,
              named: mentions.mentionedIds,
              contents: mentions.contents,
              coverage: mentions.coverage === null ? null : [...mentions.coverage],
            },
          ]
        : [],
    );
  }

  /** Summarizes the scans with a higher number. */
  laterThan(seq: number): NewerScanSummary {
    const words = [...this.batches.values()].flatMap(({ mentions }) =>
      mentions !== null && mentions.scanSeq > seq ? [mentions] : [],
    );
    const scanOf = (scanId: string) => this.scans.get(`${DEVICE_ID}/${scanId}`);
    const ended = words.filter(({ scanId }) => {
      const scan = scanOf(scanId);
      return scan?.kind === 'full' && scan.finished_at !== null;
    });
    const perScan = Map.groupBy(ended, (word) => word.scanId);
    const lists = [...perScan.values()].map((some) =>
      some.flatMap((batchMentions) => batchMentions.coverage ?? []),
    );
    return {
      coversAll: [...perScan.values()].some((some) =>
        some.every((batchMentions) => batchMentions.coverage === null),
      ),
      coveredPairsByScan: lists.map(coveredPairs),
      isPruned: false,
      mentionedIdPrefixes: words.flatMap((word) => [word.mentionedIds, word.removedIds]),
    };
  }
}
