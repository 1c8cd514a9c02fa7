// Pulls governance from the hub: overrides after the cursor, the enforcement ceiling, settings, and the process map.
import type { DeltaAnswer, TraySetting } from '@gatewarden/shared/wire/sync/delta.ts';
import { DELTA_LIMIT_MAX } from '@gatewarden/shared/wire/sync/limits.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import {
  ENFORCEMENT_CEILINGS,
  type EnforcementCeiling,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { allowsLess } from '../enforcement/enforcement-mode.ts';
import type { HubClock } from '../store/hub-clock.ts';
import { MAX_UNWRITTEN, type OverrideStore } from '../store/override-store.ts';
import type { State } from '../store/state-store.ts';
import { isDiskFull } from '../store/store-database.ts';
import { HubRefused } from './backoff.ts';
import type { SyncClient } from './hub-client.ts';
import {
  type DeltaPage,
  type RawOverride,
  readDeltaPage,
  readProcessMap,
} from './hub-responses.ts';

export interface PullParts {
  client: SyncClient;
  state: State;
  overrides: OverrideStore;
  clock: HubClock;
  /** XOR over what the hub has confirmed; null before any confirmation. */
  inventoryDigest: () => string | null;
  /** Called when the set of overrides or the ceiling changed. */
  governanceChanged: () => void;
  processMapChanged: (mappings: readonly ProcessMapping[]) => void;
  fullScanWanted: () => void;
  /** Called when the company changed what may be discovered: no earlier result may be sent. */
  discoveryChanged: () => void;
}

export interface Puller {
  /** Polls once: all pages, then the process map. Returns the interval that the hub asks for. */
  pull(): Promise<{ pollAfterMs: number }>;
}

/** Creates a puller; pages that were received before a crash are applied by `overrides.applyInboxIfRoom` at start. */
export function createPuller(parts: PullParts): Puller {
  const { client, state } = parts;
  const position: PullPosition = { etag: null, pollAfterMs: 0 };
  let mapEtag = state.get('process_map')?.etag ?? null;

  const pullProcessMap = async (): Promise<void> => {
    const { etag, value } = await client.get('processMap', {}, mapEtag, readProcessMap);
    if (value === null) return;
    const { version, mappings, isWhole } = value;
    // A newer agent understands lines that this agent left out: without an ETag it receives all of them.
    state.set('process_map', { etag: isWhole ? etag : null, version, mappings });
    mapEtag = etag;
    parts.processMapChanged(mappings);
  };

  return {
    async pull() {
      try {
        await pullPages(parts, position);
      } catch (error) {
        if (!(error instanceof HubRefused && error.status === 410)) throw error;
        // The cursor is unknown, foreign or expired: the pull starts over, and the present set stays in force meanwhile.
        state.set('cursor', null);
        position.etag = null;
        await pullPages(parts, position);
      }
      await pullProcessMap();
      return { pollAfterMs: position.pollAfterMs };
    },
  };
}

/** Position of a pull, which the next pull continues from. */
interface PullPosition {
  etag: string | null;
  pollAfterMs: number;
}

/** Applies pages in order: the ceiling's tightening first, then overrides, then settings, then the ceiling's loosening. */
async function pullPages(parts: PullParts, position: PullPosition): Promise<void> {
  // A hub refuses an empty cursor for ever.
  const cursor = parts.state.get('cursor') || null;
  const applier = createPageApplier(parts, cursor === null);
  const request = { cursor, isComplete: applier.isComplete, etag: position.etag };
  for await (const { page, etag } of readPages(parts, request)) {
    parts.clock.hear(Date.parse(page.server_time));
    position.pollAfterMs = (page.poll_after_seconds ?? 0) * 1000;
    const ceiling = parseCeiling(page.enforcement_ceiling);
    tightenCeiling(parts, ceiling);
    if (!applier.apply(page)) continue;
    if (!page.has_more) setCeiling(parts, ceiling);
    applyDiscovery(parts, page.discovery ?? {});
    applyTray(parts, page.tray ?? {});
    if (page.inventory_epoch !== undefined) applyEpoch(parts, page.inventory_epoch);
    // Only a complete pull has an ETag: pages that the disk refused are requested again.
    if (!page.has_more) position.etag = etag;
  }
}

