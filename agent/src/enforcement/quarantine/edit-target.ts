// Resolves who must edit a configuration file, and as whom.
import { type Home, namesOf } from '../../discovery/homes/home-list.ts';
import { isWithin } from '../../runtime/path-comparison.ts';
import type { EditTarget } from './edit-protocol.ts';

/** Returns the target of an edit; null where the home is unknown on this machine or does not respond. */
export function resolveEditTarget(
  homes: readonly Home[],
  file: string,
  owner: string | null,
): EditTarget | null {
  if (owner === null) return { file, home: null, homeNames: [], become: null };
  const home = homes.find((candidate) => candidate.owner === owner && rootOf(candidate, file));
  if (home === undefined || home.hangs === true) return null;
  const { uid, gid } = home;
  const agentUid = process.getuid?.() ?? null;
  const isForeign = agentUid === 0 && uid !== null && gid !== null && uid !== agentUid;
  return {
    file,
    home: rootOf(home, file),
    homeNames: namesOf(home),
    become: isForeign ? { uid, gid } : null,
  };
}

/** Returns the home, or the folder that was redirected out of it, that the file lies in; null where it lies elsewhere. */
function rootOf({ path, redirected = [] }: Home, file: string): string | null {
  const roots = [path, ...redirected.map((folder) => folder.path)];
  return roots.find((root) => isWithin(root, file)) ?? null;
}
