// The versions of the agent's database, forward only. A version that was released is never changed, only followed.
import type { Migration } from './schema-version.ts';

export const MIGRATIONS: readonly Migration[] = [
  // Schema of the first release.
  {
    sql: `
  CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Every override in force, raw as received: the digest covers also those that this version does not understand.
  CREATE TABLE overrides (
    override_id TEXT PRIMARY KEY, revision INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- What was pulled and not yet applied. 'staged': pages of a pull without a cursor, until its last page.
  CREATE TABLE override_inbox (
    position INTEGER PRIMARY KEY, purpose TEXT NOT NULL CHECK (purpose IN ('merge', 'staged', 'replace')),
    body TEXT NOT NULL
  ) STRICT;

  -- What the hub has confirmed, by the hash of the entity exactly as it was sent.
  CREATE TABLE confirmed_entities (
    entity_id TEXT PRIMARY KEY, hash BLOB NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, name TEXT NOT NULL,
    owners TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Batches on their way: repeated after a crash with the same id and the same bytes.
  CREATE TABLE outgoing_batches (
    position INTEGER PRIMARY KEY, batch_id TEXT NOT NULL, body TEXT NOT NULL, effects TEXT NOT NULL
  ) STRICT;

  CREATE TABLE set_aside (
    entity_id TEXT PRIMARY KEY, hash BLOB NOT NULL, source TEXT NOT NULL, reason TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE alerts (
    position INTEGER PRIMARY KEY AUTOINCREMENT, alert_id TEXT NOT NULL UNIQUE, severity INTEGER NOT NULL,
    code TEXT, body TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, refused TEXT
  ) STRICT;
  CREATE INDEX alerts_by_severity ON alerts (severity, position);

  CREATE TABLE reported_processes (
    process_id TEXT PRIMARY KEY, first_seen_at TEXT NOT NULL, reported_at INTEGER NOT NULL, map_version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  },
];
