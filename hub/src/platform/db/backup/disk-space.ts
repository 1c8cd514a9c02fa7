// Checks the disk space for a restore test before it starts. A full disk would stop the running hub.
import { stat, statfs } from 'node:fs/promises';
import { ConfigError } from '../../config/config.ts';

/** Space that must remain for the hub itself. */
const RESERVE_BYTES = 256 * 2 ** 20;
/** The embedded server's max_wal_size. */
const WAL_MAX_BYTES = 2 * 2 ** 30;

export interface Disk {
  folder: string;
  /** Equal for folders on the same disk. */
  device: string | number;
  freeBytes: number;
}

export interface DatabaseSize {
  /** Bytes including indexes. */
  database: number;
  tables: number;
}

/** Returns the disk of a folder and its free space. */
export async function readDisk(folder: string): Promise<Disk> {
  const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
  return { folder, device: dev, freeBytes: bavail * bsize };
}

/**
 * Rejects insufficient disk space. The compressed backup needs at most the size of the tables; the scratch database needs
 * the size of the database and its write-ahead log. `server` is null if its disk is unknown. Throws ConfigError.
 */
export function requireDiskSpace(
  size: DatabaseSize,
  disks: { backup: Disk; server: Disk | null },
): void {
  const { backup, server } = disks;
  const restored = size.database + Math.min(size.database, WAL_MAX_BYTES);
  const isOneDisk = server?.device === backup.device;
  refuse(backup, size.tables + (isOneDisk ? restored : 0));
  if (server !== null && !isOneDisk) refuse(server, restored);
}

function refuse({ folder, freeBytes }: Disk, neededBytes: number): void {
  if (freeBytes >= neededBytes + RESERVE_BYTES) return;
  throw new ConfigError(
    `too little room on the disk of ${folder}: ${megabytes(freeBytes)} MB are free, a proof needs ${megabytes(neededBytes + RESERVE_BYTES)} MB`,
  );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
