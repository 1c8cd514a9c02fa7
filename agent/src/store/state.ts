// Small things that must be remembered, by name: cursor, counters, times. Values are JSON.
import type { PauseRecord } from '../enforcement/pause.ts';
import { type Db, isDiskFull } from './database.ts';

/** Every name, with the type of its value. */
export interface RememberedState {
  /** `tenant|device`: whose data this file holds. */
  belongs_to: string;
  cursor: string;
  enforcement_ceiling: 'enforce' | 'monitor' | 'off';
  /** What the company lets discovery look at. */
  discovery: { personal_homes?: boolean; browser_profiles?: boolean };
  /** What people may do in the tray app, and whom they are to ask. */
  tray: { pause_minutes?: number; contact?: string | null };
  pause: PauseRecord;
  hub_clock: { hubMs: number; uptimeS: number; bootId: string | null };
  inventory_epoch: string;
  /** True from the moment a full scan is wanted until the hub has confirmed all of one. */
  full_scan_due: boolean;
  full_scan_confirmed_at: number;
  coverage_confirmed: string;
  scan_seq: number;
  process_map: { etag: string | null; version: number; mappings: unknown[] };
  /** What people asked for and the hub has not yet. */
  access_requests: WaitingRequest[];
  alerts_dropped: number;
  breaker_opened_at: number;
  /** That the kill switch is off-switched was told; a restart need not tell it again. */
  kill_switch_told: boolean;
  /** When runs began that have not ended in order. */
  unended_starts: number[];
  update_asked_at: number;
  /** Versions that did not work here, and that the hub was told of. */
  updates_told: string[];
  last_scan: { at: string; entities: number; duration_ms: number };
}

interface WaitingRequest {
  access_request_id: string;
  asked_at: string;
  entity_id: string | null;
  process_name: string | null;
  reason: string;
}

export interface State {
  get<K extends keyof RememberedState>(key: K): RememberedState[K] | null;
  set<K extends keyof RememberedState>(key: K, value: RememberedState[K] | null): void;
}

/** Reads and writes the `state` table; `null` forgets. Writes join a transaction that is open. */
export function openState(db: Db): State {
  const read = db.prepare<[string], { value: string }>('SELECT value FROM state WHERE key = ?');
  // Asked at every look at the processes; nobody else writes this file.
  const cache = new Map<string, unknown>();
  return {
    get<K extends keyof RememberedState>(key: K): RememberedState[K] | null {
      if (cache.has(key)) return cache.get(key) as RememberedState[K] | null;
      const row = read.get(key);
      const value = row === undefined ? null : JSON.parse(row.value);
      // What a transaction wrote may yet be taken back.
      if (!db.inTransaction) cache.set(key, value);
      return value;
    },
    set(key, value) {
      cache.delete(key);
      try {
        if (value === null) db.prepare('DELETE FROM state WHERE key = ?').run(key);
        else {
          db.prepare(
            'INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
          ).run(key, JSON.stringify(value));
        }
      } catch (error) {
        // Of a transaction all is taken back; a word of its own holds in memory for as long as the disk takes none.
        if (db.inTransaction || !isDiskFull(error)) throw error;
        cache.set(key, value);
      }
    },
  };
}

/** What another tenant (or this machine under another id) left behind must never reach this one: it is all forgotten. */
export function claimStore(db: Db, state: State, owner: string): { forgotten: boolean } {
  const before = state.get('belongs_to');
  if (before === owner) return { forgotten: false };
  db.transaction(() => {
    if (before !== null) {
      for (const table of [
        'state',
        'overrides',
        'override_inbox',
        'confirmed_entities',
        'outgoing_batches',
        'set_aside',
        'alerts',
        'reported_processes',
      ]) {
        db.exec(`DELETE FROM ${table}`);
      }
    }
    state.set('belongs_to', owner);
  })();
  return { forgotten: before !== null };
}
