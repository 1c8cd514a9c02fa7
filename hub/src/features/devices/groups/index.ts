// Device groups: sets of devices that overrides, releases and notification channels can be scoped to.
// Main types: `Membership` (a device in a group, with its feed revision).
// Invariants: a group with a membership query has no members added by hand; every join and departure has a feed revision.
// Depends on enrollment. Inventory, overrides and sync read memberships.
// Start reading at store.ts; queries are evaluated in membership-query.ts.
import type { Db } from '../../../platform/db/database.ts';
import { selectGroupsOf } from './store.ts';

export { followRules } from './apply-membership-queries.ts';
export { eraseFromRules } from './erase-from-queries.ts';
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
  return (await selectGroupsOf(db, tenantId, deviceId)).map((group) => group.group_id);
}
