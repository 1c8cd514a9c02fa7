// The folders of programs that are there: of the machine, or of a home with its version managers.
import { HOME_BINS, MACHINE_BINS } from '../../clients/command-lines.ts';
import { placesOf } from '../../clients/path-tokens.ts';
import type { Look } from '../../source-contract.ts';

/** Returns the folders, found once for all sources of a look. */
export function programFolders(look: Look): Promise<string[]> {
  return look.shared('program folders', async () =>
    (look.owner === null ? MACHINE_BINS : HOME_BINS)
      .flatMap((path) => placesOf(look.platform, path))
      .flatMap((path) => look.expand(path))
      .filter((path) => look.kindOf(path) === 'folder'),
  );
}
