// The context of every hub command: the database, the sealer and the installation's secrets.
// Main types: `Context`, `Secrets`.
// Invariant: everything is opened and closed together. Depends on config, crypto and db.
// The other files of this folder: audit.ts (audit trail), installation.ts (facts of the installation), versioned-write.ts
// (writes with If-Match). Start reading at `openContext`.
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { loadMasterKeys } from './crypto/master-key.ts';
import { createSealer, type Sealer } from './crypto/seal.ts';
import { readDisk } from './db/backup/disk-space.ts';
import { type Database, openDatabase, type StatementCounter } from './db/database.ts';
import { openEmbedded } from './db/embedded/server.ts';
import { openPipelined, type TransactPipelined } from './db/pipelined-transactions.ts';
import { type CursorSealer, createCursorSealer } from './http/lists/cursors.ts';
import {
  hasNoSecrets,
  type Installation,
  installationSecret,
  randomKey,
  readInstallation,
} from './installation.ts';

const POOL_SIZE = 20;
/** Connections for the commit batches that are stored at once, and a spare connection. */
const PIPELINED_SIZE = 4;

export interface Secrets {
  installation: Installation;
  cursors: CursorSealer;
  /** Key of the audit checkpoints. */
  auditKey: Buffer;
}

export interface Context {
  database: Database;
  /** Transactions for ingest; see pipelined-transactions.ts. */
  pipelined: TransactPipelined;
  sealer: Sealer;
  counter: StatementCounter;
  /** Reads the installation, and verifies that the master key unseals its secrets. The schema must exist. */
  loadSecrets(): Promise<Secrets>;
  /** Returns the free disk space of an embedded database; null for an external database, whose disk is unknown. */
  databaseFreeBytes(): Promise<number | null>;
  /** Restarts a stopped embedded database; does nothing for an external database. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database and loads the master keys. Throws ConfigError. */
export async function openContext(config: Config, log: Logger): Promise<Context> {
  const embedded = config.databaseUrl === null ? await openEmbedded(config.dataDir) : null;
  const counter: StatementCounter = { count: 0 };
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' };
  const options = {
    counter,
    onIdleError: (error: Error) => log.debug({ err: error }, 'idle database connection lost'),
  };
  const database = openDatabase(connection, { ...options, size: POOL_SIZE });
  const pipelined = openPipelined(connection, { ...options, size: PIPELINED_SIZE });
  const { db } = database;
  const sealer = await loadMasterKeys(config, () => hasNoSecrets(db)).then(
    createSealer,
    async (error: unknown) => {
      await pipelined.close();
      await database.close();
      await embedded?.release();
      throw error;
    },
  );
  return {
    database,
    pipelined: pipelined.transact,
    sealer,
    counter,
    async loadSecrets() {
      const key = await installationSecret(db, sealer, 'cursor-key', randomKey);
      const audit = await installationSecret(db, sealer, 'audit-key', randomKey);
      return {
        installation: await readInstallation(db),
        cursors: createCursorSealer(Buffer.from(key, 'base64')),
        auditKey: Buffer.from(audit, 'base64'),
      };
    },
    databaseFreeBytes: async () =>
      embedded === null ? null : (await readDisk(config.dataDir)).freeBytes,
    async revive() {
      await embedded?.revive();
    },
    async close() {
      await pipelined.close();
      await database.close();
      await embedded?.release();
    },
  };
}
