// Discovery that the company allows in users' homes: received with the delta, stored, and applied by every scan.

import { openState, type State } from '../../store/state-store.ts';
import { openStoreForReading } from '../../store/store-database.ts';
import type { DiscoverySettings } from './source-runner.ts';

/** Homes are discovered by default: the configurations of MCP clients are nowhere else. */
export function discoverySettings(state: State): DiscoverySettings {
  const heard = state.get('discovery');
  return {
    personalHomes: heard?.personal_homes ?? true,
    browserProfiles: heard?.browser_profiles ?? true,
  };
}

/** Returns the stored settings for a command beside the service, or without it. */
export function readStoredSettings(dataDir: string): DiscoverySettings {
  const db = openStoreForReading(dataDir);
  if (db === null) return { personalHomes: true, browserProfiles: true };
  try {
    return discoverySettings(openState(db));
  } finally {
    db.close();
  }
}
