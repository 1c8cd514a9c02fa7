// What every hub command stands on: the database, the sealer and the installation's secrets. Opened and closed as one.
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { loadMasterKeys } from './crypto/master-key.ts';
import { createSealer, type Sealer } from './crypto/seal.ts';
import { diskOf } from './db/backup/room.ts';
import { type Database, openDatabase, type StatementCounter } from './db/database.ts';
import { openEmbedded } from './db/embedded.ts';
import { openPipelined, type TransactPipelined } from './db/pipelined.ts';
import { type CursorSealer, createCursorSealer } from './http/lists/cursors.ts';
import {
  holdsNoSecret,
  type Installation,
  installationSecret,
  randomKey,
  readInstallation,
} from './installation.ts';

const POOL_SIZE = 20;
/** Groups of batches that are stored at once, and one to spare. */
const PIPELINED_SIZE = 4;

export interface Secrets {
  installation: Installation;
  cursors: CursorSealer;
  /** What the checkpoints of the audit trail are made with. */
  auditKey: Buffer;
}

export interface Context {
  database: Database;
  /** Transactions for ingest; see there. */
  pipelined: TransactPipelined;
  sealer: Sealer;
  counter: StatementCounter;
  /** Needs the schema: reads the installation and proves that the master key opens its secrets. */
  loadSecrets(): Promise<Secrets>;
  /** Left on the disk of an embedded database; null for one of the operator's own, whose disk is not seen from here. */
  databaseFreeBytes(): Promise<number | null>;
  /** Starts an embedded database again that went away; does nothing for one of the operator's own. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

export async function openContext(config: Config, log: Logger): Promise<Context> {
  const embedded = config.databaseUrl === null ? await openEmbedded(config.dataDir) : null;
  const counter: StatementCounter = { count: 0 };
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' };
  const options = {
    counter,
    onIdleError: (error: Error) => log.debug({ err: error }, 'an idle database connection broke'),
  };
  const database = openDatabase(connection, { ...options, size: POOL_SIZE });
  const pipelined = openPipelined(connection, { ...options, size: PIPELINED_SIZE });
  const { db } = database;
  const sealer = await loadMasterKeys(config, () => holdsNoSecret(db)).then(
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
      embedded === null ? null : (await diskOf(config.dataDir)).freeBytes,
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
