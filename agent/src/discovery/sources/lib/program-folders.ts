// The folders of programs that are there: of the machine, or of a home with its version managers.
import { HOME_BINS, MACHINE_BINS } from '../../clients/command-lines.ts';
import { placesOf } from '../../clients/path-tokens.ts';
import type { ScopedFs } from '../../source-contract.ts';

/** Returns the folders, found once for all sources of a look. */
export function programFolders(fs: ScopedFs): Promise<string[]> {
  return fs.computeOnce('program folders', async () =>
    (fs.owner === null ? MACHINE_BINS : HOME_BINS)
      .flatMap((path) => placesOf(fs.platform, path))
      .flatMap((path) => fs.expand(path))
      .filter((path) => fs.kindOf(path) === 'folder'),
  );
}
