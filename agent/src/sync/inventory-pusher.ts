// Pushes the inventory: plans batches from what changed, keeps them until the hub has them, halves what it refuses.

import { sha256Hex } from '@gatewarden/shared/identity.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type {
  DiscoveredAppsRequest,
  WireCoverage,
  WireEntity,
} from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import {
  buildRemoval,
  diffSnapshot,
  type HashedEntity,
  type KnownEntity,
} from '../discovery/scan/snapshot-diff.ts';
import type { InventoryStore, OutgoingBatch, SetAside } from '../store/inventory-store.ts';
import type { State } from '../store/state-store.ts';
import { HubRefused, isAboutHeaders } from './backoff.ts';
import type { SyncClient } from './hub-client.ts';

const DAY_MS = 86_400_000;
/** So many refused entities in a single pass are not the entities' fault. */
const MAX_SET_ASIDE_AT_ONCE = 20;

type Item = { wire: WireEntity; effect: HashedEntity | KnownEntity; removed: boolean };

export interface PushParts {
  client: SyncClient;
  inventory: InventoryStore;
  state: State;
  makeId: () => string;
  now: () => number;
  log: (fields: object, message: string) => void;
}

export interface Pusher {
  /** Plans the batches of a scan; they replace all batches that were not sent yet. */
  plan(result: ScanResult): void;
  /** Discards waiting batches: they contain what the company no longer allows to discover. */
  forget(): void;
  /** Sends what waits. Throws what stopped it; what was not confirmed waits on. */
  drain(): Promise<void>;
  waiting(): boolean;
  /** True while the hub is to receive everything, and not only changes. */
  isFullDue(): boolean;
}

/** A pusher over what the store remembers; batches of before a crash are its first work. */
export function createPusher(parts: PushParts): Pusher {
  const { inventory, state } = parts;
  let latest: ScanResult | null = null;
  // A hub or this device's folder may have been restored: the first scan is sent in full.
  let isStart = true;
  const isDue = () => isStart || isFullDue(state, parts.now());
  let asideNow = 0;
  /** Lower where something on the way takes no batch of that size. */
  let batchLimit = BATCH_LIMIT;

  /** `first`: ids of refused batches, which are sent before all others so that the refused entity is found soon. */
  const plan = (result: ScanResult, first: readonly string[][]) => {
    const isFull = isDue();
    isStart = false;
    inventory.replaceOutgoing(planBatches(parts, result, { first, isFull, batchLimit }));
  };

  /** Plans again without a refused entity, or in halves until it is found. Returns whether there is a new plan. */
  const replanRefused = (batch: OutgoingBatch, refused: HubRefused, scan: ScanResult): boolean => {
    // The ids come from the body: effects also contain entities that a full scan removes implicitly.
    const { entities } = JSON.parse(batch.body) as DiscoveredAppsRequest;
    const ids = entities.map((entity) => entity.entity_id);
    if (ids.length === 0) return false;
    if (ids.length > 1) {
      const half = Math.ceil(ids.length / 2);
      // A batch that is too large is planned again in smaller batches, and a full scan sends all of it again.
      if (refused.status === 413) batchLimit = half;
      plan(scan, refused.status === 413 ? [] : [ids.slice(0, half), ids.slice(half)]);
      return true;
    }
    if (++asideNow > MAX_SET_ASIDE_AT_ONCE) return false;
    setAsideSingle(parts, scan, ids[0] ?? '', refused);
    plan(scan, []);
    return true;
  };

  /** Returns whether the batch's refusal was answered with a new plan. */
  const replan = (batch: OutgoingBatch, refused: HubRefused): boolean => {
    if (latest === null) return false;
    if (refused.status === 409) {
      plan(latest, []);
      return true;
    }
    const isAboutBody = refused.status === 400 || refused.status === 413;
    return isAboutBody && !isAboutHeaders(refused) && replanRefused(batch, refused, latest);
  };

  return {
    plan(result) {
      latest = result;
      asideNow = 0;
      // The obstacle to larger batches may have been removed; a full scan is a good time to try.
      if (isDue()) batchLimit = BATCH_LIMIT;
      plan(result, []);
    },
    forget() {
      latest = null;
      inventory.replaceOutgoing([]);
    },
    waiting: () => inventory.nextOutgoing() !== null,
    isFullDue: isDue,
    async drain() {
      for (let batch = inventory.nextOutgoing(); batch; batch = inventory.nextOutgoing()) {
        try {
          await parts.client.post('discoveredApps', spokenAsNow(batch.body, parts.client.device));
        } catch (error) {
          if (error instanceof HubRefused && replan(batch, error)) continue;
          throw error;
        }
        confirm(parts, batch);
      }
    },
  };
}

/** Returns the batches of a scan; none where the hub has all of it. Writes `full_scan_due` where everything is sent. */
function planBatches(
  parts: PushParts,
  result: ScanResult,
  how: { first: readonly string[][]; isFull: boolean; batchLimit: number },
): OutgoingBatch[] {
  const { inventory, state } = parts;
  const { isFull } = how;
  const aside = currentSetAside(inventory, result);
  const coverage = nameSetAside(result.coverage, aside);
  const diff = diffSnapshot(inventory.confirmed(), result.entities, coverage);
  if (isFull) state.set('full_scan_due', true);
  const items: Item[] = (isFull ? diff.all : diff.changed)
    .filter((entity) => !aside.has(entity.wire.entity_id))
    .map((entity) => ({ wire: entity.wire, effect: entity, removed: false }));
  if (!isFull) {
    for (const removed of diff.gone) {
      items.push({ wire: buildRemoval(removed), effect: removed, removed: true });
    }
  }
  const digest = sha256Hex(JSON.stringify(coverage));
  if (items.length === 0 && !isFull && state.get('coverage_confirmed') === digest) return [];
  return writeBatches(parts, result, {
    groups: groupItems(items, how.first, how.batchLimit),
    coverage,
    digest,
    kind: isFull ? 'full' : 'delta',
    silentlyGone: isFull ? diff.gone.map((removed) => removed.entity_id) : [],
  });
}

