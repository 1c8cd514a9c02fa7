// Stores a group of batches of one tenant in one transaction: lock the devices, recognise repeats, merge each batch in
// the order of arrival, write everything at once, end the scans of which all batches came.

import { xorHash } from '@gatewarden/shared/digests.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { ApprovedAmong } from '../drift/baseline.ts';
import { selectFormer } from '../drift/drift-store.ts';
import { keepDrifts } from '../drift/record-drift.ts';
import { checkDevice, type LockedDevice, updateDevices } from '../enrollment/index.ts';
import { type ArrivalPolicies, describedArrivals } from './arrivals.ts';
import {
  ENDPOINT,
  type Item,
  lockGroup,
  need,
  readContents,
  readLater,
  type Stored,
  scanIdOf,
  spokenAfter,
  type Working,
} from './batch-state.ts';
import { endScan } from './close-scan.ts';
import { applyProducts, writeEntities } from './entity-store.ts';
import type { Outcome } from './group-commit.ts';
import type { PictureChange, Pictures } from './inventory-cache.ts';
import { addProducts, type ProductDeltas } from './merge.ts';
import { mergeItem, type Written } from './merge-batch.ts';
import { compareSeries } from './observe-scan-sequence.ts';
import type { LaterWord } from './scan-coverage.ts';
import {
  checkScan,
  insertBatches,
  insertScans,
  isComplete,
  type NewScan,
  openScan,
  pairKey,
  type StoredBatch,
  type StoredScan,
  selectBatches,
  selectScans,
  writeCoverage,
} from './scan-store.ts';

export interface GroupResult {
  outcomes: Outcome<Stored>[];
  /** To be told to the pictures after the commit. */
  learned: [string, PictureChange][];
  /** Devices whose inventory changed, or whose they are. */
  changedDevices: string[];
  /** Begins the last statements at once. */
  finish(): Promise<unknown>;
  /** Something that is approved launches otherwise, or may do more. */
  hasDrifted: boolean;
  /** Two machines were seen to use one id. */
  hasTwo: boolean;
}

/**
 * Everything in the caller's transaction. An item's own error is its outcome; any other error is thrown. See
 * `writeEntities` for `isCautious`.
 */
export async function commitGroup(
  tx: Tx,
  tenantId: string,
  items: readonly Item[],
  deps: {
    pictures: Pictures;
    approvedAmong: ApprovedAmong;
    isCautious: boolean;
    /** Null where no policy for a product concerns the group. */
    coverArrivals: ArrivalPolicies['cover'] | null;
  },
): Promise<GroupResult> {
  const { pictures } = deps;
  const outcomes: (Outcome<Stored> | undefined)[] = items.map((item) => refusal(item, null));
  const wanted = admitted(items, outcomes);
  const said = () =>
    Promise.all([selectBatches(tx, tenantId, wanted), selectScans(tx, tenantId, wanted)]);
  // Statements that do not need each other's answers are begun together; each is still carried out after the one before.
  const [{ devices, isAtOnce }, early] = await Promise.all([
    lockGroup(tx, tenantId, wanted),
    said(),
  ]);
  items.forEach((item, i) => {
    outcomes[i] ??= refusal(item, devices.get(item.deviceId)?.row ?? null);
  });
  const asked = admitted(items, outcomes);
  const [[repeats, scans], contents] = await Promise.all([
    isAtOnce ? early : said(),
    readContents(tx, tenantId, asked, devices, pictures),
  ]);
  const fresh = asked.filter((item) => !repeats.has(pairKey(item.deviceId, item.batchId)));
  const { fitting, contradictory, opened } = fittingOf(fresh, scans, devices);
  const later = await readLater(tx, tenantId, fitting, { scans, devices });
  const hasTwo = await compareSeries(tx, tenantId, opened, new Date());

  const written: Written = {
    rows: [],
    batches: [],
    coverage: [],
    products: new Map(),
    described: new Map(),
    drifts: [],
    firsts: [],
  };
  for (const [i, item] of items.entries()) {
    if (outcomes[i] !== undefined) continue;
    const key = pairKey(item.deviceId, item.batchId);
    const before = repeats.get(key);
    if (before !== undefined) {
      outcomes[i] = repeated(item, before);
      continue;
    }
    outcomes[i] = contradictory.get(item);
    if (outcomes[i] !== undefined) continue;
    const scan = need(scans.get(pairKey(item.deviceId, scanIdOf(item))));
    const device = need(devices.get(item.deviceId));
    // Only what is stored says how the device is called and whose it is: not what is refused, nor what was said before.
    device.spokesman = item;
    const content = need(contents.get(item));
    const stored = mergeItem(item, { scan, device, content, later: later.get(item) }, written);
    repeats.set(key, stored.batch);
    outcomes[i] = { value: stored.answer };
  }
  // Before drift is recorded: the launches that arrive with an application are those that its policy is for.
  await deps.coverArrivals?.(tx, tenantId, describedArrivals(written.described));
  const former = await selectFormer(tx, tenantId, written.drifts);
  const writing = Promise.all([
    insertScans(tx, tenantId, opened),
    writeEntities(tx, tenantId, written.rows, deps.isCautious),
    insertBatches(tx, tenantId, written.batches),
    writeCoverage(tx, tenantId, written.coverage),
  ]);
  // Waited for at the end. Until then whatever comes after a statement that failed fails as that did.
  writing.catch(() => undefined);
  await endScans(tx, tenantId, fitting, { scans, devices, later }, written.products);
  const hasDrifted = await keepDrifts(tx, tenantId, { ...written, former }, deps.approvedAmong);
  return {
    outcomes: outcomes.map(need),
    hasDrifted,
    hasTwo,
    ...learnedOf(tenantId, devices),
    // Products are what groups of one tenant wait for each other with.
    finish: () =>
      Promise.all([
        writing,
        writeDevices(tx, tenantId, devices),
        applyProducts(tx, tenantId, written.products, written.described),
      ]),
  };
}

