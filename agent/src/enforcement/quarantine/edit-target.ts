// Resolves who must edit a configuration file, and as whom.
import { type Home, namesOf } from '../../discovery/homes/home-list.ts';
import type { EditTarget } from './edit-protocol.ts';

/** Returns the target of an edit; null where the home is unknown on this machine or does not respond. */
export function resolveEditTarget(
  homes: readonly Home[],
  file: string,
  owner: string | null,
): EditTarget | null {
  if (owner === null) return { file, home: null, homeNames: [], become: null };
  const home = homes.find(
    (candidate) => candidate.owner === owner && file.startsWith(`${candidate.path}/`),
  );
  if (home === undefined || home.hangs === true) return null;
  const { uid, gid, path } = home;
  const agentUid = process.getuid?.() ?? null;
  const isForeign = agentUid === 0 && uid !== null && gid !== null && uid !== agentUid;
  return { file, home: path, homeNames: namesOf(home), become: isForeign ? { uid, gid } : null };
}