/** Yields the pages from a cursor on; none where nothing changed since `etag`. */
async function* readPages(
  { client, overrides, inventoryDigest }: PullParts,
  request: { cursor: string | null; isComplete: () => boolean; etag: string | null },
): AsyncGenerator<{ page: DeltaPage; etag: string | null }> {
  let { cursor } = request;
  for (;;) {
    // Digest and ETag describe a complete set: while pages are missing, neither is sent.
    const isComplete = request.isComplete();
    const inventory = inventoryDigest();
    const { value: page, etag } = await client.get(
      'delta',
      {
        ...(cursor === null ? {} : { cursor }),
        limit: String(DELTA_LIMIT_MAX),
        ...(isComplete ? { applied: overrides.digest() } : {}),
        ...(inventory === null ? {} : { inventory }),
      },
      isComplete ? request.etag : null,
      readDeltaPage,
    );
    if (page === null) return;
    yield { page, etag };
    if (!page.has_more) return;
    if (page.next_cursor === cursor) throw new Error('the hub repeats a page without end');
    cursor = page.next_cursor;
  }
}

interface PageApplier {
  /** True where the store has all pages before the current page. */
  isComplete(): boolean;
  /** Returns false where the disk took no room for the page: it is in force from memory, and its cursor is not stored. */
  apply(page: DeltaPage): boolean;
}

/** `isReplacing`: the pages replace the present set, and are staged until the last page arrived. */
function createPageApplier(parts: PullParts, isReplacing: boolean): PageApplier {
  const { overrides, state } = parts;
  // An earlier pull may have left pages for which the disk had no room; without room now, a stop must be received still.
  const earlier = overrides.applyInboxIfRoom();
  if (earlier === 'applied') parts.governanceChanged();
  const isBehind = earlier === 'no_room';
  let isFirst = true;
  /** Overrides from the first page on that the disk refused. */
  const unwritten: RawOverride[] = [];
  let diskError: unknown = null;

  const write = (page: DeltaPage) => {
    if (diskError !== null) throw diskError;
    if (isReplacing) {
      overrides.stage(page.overrides, isFirst);
      isFirst = false;
      if (!page.has_more) overrides.receiveStaged(page.next_cursor);
    } else overrides.receive(page.overrides, page.next_cursor, !page.has_more);
    if (!page.has_more && overrides.applyInbox()) parts.governanceChanged();
  };

  return {
    isComplete: () =>
      !isReplacing && !isBehind && diskError === null && state.get('pull_unfinished') !== true,
    apply(page) {
      try {
        write(page);
        return true;
      } catch (error) {
        if (isReplacing || !isDiskFull(error)) throw error;
        // A withdrawn policy must end without room on the disk. The stored cursor stays, so that all pages come again.
        diskError = error;
        unwritten.push(...page.overrides);
        if (!page.has_more && overrides.applyInMemory(unwritten)) parts.governanceChanged();
        if (!page.has_more || unwritten.length > MAX_UNWRITTEN) throw error;
        return false;
      }
    },
  };
}

/** Applies a stricter ceiling before the overrides of its page: an emergency stop needs no room on the disk. */
function tightenCeiling(parts: PullParts, ceiling: EnforcementCeiling | undefined): void {
  const current = parts.state.get('enforcement_ceiling') ?? 'enforce';
  if (allowsLess(ceiling ?? 'enforce', current)) setCeiling(parts, ceiling);
}

/**
 * Sets the ceiling. A looser ceiling waits for the last page, or the end of a stop would enforce withdrawn policies.
 */
function setCeiling(parts: PullParts, ceiling: EnforcementCeiling | undefined): void {
  if (ceiling === undefined || parts.state.get('enforcement_ceiling') === ceiling) return;
  parts.state.set('enforcement_ceiling', ceiling);
  parts.governanceChanged();
}

/** Applies a changed discovery setting at once; it is stored last, so that an interrupted change is applied again. */
function applyDiscovery(parts: PullParts, settings: NonNullable<DeltaAnswer['discovery']>): void {
  const before = parts.state.get('discovery') ?? {};
  if (JSON.stringify(before) === JSON.stringify(settings)) return;
  parts.discoveryChanged();
  parts.state.set('discovery', settings);
  parts.fullScanWanted();
}

function applyTray({ state }: PullParts, setting: TraySetting): void {
  if (JSON.stringify(state.get('tray') ?? {}) === JSON.stringify(setting)) return;
  state.set('tray', setting);
}

/** Requests a full scan for a new epoch; the first epoch belongs to the full scan of the first start. */
function applyEpoch({ state, fullScanWanted }: PullParts, epoch: string): void {
  const before = state.get('inventory_epoch');
  if (before === epoch) return;
  state.set('inventory_epoch', epoch);
  if (before === null) return;
  state.set('full_scan_due', true);
  fullScanWanted();
}

/** Returns the ceiling; a value that only a newer agent knows restricts something, and counts as `monitor`. */
function parseCeiling(value: unknown): EnforcementCeiling | undefined {
  if (value === undefined) return undefined;
  return ENFORCEMENT_CEILINGS.find((known) => known === value) ?? 'monitor';
}