/** Updates the device of a batch that waited while the agent was upgraded or the machine renamed. */
function spokenAsNow(body: string, device: WireDevice): string {
  if (body.includes(JSON.stringify(device))) return body;
  return JSON.stringify({ ...(JSON.parse(body) as DiscoveredAppsRequest), device });
}

function isFullDue(state: State, nowMs: number): boolean {
  const confirmedAt = state.get('full_scan_confirmed_at');
  if (state.get('full_scan_due') === true || confirmedAt === null) return true;
  const age = nowMs - confirmedAt;
  return age >= DAY_MS || age < 0;
}

function confirm({ inventory, state, now, log }: PushParts, batch: OutgoingBatch): void {
  const { ends } = batch.effects;
  inventory.confirm(batch, () => {
    if (ends === null) return;
    state.set('coverage_confirmed', ends.coverage);
    if (ends.kind !== 'full') return;
    state.set('full_scan_confirmed_at', now());
    // A newer epoch, heard while this scan was on its way, is not answered by it.
    if (state.get('inventory_epoch') === ends.epoch || ends.epoch === null) {
      state.set('full_scan_due', null);
    }
  });
  if (ends !== null)
    log({ scan_id: batch.effects.scan_id, kind: ends.kind }, 'the hub has the scan');
}

/** Set aside stays what is still found as it was; a changed entity gets another chance. */
function currentSetAside(inventory: InventoryStore, result: ScanResult): Map<string, SetAside> {
  const aside = inventory.setAside();
  if (aside.length === 0) return new Map();
  const found = diffSnapshot(new Map(), result.entities, []).all;
  const hashes = new Map(found.map((e) => [e.wire.entity_id, e.hash]));
  return new Map(
    aside.flatMap((entity) => {
      if (hashes.get(entity.entity_id)?.equals(entity.hash)) return [[entity.entity_id, entity]];
      inventory.takeBack(entity.entity_id);
      return [];
    }),
  );
}

function setAsideSingle(parts: PushParts, result: ScanResult, id: string, why: HubRefused): void {
  const entity = diffSnapshot(new Map(), result.entities, []).all.find(
    (e) => e.wire.entity_id === id,
  );
  if (entity === undefined) return;
  parts.log({ entity_id: id, name: entity.wire.name, reason: why.message }, 'set an entity aside');
  const { source } = entity.wire;
  parts.inventory.putAside({ entity_id: id, hash: entity.hash, source, reason: why.message });
}

/** Marks sources with refused entities as incomplete, so that the hub infers no removal from them. */
function nameSetAside(
  coverage: readonly WireCoverage[],
  aside: ReadonlyMap<string, SetAside>,
): WireCoverage[] {
  return coverage.map((row) => {
    const refused = [...aside.values()].filter((entity) => entity.source === row.source);
    if (refused.length === 0) return row;
    const names = refused.map((entity) => entity.entity_id).join(', ');
    return { ...row, state: 'unparsed', reason: `refused by the hub: ${names}`.slice(0, 1024) };
  });
}

function groupItems(items: readonly Item[], first: readonly string[][], limit: number): Item[][] {
  const byId = new Map(items.map((item) => [item.wire.entity_id, item]));
  const groups: Item[][] = [];
  for (const ids of first) {
    const group = ids.flatMap((id) => byId.get(id) ?? []);
    for (const id of ids) byId.delete(id);
    if (group.length > 0) groups.push(group);
  }
  const rest = [...byId.values()];
  for (let from = 0; from < rest.length; from += limit) {
    groups.push(rest.slice(from, from + limit));
  }
  return groups.length === 0 ? [[]] : groups;
}

function writeBatches(
  parts: PushParts,
  result: ScanResult,
  what: {
    groups: Item[][];
    coverage: WireCoverage[];
    digest: string;
    kind: 'full' | 'delta';
    silentlyGone: string[];
  },
): OutgoingBatch[] {
  const { client, state, makeId } = parts;
  const scanId = makeId();
  // A store that was reset must not count from 1: the hub ignores lower sequence numbers.
  const seq = (state.get('scan_seq') ?? Math.floor(parts.now() / 1000)) + 1;
  state.set('scan_seq', seq);
  return what.groups.map((items, batch) => {
    const last = batch === what.groups.length - 1;
    const batchId = makeId();
    const body: DiscoveredAppsRequest = {
      batch_id: batchId,
      device: client.device,
      scan: {
        scan_id: scanId,
        seq,
        started_at: result.startedAt.toISOString(),
        kind: what.kind,
        batch,
        batches: what.groups.length,
        ...(last ? { coverage: what.coverage } : {}),
      },
      entities: items.map((item) => item.wire),
    };
    const epoch = state.get('inventory_epoch');
    return {
      batchId,
      body: JSON.stringify(body),
      effects: {
        scan_id: scanId,
        upserts: items.filter((item) => !item.removed).map(toUpsert),
        removals: [
          ...items.filter((item) => item.removed).map((item) => item.wire.entity_id),
          ...(last ? what.silentlyGone : []),
        ],
        ends: last ? { kind: what.kind, coverage: what.digest, epoch } : null,
      },
    };
  });
}

function toUpsert({ wire, effect }: Item) {
  return {
    entity_id: wire.entity_id,
    hash: Buffer.from(effect.hash).toString('hex'),
    kind: wire.kind,
    source: wire.source,
    name: wire.name,
    owners: effect.owners,
  };
}
