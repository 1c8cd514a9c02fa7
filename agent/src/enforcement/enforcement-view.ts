// Decides about processes outside of the service, from the stored state, read-only.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { createFileHasher, createPublisherReader } from '../processes/executable-facts.ts';
import { openHubClock } from '../store/hub-clock.ts';
import { openOverrides } from '../store/override-store.ts';
import { openState } from '../store/state-store.ts';
import type { Db } from '../store/store-database.ts';
import { decideAbout, type Enforcer } from './enforcement-pipeline.ts';

/** The remembered overrides and process map; nothing of either where there is no store yet. */
export function createEnforcementView(
  db: Db | null,
  platform: Platform,
): Pick<Enforcer, 'preview'> & { mappings: ProcessMapping[] } {
  const state = db === null ? null : openState(db);
  const overrides: WireOverride[] =
    db === null || state === null ? [] : openOverrides(db, state).load();
  const hubNow = state === null ? Date.now : openHubClock(state).now;
  const readers = { hashFile: createFileHasher(), readPublisher: createPublisherReader(platform) };
  return {
    preview: (process) =>
      decideAbout({ platform, overrides: () => overrides, hubNow, ...readers }, process),
    mappings: (state?.get('process_map')?.mappings ?? []) as ProcessMapping[],
  };
}