/**
 * What is stored of these, in the order of arrival; their scans are opened. What uses a batch id that one before it in
 * the group has taken says nothing: it opens no scan and is no part of one. An id whose batch was refused is free.
 */
function fittingOf(
  fresh: readonly Item[],
  scans: Map<string, StoredScan>,
  devices: ReadonlyMap<string, Working>,
): { fitting: Item[]; contradictory: Map<Item, Outcome<Stored>>; opened: NewScan[] } {
  const taken = new Set<string>();
  const fitting: Item[] = [];
  const contradictory = new Map<Item, Outcome<Stored>>();
  const opened: NewScan[] = [];
  const highest = highestOf(devices);
  for (const item of fresh) {
    const key = pairKey(item.deviceId, item.batchId);
    if (taken.has(key)) continue;
    const made = openScan(scans, item, highest);
    if (made !== null) opened.push(made);
    const scan = need(scans.get(pairKey(item.deviceId, scanIdOf(item))));
    const refused = errorOf(() => checkScan(scan, item.scan));
    if (refused !== undefined) {
      contradictory.set(item, refused);
      continue;
    }
    taken.add(key);
    fitting.push(item);
  }
  return { fitting, contradictory, opened };
}

const highestOf = (devices: ReadonlyMap<string, Working>) => ({
  of: (deviceId: string) => need(devices.get(deviceId)).highestScan,
  base: (deviceId: string) => need(devices.get(deviceId)).row.scan_base,
  learn(deviceId: string, seq: number) {
    const device = need(devices.get(deviceId));
    device.highestScan = Math.max(device.highestScan, seq);
  },
});

function admitted(items: readonly Item[], outcomes: readonly unknown[]): Item[] {
  return items.filter((_, i) => outcomes[i] === undefined);
}

function refusal(item: Item, row: LockedDevice | null): Outcome<Stored> | undefined {
  return errorOf(() => checkDevice(item.agent, item.deviceId, row));
}

/** What an item's own check complains of; any other error is thrown. */
function errorOf(check: () => void): Outcome<Stored> | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return { error };
  }
}

/** What a batch id that is known says again. */
export function repeated(item: Pick<Item, 'bodyHash'>, before: StoredBatch): Outcome<Stored> {
  if (before.endpoint !== ENDPOINT || !before.body_hash.equals(item.bodyHash)) {
    return { error: new HubError('batch_id_reused') };
  }
  return {
    value: { accepted: before.accepted, unchanged: before.unchanged, changed: false },
  };
}

