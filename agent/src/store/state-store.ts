// Small things that must be remembered, by name: cursor, counters, times. Values are JSON.

import type { AgentState } from './state-keys.ts';
import { type Db, isDiskFull } from './store-database.ts';

export interface State {
  get<K extends keyof AgentState>(key: K): AgentState[K] | null;
  set<K extends keyof AgentState>(key: K, value: AgentState[K] | null): void;
}

/** Reads and writes the `state` table; `null` forgets. Writes join a transaction that is open. */
export function openState(db: Db): State {
  const read = db.prepare<[string], { value: string }>('SELECT value FROM state WHERE key = ?');
  // Asked at every look at the processes; nobody else writes this file.
  const cache = new Map<string, unknown>();
  return {
    get<K extends keyof AgentState>(key: K): AgentState[K] | null {
      if (cache.has(key)) return cache.get(key) as AgentState[K] | null;
      const row = read.get(key);
      const value = row === undefined ? null : readValue(row.value);
      // A transaction may be rolled back: its writes are cached only once it is committed.
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
        // A rollback discards all writes of a transaction; a single write is in force from memory while the disk is
        // full.
        if (db.inTransaction || !isDiskFull(error)) throw error;
        cache.set(key, value);
      }
    },
  };
}

/** An unreadable value counts as unset: a damaged row must not stop its reader for ever. */
function readValue(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Data of another tenant, or of this machine under another id, must never reach this tenant: all of it is deleted.
 */
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
