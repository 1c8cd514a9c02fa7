// A disk without room, for tests of what goes on without it.
import { closeSync, openSync, writeSync } from 'node:fs';

/** Takes all that is left on the file's disk, to the last byte. */
export function fillDisk(file: string): void {
  const handle = openSync(file, 'w');
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) writeSync(handle, Buffer.alloc(size));
    } catch {
      // Not even so much is left.
    }
  }
  closeSync(handle);
}
