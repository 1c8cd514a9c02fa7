// Removes an erased person's name from the membership queries of device groups.
import type { Tx } from '../../../platform/db/database.ts';
import { withoutPerson } from './membership-query.ts';
import { selectRules, updateGroup } from './store.ts';

export interface StruckRule {
  group_id: string;
  name: string;
  /** The person's name as the rule had it. */
  spelled: string[];
}

/**
 * Strikes a person from every rule that names them; who else is in the groups stays the same. A pattern with which
 * somebody meant several people is left as it is. To be called behind the feed's lock.
 */
export async function eraseFromRules(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  by: { email: string; now: Date },
): Promise<StruckRule[]> {
  const struck: StruckRule[] = [];
  for (const group of await selectRules(tx, tenantId)) {
    const change = group.rule === null ? null : withoutPerson(group.rule, subscriberId);
    if (change === null) continue;
    const after = { ...group, rule: change.rule, updated_at: by.now, updated_by: by.email };
    await updateGroup(tx, tenantId, group, after);
    struck.push({ group_id: group.group_id, name: group.name, spelled: change.spelled });
  }
  return struck;
}
