// Whether a proof fits on the disks, before it begins: a full disk would stop the hub that it runs beside.
import { stat, statfs } from 'node:fs/promises';
import { ConfigError } from '../../config/config.ts';

/** What must be left for the hub's own work. */
const SPARE = 256 * 2 ** 20;
/** The embedded server's max_wal_size. */
const WAL_MOST = 2 * 2 ** 30;

export interface Disk {
  folder: string;
  /** The same for folders on one disk. */
  device: string | number;
  freeBytes: number;
}

export interface DatabaseSize {
  /** With indexes. */
  database: number;
  tables: number;
}

export async function diskOf(folder: string): Promise<Disk> {
  const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
  return { folder, device: dev, freeBytes: bavail * bsize };
}

/**
 * The backup takes what the tables take at most, for it is compressed; the scratch database what the database takes, and
 * a log of that. `server` is null where its disk cannot be seen. Throws ConfigError.
 */
export function refuseTooLittleRoom(
  size: DatabaseSize,
  disks: { backup: Disk; server: Disk | null },
): void {
  const { backup, server } = disks;
  const restored = size.database + Math.min(size.database, WAL_MOST);
  const isOneDisk = server?.device === backup.device;
  refuse(backup, size.tables + (isOneDisk ? restored : 0));
  if (server !== null && !isOneDisk) refuse(server, restored);
}

function refuse({ folder, freeBytes }: Disk, neededBytes: number): void {
  if (freeBytes >= neededBytes + SPARE) return;
  throw new ConfigError(
    `too little room on the disk of ${folder}: ${megabytes(freeBytes)} MB are free, a proof needs ${megabytes(neededBytes + SPARE)} MB`,
  );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