async function endScans(
  tx: Tx,
  tenantId: string,
  items: readonly Item[],
  known: {
    scans: ReadonlyMap<string, StoredScan>;
    devices: ReadonlyMap<string, Working>;
    later: ReadonlyMap<Item, LaterWord>;
  },
  products: ProductDeltas,
): Promise<void> {
  const open = items.flatMap((item) => {
    const scan = need(known.scans.get(pairKey(item.deviceId, scanIdOf(item))));
    const isLast = item.scan.kind === 'full' || item.scan.batch === item.scan.batches - 1;
    return scan.finished_at === null && isLast ? [{ item, scan }] : [];
  });
  const perScan = Map.groupBy(open, ({ item }) => pairKey(item.deviceId, scanIdOf(item)));
  const ended = [...perScan.values()].flatMap((ofScan) => {
    const last = need(ofScan.at(-1));
    const numbers = ofScan.map(({ item }) => item.scan.batch);
    return last.item.scan.kind !== 'full' || isComplete(last.scan, numbers) ? [last] : [];
  });
  // Two scans of one device end one after the other, those of several devices side by side.
  const perDevice = Map.groupBy(ended, ({ item }) => item.deviceId);
  await Promise.all(
    [...perDevice.values()].map((ofDevice) => endOfDevice(tx, tenantId, ofDevice, known, products)),
  );
}

async function endOfDevice(
  tx: Tx,
  tenantId: string,
  ofDevice: readonly { item: Item; scan: StoredScan }[],
  known: {
    devices: ReadonlyMap<string, Working>;
    later: ReadonlyMap<Item, LaterWord>;
  },
  products: ProductDeltas,
): Promise<void> {
  for (const { item, scan } of ofDevice) {
    const device = need(known.devices.get(item.deviceId));
    device.scanEnded = true;
    const removals = await endScan(tx, tenantId, {
      deviceId: item.deviceId,
      scanId: scanIdOf(item),
      takesAway: item.scan.kind === 'full' && known.later.get(item)?.forgotten !== true,
      seq: scan.seq,
      inventory: { hash: device.hash, count: device.count },
      spoken: spokenOf(device, scan.seq, known.later.get(item)),
    });
    if (removals === null) continue;
    for (const id of removals.ids) device.contents.set(id, null);
    addProducts(products, removals.merge.products);
    device.hash = xorHash(device.hash, removals.merge.hashChange);
    device.count += removals.merge.entityCountChange;
  }
}

const spokenOf = (device: Working, seq: number, later: LaterWord | undefined): Buffer[] =>
  later === undefined ? [] : spokenAfter(device, seq, later);

const versionOf = ({ row, hash }: Working): number =>
  row.inventory_version + (hash.equals(row.inventory_hash) ? 0 : 1);

function writeDevices(
  tx: Tx,
  tenantId: string,
  devices: ReadonlyMap<string, Working>,
): Promise<void> {
  return updateDevices(
    tx,
    tenantId,
    [...devices].flatMap(([id, device]) => {
      const { spokesman } = device;
      if (spokesman === null || !isToWrite(device, spokesman)) return [];
      return {
        ...spokesman.facts,
        device_id: id,
        subscriber_id: spokesman.agent.subscriberId,
        inventory_hash: device.hash.toString('hex'),
        inventory_version: versionOf(device),
        entity_count: device.count,
        scan_ended: device.scanEnded,
      };
    }),
  );
}

function learnedOf(
  tenantId: string,
  devices: ReadonlyMap<string, Working>,
): Pick<GroupResult, 'learned' | 'changedDevices'> {
  const working = [...devices];
  return {
    learned: working
      .filter(([, device]) => device.contents.size > 0 || device.page !== null)
      .map(([id, device]) => [
        pairKey(tenantId, id),
        {
          before: device.row.inventory_version,
          after: versionOf(device),
          entities: device.contents,
          isNew: device.isNew,
          page: device.page,
        },
      ]),
    changedDevices: working
      .filter(
        ([, device]) =>
          device.isNew || !device.hash.equals(device.row.inventory_hash) || hasMoved(device),
      )
      .map(([id]) => id),
  };
}

const hasMoved = ({ row, spokesman }: Working): boolean =>
  spokesman !== null && !row.token_bound && spokesman.agent.subscriberId !== row.subscriber_id;

const FACTS = ['hostname', 'platform', 'os_version', 'arch', 'agent_version'] as const;

function isToWrite(device: Working, { facts }: Item): boolean {
  const { row, hash, scanEnded } = device;
  return (
    scanEnded ||
    !hash.equals(row.inventory_hash) ||
    hasMoved(device) ||
    FACTS.some((name) => facts[name] !== row[name])
  );
}
