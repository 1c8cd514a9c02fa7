// The parts of a group before anything is merged: its items, the locked devices, what their batches hold and what later
// scans said.
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireScan } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { AgentPrincipal } from '../../../platform/auth/agent.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type LockedDevice, lockOrEnrol } from '../enrollment/index.ts';
import type { KnownPart } from './batch-payload.ts';
import type { Held, Page } from './cache-entry.ts';
import { selectEntities } from './entity-store.ts';
import type { PictureChange, Pictures } from './inventory-cache.ts';
import type { SentEntity, StoredEntity } from './merge.ts';
import { selectLaterWord } from './newer-scans-store.ts';
import type { LaterWord } from './scan-coverage.ts';
import { pairKey, type StoredScan } from './scan-store.ts';

export const ENDPOINT = 'discovered-apps';

/** One batch as it waits to be stored. */
export interface Item {
  agent: AgentPrincipal;
  facts: WireDevice;
  deviceId: string;
  batchId: string;
  bodyHash: Buffer;
  scan: WireScan;
  /** To remember its page by; empty where that need not or cannot be. */
  pageHash: string;
  /** What this process remembers of it; good only while the device's inventory has not changed since. */
  known: KnownPart | null;
  /** The entities that are not known as they came. */
  news: readonly SentEntity[];
  /** Reads all of them, where what was known does not serve. */
  all(): SentEntity[];
}

export interface Stored {
  accepted: number;
  unchanged: number;
  changed: boolean;
}

/** What must be there by the construction of the group. */
export function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a group lost one of its parts');
  return value;
}

export const scanIdOf = (item: Item): string => item.scan.scan_id.toLowerCase();

/** A device while its batches of this group are merged. */
export interface Working {
  row: LockedDevice;
  /** The last item that was stored: it says how the device is called and whose it is. */
  spokesman: Item | null;
  isNew: boolean;
  hash: Buffer;
  count: number;
  scanEnded: boolean;
  highestScan: number;
  /** What the batches of this group named, whatever they said of it, in the form of `LaterWord.spoken`. */
  said: { seq: number; ids: Buffer }[];
  /** What each merged entity holds now, by id; null: gone. */
  contents: Map<string, Held | null>;
  page: PictureChange['page'];
}

/** As its row says, before anything of this group is merged. */
export const workingOn = (row: LockedDevice, isNew: boolean): Working => ({
  row,
  spokesman: null,
  isNew,
  hash: row.inventory_hash,
  count: row.entity_count,
  scanEnded: false,
  highestScan: row.highest_scan,
  said: [],
  contents: new Map(),
  page: null,
});

/** Locks the devices of these items; those that are not there yet are enrolled. See `lockOrEnrol` for `isAtOnce`. */
export async function lockGroup(
  tx: Tx,
  tenantId: string,
  items: readonly Item[],
): Promise<{ devices: Map<string, Working>; isAtOnce: boolean }> {
  const last = new Map(items.map((item) => [item.deviceId, item]));
  const { locked, made, isAtOnce } = await lockOrEnrol(
    tx,
    tenantId,
    [...last.values()].map(({ agent, facts }) => ({ subscriberId: agent.subscriberId, facts })),
  );
  const devices = new Map([...locked].map(([id, row]) => [id, workingOn(row, made.has(id))]));
  return { devices, isAtOnce };
}

/** What a batch holds: what still stands just so, and other entities with what is stored of those that may differ. */
export interface Content {
  known: Page | null;
  sent: readonly SentEntity[];
  held: ReadonlySet<SentEntity>;
  stored: Map<string, StoredEntity>;
  /** The only batch of its device in this group. */
  isAlone: boolean;
}

export async function readContents(
  tx: Tx,
  tenantId: string,
  items: readonly Item[],
  devices: ReadonlyMap<string, Working>,
  pictures: Pictures,
): Promise<Map<Item, Content>> {
  const perDevice = Map.groupBy(items, (item) => item.deviceId);
  const contents = new Map<Item, Content>();
  const wanted = new Map<string, Set<string>>();
  for (const [deviceId, ofDevice] of perDevice) {
    const { row, isNew } = need(devices.get(deviceId));
    const name = pairKey(tenantId, deviceId);
    // Two batches of one device in one group: the first may change what the picture says about the second.
    const isAlone = ofDevice.length === 1;
    for (const item of ofDevice) {
      const version = row.inventory_version;
      const known = isAlone && item.known?.version === version ? item.known.page : null;
      const sent = known === null && item.known !== null ? item.all() : item.news;
      const held = new Set(
        sent.filter((entity) => isAlone && pictures.holds(name, version, entity.id, entity.contentHash)),
      );
      const asked = wanted.get(deviceId) ?? new Set();
      wanted.set(deviceId, asked);
      for (const entity of sent) {
        if (held.has(entity)) continue;
        if (!isNew && !pictures.lacks(name, version, entity.id)) asked.add(entity.id);
      }
      contents.set(item, { known, sent, held, stored: new Map(), isAlone });
    }
  }
  const stored = await selectEntities(tx, tenantId, wanted);
  for (const [item, content] of contents) {
    // Shared by the batches of one device: each sees what those before it left.
    content.stored = storedOf(stored, item.deviceId);
  }
  return contents;
}

function storedOf(
  stored: Map<string, Map<string, StoredEntity>>,
  deviceId: string,
): Map<string, StoredEntity> {
  const found = stored.get(deviceId) ?? new Map<string, StoredEntity>();
  stored.set(deviceId, found);
  return found;
}

/** What scans with a higher number named: as stored before this group, and by the group so far. */
export function spokenAfter(device: Working, seq: number, later: LaterWord): Buffer[] {
  const inGroup = device.said.filter((item) => item.seq > seq).map((item) => item.ids);
  return [...later.spoken, ...inGroup];
}

/** For batches of scans that a higher one has overtaken: what those said. */
export async function readLater(
  tx: Tx,
  tenantId: string,
  items: readonly Item[],
  known: {
    scans: ReadonlyMap<string, StoredScan>;
    devices: ReadonlyMap<string, Working>;
  },
): Promise<Map<Item, LaterWord>> {
  const later = new Map<Item, LaterWord>();
  for (const item of items) {
    const { seq } = need(known.scans.get(pairKey(item.deviceId, scanIdOf(item))));
    const { highestScan, row } = need(known.devices.get(item.deviceId));
    if (highestScan <= seq) continue;
    const word = await selectLaterWord(tx, tenantId, item.deviceId, seq, row.forgotten_scan);
    later.set(item, word);
  }
  return later;
}
