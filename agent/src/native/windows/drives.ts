// Drives of Windows: local disks, or shares of a server that may not answer.
import { win32 } from 'node:path';
import { kernel32 } from './libraries.ts';

const DRIVE_REMOTE = 4;

/** Returns whether a path lies on a server. Touches nothing of it. */
export function isRemotePath(path: string): boolean {
  const { root } = win32.parse(path);
  if (root.startsWith('\\\\')) return true;
  return root !== '' && kernel32().GetDriveTypeW(root) === DRIVE_REMOTE;
}
