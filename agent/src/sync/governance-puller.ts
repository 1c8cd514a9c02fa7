// Pulls governance: overrides after the cursor, the enforcement ceiling, the inventory's epoch, and the process map.

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
import { type RawOverride, readDeltaPage, readProcessMap } from './hub-responses.ts';

export interface PullParts {
  client: SyncClient;
  state: State;
  overrides: OverrideStore;
  clock: HubClock;
  /** XOR over what the hub has confirmed; null before anything was. */
  inventoryDigest: () => string | null;
  /** The set of overrides or the ceiling changed. */
  governanceChanged: () => void;
  processMapChanged: (mappings: readonly ProcessMapping[]) => void;
  fullScanWanted: () => void;
  /** What may be looked at changed: nothing that was found before may be sent. */
  discoveryChanged: () => void;
}

export interface Puller {
  /** One poll: all pages, then the process map. Returns how soon the hub wants to be asked again. */
  pull(): Promise<{ pollAfterMs: number }>;
}

/** A puller; what was received and not applied before a crash is applied by `overrides.applyInboxIfRoom` at start. */
export function createPuller(parts: PullParts): Puller {
  const { client, state, overrides } = parts;
  let etag: string | null = null;
  let mapEtag = state.get('process_map')?.etag ?? null;
  let pollAfterMs = 0;

  const applyReceived = () => {
    if (overrides.applyInbox()) parts.governanceChanged();
  };

  const pullPages = async (): Promise<void> => {
    // An empty one is refused by every hub, for ever.
    let pageCursor = state.get('cursor') || null;
    let staging = pageCursor === null;
    const replacing = staging;
    // What an earlier pull received and could not apply: the disk may take it now. If not, a stop is to be heard all the same.
    const earlier = overrides.applyInboxIfRoom();
    if (earlier === 'applied') parts.governanceChanged();
    const isBehind = earlier === 'no_room';
    /** From the first page that the disk did not take. */
    const unwritten: RawOverride[] = [];
    let full: unknown = null;
    for (;;) {
      const isUnfinished = full !== null || state.get('pull_unfinished') === true;
      const isBetween = replacing || isBehind || isUnfinished;
      const applied = overrides.digest();
      const inventory = parts.inventoryDigest();
      const answer = await client.get(
        'delta',
        {
          ...(pageCursor === null ? {} : { cursor: pageCursor }),
          limit: String(DELTA_LIMIT_MAX),
          // What is held is not what was received while pages are still to come.
          ...(isBetween ? {} : { applied }),
          ...(inventory === null ? {} : { inventory }),
        },
        // What is to be put together needs its pages, whatever we have seen.
        isBetween ? null : etag,
        readDeltaPage,
      );
      const page = answer.value;
      if (page === null) break;
      parts.clock.hear(Date.parse(page.server_time));
      pollAfterMs = (page.poll_after_seconds ?? 0) * 1000;
      const ceiling = ceilingOf(page.enforcement_ceiling);
      // First: an emergency stop holds also where the disk takes nothing of the rest.
      if (allowsLess(ceiling ?? 'enforce', state.get('enforcement_ceiling') ?? 'enforce')) {
        learnCeiling(ceiling);
      }
      try {
        if (full !== null) throw full;
        if (replacing) {
          overrides.stage(page.overrides, staging);
          staging = false;
          if (!page.has_more) overrides.receiveStaged(page.next_cursor);
        } else overrides.receive(page.overrides, page.next_cursor, !page.has_more);
        if (!page.has_more) applyReceived();
      } catch (error) {
        if (replacing || !isDiskFull(error)) throw error;
        // What was withdrawn must not go on for want of room. The cursor stays, so that it all comes again.
        full = error;
        unwritten.push(...page.overrides);
        if (!page.has_more && overrides.holdInMemory(unwritten)) parts.governanceChanged();
        const isTooMuch = unwritten.length > MAX_UNWRITTEN;
        if (!page.has_more || isTooMuch || page.next_cursor === pageCursor) throw error;
        pageCursor = page.next_cursor;
        continue;
      }
      if (!page.has_more) {
        // Not before: the stop's end must not carry out what was withdrawn meanwhile.
        learnCeiling(ceiling);
      }
      learnDiscovery(page.discovery ?? {});
      learnTray(page.tray ?? {});
      if (page.inventory_epoch !== undefined) learnEpoch(page.inventory_epoch);
      if (!page.has_more) {
        // All of it was learned: what the disk refused is asked for again.
        etag = answer.etag;
        break;
      }
      if (page.next_cursor === pageCursor) throw new Error('the hub repeats a page without end');
      pageCursor = page.next_cursor;
    }
  };

  const learnCeiling = (ceiling: EnforcementCeiling | undefined) => {
    if (ceiling === undefined || state.get('enforcement_ceiling') === ceiling) return;
    state.set('enforcement_ceiling', ceiling);
    parts.governanceChanged();
  };

  /** A changed setting is obeyed at once: what may no longer be looked at is not looked at again. */
  const learnDiscovery = (settings: NonNullable<DeltaAnswer['discovery']>) => {
    const before = state.get('discovery') ?? {};
    if (JSON.stringify(before) === JSON.stringify(settings)) return;
    // Remembered last: where it did not come to an end, it is obeyed when it is heard again.
    parts.discoveryChanged();
    state.set('discovery', settings);
    parts.fullScanWanted();
  };

  const learnTray = (setting: TraySetting) => {
    if (JSON.stringify(state.get('tray') ?? {}) === JSON.stringify(setting)) return;
    state.set('tray', setting);
  };

  const learnEpoch = (epoch: string) => {
    const before = state.get('inventory_epoch');
    if (before === epoch) return;
    state.set('inventory_epoch', epoch);
    // The first epoch ever heard belongs to the full scan that the first start makes anyway.
    if (before === null) return;
    state.set('full_scan_due', true);
    parts.fullScanWanted();
  };

  const pullProcessMap = async (): Promise<void> => {
    const { etag: said, value } = await client.get('processMap', {}, mapEtag, readProcessMap);
    if (value === null) return;
    const { version, mappings, isWhole } = value;
    // The next run may be a newer agent, which understands the lines that were left out: it asks for all of them.
    state.set('process_map', { etag: isWhole ? said : null, version, mappings });
    mapEtag = said;
    parts.processMapChanged(mappings);
  };

  return {
    async pull() {
      try {
        await pullPages();
      } catch (error) {
        if (!(error instanceof HubRefused && error.status === 410)) throw error;
        // Unknown, foreign or expired: begin again without one; the present set stays in force meanwhile.
        state.set('cursor', null);
        etag = null;
        await pullPages();
      }
      await pullProcessMap();
      return { pollAfterMs };
    },
  };
}

/** One that only a newer agent knows forbids something: this one does nothing until it hears another. */
function ceilingOf(said: unknown): EnforcementCeiling | undefined {
  if (said === undefined) return undefined;
  return ENFORCEMENT_CEILINGS.find((known) => known === said) ?? 'monitor';
}
