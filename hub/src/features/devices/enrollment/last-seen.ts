// When devices were last seen and what they hold: gathered in memory, written in one statement every 30 seconds.
// Losing the last half minute in a crash is harmless, because the next poll reports it again.
import type { Logger } from 'pino';
import type { Db } from '../../../platform/db/database.ts';
import { type GatheredSighting, type Sighting, updateSightings } from './last-seen-store.ts';

const WRITE_EVERY_MS = 30_000;
const FIRST_WRITE_MS = 1_000;

export interface Sightings {
  record(sighting: Sighting): void;
  stop(): Promise<void>;
}

/** Calls `onChange` with each tenant with changed devices. A changed state is written within a second, because people wait for it. */
export function createSightings(
  db: Db,
  log: Logger,
  onChange: (tenantId: string) => void,
): Sightings {
  let waiting = new Map<string, GatheredSighting>();
  const lastStates = new Map<string, string>();
  let timer: NodeJS.Timeout | null = null;
  let dueAt = Number.POSITIVE_INFINITY;

  const flush = async () => {
    timer = null;
    dueAt = Number.POSITIVE_INFINITY;
    const batch = [...waiting.values()];
    waiting = new Map();
    if (batch.length === 0) return;
    try {
      await updateSightings(db, batch);
      for (const tenantId of new Set(batch.map((sighting) => sighting.tenant_id)))
        onChange(tenantId);
    } catch (error) {
      log.debug({ err: error }, 'sightings were not written; the next polls repeat them');
      lastStates.clear();
    }
  };
  const schedule = (delayMs: number) => {
    const at = Date.now() + delayMs;
    if (at >= dueAt) return;
    if (timer !== null) clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => void flush(), delayMs).unref();
  };
  return {
    record(sighting) {
      const key = `${sighting.tenant_id}/${sighting.device_id}`;
      const before = waiting.get(key);
      if (before !== undefined && before.governance_state === sighting.governance_state) {
        // Once more the same within half a minute: nothing but the time has moved.
        before.last_seen_at = sighting.last_seen_at;
        if (sighting.governance_state !== null) before.governance_at = sighting.last_seen_at;
        return;
      }
      const gathered = gather(before, sighting);
      const state = gathered.governance_state;
      waiting.set(key, gathered);
      const isNews = state !== null && lastStates.get(key) !== state;
      if (isNews) {
        // Bounded: an eviction only causes an early write.
        if (lastStates.size > 100_000) lastStates.clear();
        lastStates.set(key, state);
      }
      schedule(isNews ? FIRST_WRITE_MS : WRITE_EVERY_MS);
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
}

/** Merges a sighting: a sighting without a state preserves the state and its age. */
export function gather(before: GatheredSighting | undefined, next: Sighting): GatheredSighting {
  const { governance_state: state, last_seen_at: at } = next;
  if (state === null) {
    return {
      ...next,
      governance_state: before?.governance_state ?? null,
      governance_at: before?.governance_at ?? null,
      governance_since: before?.governance_since ?? null,
    };
  }
  const isSame = before?.governance_state === state;
  return { ...next, governance_at: at, governance_since: isSame ? before.governance_since : at };
}
