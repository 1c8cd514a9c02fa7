// Records of quarantined items, written before anything is touched, in a database of its own: the agent's other state
// may be reset, but what was taken from a user must always be restorable.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessFacts } from '@gatewarden/shared/policy.ts';
import Database from 'better-sqlite3';
import { PlainError } from '../../runtime/errors.ts';
import type { NewAlert } from '../../store/alert-store.ts';
import { type Migration, migrate, refuseNewer } from '../../store/schema-version.ts';
import { type Db, refuseOther } from '../../store/store-database.ts';
import type { Splice } from './edit/index.ts';
import type { CutEntry } from './edit/text.ts';

/** An executable (or script) that was moved aside. */
export interface QuarantinedFile {
  is: 'file';
  /** Path of the file in the vault. */
  storedPath: string;
  dev: number;
  ino: number;
  size: number;
  mode: number;
  uid: number;
  gid: number;
  mtimeMs: number;
  /** The path as the package that owns it lists it, which is diverted with dpkg; null where no package owns it. */
  listed: string | null;
}

/** Entries that were taken out of a configuration file. */
export interface QuarantinedEntry {
  is: 'entry';
  /** Owner of the home that contains the file; null: the machine's. */
  owner: string | null;
  container: string[];
  /** The launch's key as the file alone gives it, by which the entry is found. */
  key: string;
  entries: CutEntry[];
  /** SHA-256 of the file before and after, and the splice between them. */
  before: string;
  after: string;
  splice: Splice;
  /** The way back that is under way. */
  back: { from: string; to: string; splice: Splice } | null;
}

/** `taking` and `releasing` are intents: the next start finishes what a crash left half-way. */
export type QuarantineState = 'taking' | 'quarantined' | 'releasing';

export interface QuarantineRecord {
  id: string;
  state: QuarantineState;
  /** The executable's path, or the configuration file's. */
  path: string;
  name: string;
  overrideId: string;
  takenAt: string;
  item: QuarantinedFile | QuarantinedEntry;
  /** Facts by which it is decided again whether the item stays. */
  facts: ProcessFacts;
  entityId: string | null;
  /** Alert to raise once the item is quarantined; null when it was raised. */
  alert: NewAlert | null;
  /** Why it could not be put back so far. */
  problem: string | null;
}

/** Record of a newer agent in a form that this agent does not know: only that agent can restore it. */
export type ForeignRecord = Pick<QuarantineRecord, 'name' | 'path' | 'takenAt' | 'overrideId'>;

export interface QuarantineRecords {
  all(): QuarantineRecord[];
  foreign(): ForeignRecord[];
  /** Durable when it returns. */
  save(record: QuarantineRecord): void;
  remove(id: string): void;
  close(): void;
}

const FILE = 'quarantine.db';
/** No migration may be breaking: whatever version runs, a quarantined item must be restorable. */
const MIGRATIONS: readonly (Migration & { breaking?: never })[] = [
  {
    sql: 'CREATE TABLE quarantined (id TEXT PRIMARY KEY, taken_at TEXT NOT NULL, body TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  },
];

/**
 * Opens (or makes) the record of a data folder. Throws where it cannot be read: then nothing may be taken. `alone`: nobody
 * reads it meanwhile, so that no memory has to be shared, for which a full disk has no room.
 */
export function openRecords(dataDir: string, { alone = false } = {}): QuarantineRecords {
  const file = join(dataDir, FILE);
  refuseOther(file);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const db: Db = new Database(file, { timeout: 5000 });
  if (alone) db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('cache_size = -256');
  migrate(db, MIGRATIONS);
  const upsert = db.prepare(
    'INSERT INTO quarantined (id, taken_at, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
  );
  return {
    all: () => readAll(db).known,
    foreign: () => readAll(db).foreign,
    save: (record) => {
      upsert.run(record.id, record.takenAt, JSON.stringify(record));
    },
    remove: (id) => {
      db.prepare('DELETE FROM quarantined WHERE id = ?').run(id);
    },
    close: () => db.close(),
  };
}

/** Returns records of an unusable database: none is known, and nothing may be taken. */
export function unusableRecords(reason: string): QuarantineRecords {
  return {
    all: () => [],
    foreign: () => [],
    save() {
      throw new PlainError(reason);
    },
    remove: () => undefined,
    close: () => undefined,
  };
}

/** Reads the records beside a running service or without it. */
export function readRecords(dataDir: string): {
  known: QuarantineRecord[];
  foreign: ForeignRecord[];
} {
  const file = join(dataDir, FILE);
  if (!existsSync(file)) return { known: [], foreign: [] };
  refuseOther(file);
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 2000 });
  try {
    refuseNewer(db, MIGRATIONS);
    return readAll(db);
  } finally {
    db.close();
  }
}

/** The oldest first. */
function readAll(db: Db): { known: QuarantineRecord[]; foreign: ForeignRecord[] } {
  const records = db
    .prepare<[], { body: string }>('SELECT body FROM quarantined ORDER BY taken_at, id')
    .all()
    .map((row) => JSON.parse(row.body) as QuarantineRecord);
  const foreign = records.filter((record) => !isKnown(record));
  return {
    known: records.filter(isKnown),
    foreign: foreign.map(({ name, path, takenAt, overrideId }) => ({
      ...{ name: String(name), path: String(path) },
      ...{ takenAt: String(takenAt), overrideId: String(overrideId) },
    })),
  };
}

const STATES: readonly string[] = [
  'taking',
  'quarantined',
  'releasing',
] satisfies QuarantineState[];

function isKnown({ state, item }: QuarantineRecord): boolean {
  if (!STATES.includes(state)) return false;
  if (item?.is === 'file') return typeof item.storedPath === 'string';
  return item?.is === 'entry' && Array.isArray(item.entries) && Array.isArray(item.container);
}
