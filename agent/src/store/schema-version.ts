// Schema versions of a database file: its version, and the version from which on an agent can use it. An older agent
// may open a file that a newer agent changed: where that only added to it, both can use it in turn.
import type Database from 'better-sqlite3';
import { PlainError } from '../runtime/errors.ts';

/**
 * A migration, forward only. Agents without it continue to read and write the file, unless it is `breaking`: it
 * removes or renames something, or changes the meaning of what older agents use.
 */
export interface Migration {
  sql: string;
  breaking?: true;
}

/** The file has a schema that only a newer agent can use. */
export class SchemaTooNewError extends PlainError {
  override name = 'SchemaTooNewError';
}

/** Runs the missing migrations, each in its own transaction. Throws SchemaTooNewError if this agent cannot use the file. */
export function migrate(db: Database.Database, migrations: readonly Migration[]): void {
  const version = versionOf(db);
  refuseNewer(db, migrations);
  migrations.slice(version).forEach(({ sql, breaking }, index) => {
    const next = version + index + 1;
    db.transaction(() => {
      db.exec('CREATE TABLE IF NOT EXISTS readable_from (version INTEGER NOT NULL) STRICT');
      const from = breaking === true || next === 1 ? next : readableFrom(db);
      db.exec(sql);
      db.exec('DELETE FROM readable_from');
      db.prepare('INSERT INTO readable_from (version) VALUES (?)').run(from);
      db.pragma(`user_version = ${next}`);
    }).immediate();
  });
}

/** Throws SchemaTooNewError where an agent that knows these steps cannot use the file. */
export function refuseNewer(db: Database.Database, migrations: readonly Migration[]): void {
  const [version, known] = [versionOf(db), migrations.length];
  if (version <= known) return;
  const from = readableFrom(db);
  if (from <= known) return;
  throw new SchemaTooNewError(
    `${db.name} is of a newer agent (schema ${version}, readable from ${from} on; this agent knows up to ${known}): install that version again`,
  );
}

const versionOf = (db: Database.Database) => Number(db.pragma('user_version', { simple: true }));

/** A file from before this was written down is readable by agents of its own version. */
function readableFrom(db: Database.Database): number {
  const isThere = db
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'readable_from'")
    .get();
  const row =
    isThere === undefined
      ? undefined
      : db.prepare<[], { version: number }>('SELECT version FROM readable_from').get();
  return row?.version ?? versionOf(db);
}
