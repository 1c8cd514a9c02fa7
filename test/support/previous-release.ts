// The release before this one, as its source stood: what a rolling upgrade comes from.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Moved on with each release. */
const PREVIOUS = '1051f2fe708da18f0f48a8c0e765c28bb22c163b';

/** Null where this copy of the repository does not reach back that far. */
export function previousRelease(): string | null {
  try {
    const args = ['rev-parse', '--quiet', '--verify', `${PREVIOUS}^{commit}`];
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** Puts its source into the folder, with the libraries of now; gives where its hub starts. */
export function unpackRelease(commit: string, folder: string): string {
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
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
  for (const one of workspaces) {
    const { name } = JSON.parse(readFileSync(join(folder, one, 'package.json'), 'utf8')) as {
      name: string;
    };
    symlinkSync(join(folder, one), join(modules, name));
    const own = join(ROOT, one, 'node_modules');
    if (readdirSync(join(ROOT, one)).includes('node_modules')) {
      symlinkSync(own, join(folder, one, 'node_modules'));
    }
  }
  return join(folder, 'hub/src/main.ts');
}
