// Checks whether a name exists in the file system.
import { accessSync, lstatSync } from 'node:fs';
import { isAbsence } from './errors.ts';

/**
 * Returns whether something has this name, a link not followed. Throws where the system refuses the answer. On Windows
 * the attributes answer, links not followed; a status opens the file and asks for its volume.
 */
export function nameExists(path: string): boolean {
  if (process.platform !== 'win32') return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  try {
    accessSync(path);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}
