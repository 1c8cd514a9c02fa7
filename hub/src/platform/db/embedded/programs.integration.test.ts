// PostgreSQL runs under root from a closed checkout: real programs, a real account, a real folder of mode 0700.
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { loadBinaries, makeReachable, runAs, unprivilegedAccount } from './programs.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('SKIPPED: PostgreSQL changes its account only where the hub runs as root');

const folders: string[] = [];
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** A folder that every account may pass. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gw-open-'));
  folders.push(folder);
  chmodSync(folder, 0o711);
  return folder;
}

/** A folder that no other account may pass, with PostgreSQL's programs in it. */
async function closedPrograms() {
  const { postgres } = await loadBinaries('/nowhere', null);
  const closed = mkdtempSync(join(tmpdir(), 'gw-closed-'));
  folders.push(closed);
  cpSync(dirname(dirname(postgres)), join(closed, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const bin = join(closed, 'native/bin');
  return { closed, installed: { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') } };
}

it.runIf(isRoot)('creates a cluster with programs from a closed folder', async () => {
  const { closed, installed } = await closedPrograms();
  const account = unprivilegedAccount();
  const binaries = makeReachable(installed, [closed, openFolder()], account);
  expect(binaries.initdb.startsWith(closed)).toBe(false);
  const data = join(closed, 'data');
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, account.uid, account.gid);
  const [file, args] = runAs(account, [data], binaries.initdb, [
    `--pgdata=${data}`,
    '--auth=trust',
    '--locale=C',
    '--no-sync',
  ]);
  await promisify(execFile)(file, args, { cwd: '/' });
  expect(existsSync(join(data, 'PG_VERSION'))).toBe(true);
});

it.runIf(isRoot)('caches a single copy, and copies again when a file is missing', async () => {
  const { installed } = await closedPrograms();
  const account = unprivilegedAccount();
  const places = [openFolder()];
  const first = makeReachable(installed, places, account);
  rmSync(first.initdb);
  expect(makeReachable(installed, places, account)).toEqual(first);
  expect(existsSync(first.initdb)).toBe(true);
});

it.runIf(isRoot)('names the remedy when no folder is accessible', async () => {
  const { closed, installed } = await closedPrograms();
  const attempt = () => makeReachable(installed, [closed], unprivilegedAccount());
  expect(attempt).toThrow(/closed to every other account: open that folder, or run the hub as/);
});
