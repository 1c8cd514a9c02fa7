// Mounts and drives on which homes may be, and which of them may not answer.
import { win32 } from 'node:path';
import { isRemotePath } from '../../native/windows/drives.ts';
import { type Mounts, readMounts } from '../scoped-fs/mount-table.ts';

export type HomeMounts = Pick<Mounts, 'foreignOn' | 'foreignBelow'>;

/** On Windows, shares of servers are foreign; Windows lists homes, so that no folder is searched for them. */
const WINDOWS_DRIVES: HomeMounts = {
  foreignOn: (path) => (isRemotePath(path) ? win32.parse(path).root : null),
  foreignBelow: () => [],
};

/** Returns the present mounts; null where the system lists none. */
export function readHomeMounts(): HomeMounts | null {
  return process.platform === 'win32' ? WINDOWS_DRIVES : readMounts();
}
