// Where a program stands that something names, without starting it.
import { join } from 'node:path';
import type { Look } from '../../source-contract.ts';

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/** The real path of a program by absolute path or by PATH; null where it is not an executable file. */
export function findInPath(look: Look, program: string): string | null {
  if (program.includes('\0')) return null;
  if (program.startsWith('/')) return look.executable(program);
  if (program.includes('/')) return null;
  for (const folder of (look.env.PATH || USUAL_PATH).split(':')) {
    const found = folder.startsWith('/') ? look.executable(join(folder, program)) : null;
    if (found !== null) return found;
  }
  return null;
}
