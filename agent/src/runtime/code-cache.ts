// Compiled code kept between starts: a command and a scan's children start in half the time.
import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { IS_PACKAGED } from './program-paths.ts';

/** Beside our own source, which whoever can change rules us anyway; for an installed program in the data folder. */
const BESIDE_SOURCE = join(import.meta.dirname, '../../node_modules/.cache/gatewarden-agent');

/** The folder for compiled code; null where it could be anybody else's: who writes there runs as us. */
export function codeCacheOf(dataDir: string | null): string | null {
  const inDataDir = dataDir === null ? null : join(dataDir, 'code-cache');
  return (
    (IS_PACKAGED ? null : madeSafely(BESIDE_SOURCE, join(import.meta.dirname, '../..'))) ??
    (inDataDir === null ? null : madeSafely(inDataDir, dirname(inDataDir)))
  );
}

function madeSafely(folder: string, above: string): string | null {
  const own = process.getuid?.() ?? null;
  const isSafe = (path: string) => {
    const { uid, mode } = statSync(path);
    return own === null || (uid === own && (mode & 0o022) === 0);
  };
  try {
    if (!isSafe(above)) return null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isSafe(folder) ? folder : null;
  } catch {
    // Not there yet, read-only, or another's: everything works without.
    return null;
  }
}

/** Uses it for what this process loads from now on, where it does not do so from its start. */
export function useCodeCache(dataDir: string): void {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const folder = codeCacheOf(dataDir);
  if (folder !== null) enableCompileCache(folder);
}
