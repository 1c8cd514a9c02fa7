// Device groups: what other features and server.ts may use.
import type { Db } from '../../../platform/db/database.ts';
import { selectGroupsOf } from './store.ts';

export { eraseFromRules } from './erase-rules.ts';
export { followRules } from './follow-rules.ts';
export { registerGroupPages, registerGroupReading } from './routes.ts';
export {
  forgetGroupDepartures,
  inGroup,
  type Membership,
  selectGroup,
  selectGroupsOf,
  selectMembershipChanges,
  selectMemberships,
  selectNamedGroups,
} from './store.ts';

/** The ids of the groups that a device is in; none for a device that is not known. */
export async function groupsOf(db: Db, tenantId: string, deviceId: string): Promise<string[]> {
  return (await selectGroupsOf(db, tenantId, deviceId)).map((one) => one.group_id);
}
