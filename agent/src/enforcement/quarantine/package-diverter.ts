// Registers diversions with dpkg, so that an upgrade unpacks a quarantined file into the vault.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PATIENCE_MS = 30_000;

export interface PackageDiverter {
  /** Repeating a diversion is harmless. Throws where dpkg refuses, because another diversion of the file exists. */
  add(listed: string, kept: string): Promise<void>;
  remove(listed: string, kept: string): Promise<void>;
}

/** The files themselves are moved by us: dpkg only keeps the book. */
export function openPackageDiverter(root = '/'): PackageDiverter {
  const runDivert = async (act: '--add' | '--remove', listed: string, kept: string) => {
    const place = root === '/' ? [] : ['--root', root];
    const args = [...place, '--quiet', '--local', '--no-rename', '--divert', kept, act, listed];
    await run('dpkg-divert', args, { timeout: PATIENCE_MS, env: { ...process.env, LC_ALL: 'C' } });
  };
  return {
    add: (listed, kept) => runDivert('--add', listed, kept),
    remove: (listed, kept) => runDivert('--remove', listed, kept),
  };
}
