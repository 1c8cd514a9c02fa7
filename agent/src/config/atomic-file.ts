// Writes a file so that a crash or a full disk leaves either the old text or the new text, never a part of it.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { renameOver } from '../runtime/rename-over.ts';

/** Writes beside the file, syncs, and renames over it. */
export function writeFileAtomically(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}.new`;
  // Whatever lies there (a leftover, a planted link) is taken away: `wx` then creates, and follows nothing.
  rmSync(beside, { force: true });
  const handle = openSync(beside, 'wx', mode);
  try {
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameOver(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** The text of a file of the agent's own; a folder or a pipe in its place is refused, and not waited for. */
export function readRegularFile(file: string): string {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(handle).isFile()) throw new Error('it is no regular file');
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}
