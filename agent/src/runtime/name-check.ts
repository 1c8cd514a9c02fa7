// Checks whether a name exists in the file system.
import { accessSync, lstatSync } from 'node:fs';
import { isAbsence } from './errors.ts';

/**
 * Returns whether something has this name, links not followed. Throws where the system refuses the answer. `lstat` opens
 * the file on Windows, where `access` reads its attributes only. On other systems `access` follows links.
 */
export function nameExists(path: string): boolean {
  try {
    if (process.platform !== 'win32') {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    }
    accessSync(path);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}
