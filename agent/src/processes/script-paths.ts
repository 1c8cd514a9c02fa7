// Resolves the real path of a script without waiting for an unresponsive file system: the path is probed in the
// background, and a listener is called with the result.
import { realpathSync } from 'node:fs';
import type { MountProbe } from '../runtime/mount-probe.ts';

export interface ScriptPaths {
  /** Returns null for a missing file, and the given path while the probe runs. */
  realPath(path: string): string | null;
  /** `listener` is called when a probe returned another path. */
  onLearned(listener: () => void): void;
}

const MAX_REMEMBERED = 5000;
/** After so long it is asked again. */
const REMEMBERED_MS = 10 * 60_000;

export function openScriptPaths(
  reach: MountProbe,
  monotonicMs = () => performance.now(),
): ScriptPaths {
  const remembered = new Map<string, { real: string | null; untilMs: number }>();
  let listener = (): void => undefined;
  const ask = async (path: string, cachedPath: string | null) => {
    const real = await reach.realPath(path);
    if (real === 'hangs') {
      remembered.delete(path);
      return;
    }
    remembered.set(path, { real, untilMs: monotonicMs() + REMEMBERED_MS });
    if (real !== cachedPath) listener();
  };
  return {
    realPath(path) {
      if (reach.isOwn(path)) return realPathHere(path);
      const known = remembered.get(path);
      if (known !== undefined && known.untilMs > monotonicMs()) return known.real;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const real = known === undefined ? path : known.real;
      remembered.set(path, { real, untilMs: Infinity });
      void ask(path, real);
      return real;
    },
    onLearned(hears) {
      listener = hears;
    },
  };
}

function realPathHere(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Not there any more, or a word that is no file.
    return null;
  }
}
