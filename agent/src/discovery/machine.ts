// A scan of this very machine with its real root, homes and environment.
import { currentPlatform } from '../config/identity.ts';
import { listHomes } from './homes.ts';
import { chooseSources, type ScanResult, scan } from './scan.ts';
import { SOURCES } from './sources/index.ts';

/** One pass over the sources that the configuration names (null: all). */
export function scanMachine(
  sourceNames: readonly string[] | null,
  env: NodeJS.ProcessEnv,
): Promise<ScanResult> {
  const platform = currentPlatform();
  return scan(
    chooseSources(SOURCES, platform, sourceNames),
    { platform, root: '/', homes: listHomes(), env },
    { now: () => new Date(), monotonicMs: () => performance.now() },
  );
}
