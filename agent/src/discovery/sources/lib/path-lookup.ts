// Finds the path of a program by its name, without starting it.
import { join } from 'node:path/posix';
import type { ScopedFs } from '../../source-contract.ts';

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/** The real path of a program by absolute path or by PATH; null where it is not an executable file. */
export function findInPath(fs: ScopedFs, program: string): string | null {
  if (program.includes('\0')) return null;
  if (program.startsWith('/')) return fs.executable(program);
  if (program.includes('/')) return null;
  for (const folder of (fs.env.PATH || USUAL_PATH).split(':')) {
    const found = folder.startsWith('/') ? fs.executable(join(folder, program)) : null;
    if (found !== null) return found;
  }
  return null;
}
