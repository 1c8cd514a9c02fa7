// The access policies of a tenant, cached until a notice invalidates them.
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { selectMembersOf } from '../../people/groups/index.ts';
import { type Decision, decide, leaveAnything } from './evaluate.ts';
import { type RuleRow, selectRules } from './store.ts';

const CACHE = 'mcp-rules';

export interface Policy {
  /** `email` folded; null: nobody is known. */
  decide(backendId: string, tool: string | null, email: string | null): Decision<RuleRow>;
  /** Whether anything of the server is left for them: all of it, or a tool. */
  reaches(backendId: string, email: string | null): boolean;
}

export interface AccessPolicies {
  of(tenantId: string): Promise<Policy>;
  forget(tenantId: string): void;
  /** In every process, when the transaction commits. */
  forgetEverywhere(tx: Tx, tenantId: string): Promise<void>;
}

export function createAccessPolicies(db: Db, notifications: Notifications): AccessPolicies {
  const cache = createNotifiedCache<Policy>({ name: CACHE, max: 10_000, notifications });
  return {
    of: (tenantId) => cache.get(tenantId, () => policyOf(db, tenantId)),
    forget: cache.invalidate,
    async forgetEverywhere(tx, tenantId) {
      await notify(tx, { kind: 'forget', cache: CACHE, keys: [tenantId] });
      await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
    },
  };
}

async function policyOf(db: Db, tenantId: string): Promise<Policy> {
  const rules = await selectRules(db, tenantId);
  const named = [...new Set(rules.flatMap((rule) => rule.group_id ?? []))];
  const members = new Map<string, Set<string>>();
  for (const { group_id: id, email_folded: email } of await selectMembersOf(db, tenantId, named)) {
    members.set(id, (members.get(id) ?? new Set()).add(email));
  }
  // A call concerns a single server, so policies of other servers are filtered once.
  const byBackend = new Map<string, RuleRow[]>();
  const rulesAt = (backendId: string) => {
    let known = byBackend.get(backendId);
    if (known === undefined) {
      known = rules.filter((rule) => rule.backend_id === null || rule.backend_id === backendId);
      byBackend.set(backendId, known);
    }
    return known;
  };
  const asked = (backendId: string, email: string | null) => ({
    backendId,
    email,
    isIn: (groupId: string) => email !== null && members.get(groupId)?.has(email) === true,
  });
  return {
    decide: (backendId, tool, email) =>
      decide(rulesAt(backendId), { ...asked(backendId, email), tool }),
    reaches: (backendId, email) => leaveAnything(rulesAt(backendId), asked(backendId, email)),
  };
}
