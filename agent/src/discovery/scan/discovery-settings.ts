// What the company lets us look at in people's homes: heard with the delta, remembered, and obeyed by every scan.

import { openState, type State } from '../../store/state-store.ts';
import { openStoreForReading } from '../../store/store-database.ts';
import type { DiscoverySettings } from './source-runner.ts';

/** Until the hub has said otherwise, homes are looked at: the configurations of MCP clients stand nowhere else. */
export function discoverySettings(state: State): DiscoverySettings {
  const heard = state.get('discovery');
  return {
    personalHomes: heard?.personal_homes ?? true,
    browserProfiles: heard?.browser_profiles ?? true,
  };
}

/** The same for a command that runs beside the service, or without one. */
export function rememberedSettings(dataDir: string): DiscoverySettings {
  const db = openStoreForReading(dataDir);
  if (db === null) return { personalHomes: true, browserProfiles: true };
  try {
    return discoverySettings(openState(db));
  } finally {
    db.close();
  }
}
