// Overrides that a device group is named in, for the page that deletes the group.
import type { Db } from '../../../platform/db/database.ts';
import { matchText } from './override-rules.ts';
import { selectMatchesForGroup } from './store.ts';

/** Returns a description of each override whose scope is the group, newest first. */
export async function describeGroupOverrides(
  db: Db,
  tenantId: string,
  groupId: string,
): Promise<string[]> {
  return (await selectMatchesForGroup(db, tenantId, groupId)).map(matchText);
}
