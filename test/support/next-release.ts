// The release after this version: the same source with another migration. A rolling upgrade leads to it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Returns whether this copy of the source is a git checkout, which the next release is made from. */
export function isCheckout(): boolean {
  try {
    execFileSync('git', ['rev-parse', '--verify', 'HEAD'], { cwd: ROOT, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The migration of the next release. */
export const NEXT_MIGRATION = '0002-next';

/** Puts the committed source and the next migration into the folder, with the installed libraries; returns its hub. */
export function unpackNextRelease(folder: string): string {
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const migration = join(folder, 'hub/migrations', `${NEXT_MIGRATION}.sql`);
  writeFileSync(migration, 'ALTER TABLE devices ADD COLUMN next_release text;\n');
  // Its own workspaces, not ours: only the libraries are shared.
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@gatewarden'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '@gatewarden' || name === '.cache') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const { workspaces } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  for (const workspace of workspaces) {
    const { name } = JSON.parse(readFileSync(join(folder, workspace, 'package.json'), 'utf8')) as {
      name: string;
    };
    symlinkSync(join(folder, workspace), join(modules, name));
    const own = join(ROOT, workspace, 'node_modules');
    if (readdirSync(join(ROOT, workspace)).includes('node_modules')) {
      symlinkSync(own, join(folder, workspace, 'node_modules'));
    }
  }
  return join(folder, 'hub/src/main.ts');
}
