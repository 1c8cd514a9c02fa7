// The chain of a tool call: who called, where to, what decided it then and what would decide it now, and who set that.

import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type {
  AccessReason,
  CallStep,
  ToolCallWhy,
} from '@gatewarden/shared/wire/console/call-why.ts';
import { selectAuditOf, selectNewestOf } from '../../../platform/audit.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type ToolCallListRow, toolCallItem } from '../../logs/console/index.ts';
import { microsText } from '../../logs/events/index.ts';
import { sentBy, stepOf } from '../../logs/trace/index.ts';
import { selectMemberships } from '../../people/identity/index.ts';
import { type AccessPolicies, matchesToolRules, ruleWith } from '../access-policies/index.ts';
import { apiTokenWith } from '../access-tokens/index.ts';
import { type BackendRow, isShared, selectBackend } from '../backends/index.ts';
import { selectApproval } from '../call-approvals/index.ts';
import type { ToolPins } from '../tool-pinning/index.ts';
import { type CalledEvent, foundIn, outcomeOf } from './event.ts';
import { callRulesOf } from './guardrails.ts';

/** Audit events per resource; older events are in the audit trail. */
const EVENTS_MAX = 20;

export interface TraceDeps {
  db: Db;
  rules: AccessPolicies;
  pins: ToolPins;
  /** Returns the name of the tenant's own node with this id; null for a node that several tenants share. */
  nodeNamed(tenantId: string, nodeId: string): Promise<string | null>;
}

type Chain = Omit<ToolCallWhy, 'request_id'>;
interface Scene {
  deps: TraceDeps;
  tenantId: string;
  row: ToolCallListRow;
  event: CalledEvent;
}

/**
 * Traces a log row to the policies that decided, and to their authors. `at_call` is the decision that was recorded with the
 * call; `now` is the decision for the same call under the current policies. Each resource has at most `EVENTS_MAX` audit
 * events.
 */
export async function traceCall(
  deps: TraceDeps,
  tenantId: string,
  row: ToolCallListRow,
): Promise<Chain> {
  const { db } = deps;
  const item = toolCallItem(row);
  const event = item.event as unknown as CalledEvent;
  const scene = { deps, tenantId, row, event };
  const { backend_id: backendId } = row;
  const backend = backendId === null ? null : await selectBackend(db, tenantId, backendId);
  const at_call = row.decided?.access ?? null;
  const tool = await toolOf(scene);
  const now = backend === null ? null : await reasonNow(scene, backend, tool);
  const ruleIds = [at_call?.rule_id, now?.rule_id].filter((item) => typeof item === 'string');
  const found = row.node_id === null ? foundIn(event.guardrails) : new Map();
  const meant = await callRulesOf(db, tenantId, { row, tool: row.tool_name, found });
  const { approval_id: approvalId, token_id: tokenId } = row.decided ?? {};
  const approval = approvalId == null ? null : await selectApproval(db, tenantId, approvalId);
  const token = tokenId == null ? null : await apiTokenWith(db, tenantId, tokenId);
  const callRuleIds = meant.rules.map((rule) => rule.rule_id);
  const policyIds = [backendId, ...ruleIds, ...callRuleIds];
  const eventsOf = await readEvents(scene, [...policyIds, approval?.approval_id, token?.token_id]);
  const { email, via, agent } = callerOf(item.user_email, event);
  return {
    call: {
      log_id: row.log_id,
      at: item.started_at,
      method: item.method,
      outcome: outcomeOf(row, event),
      message: event.response.error_message,
      sent_by: await sentBy(row, (nodeId) => deps.nodeNamed(tenantId, nodeId)),
    },
    caller: {
      email,
      via,
      agent,
      role: email === null ? null : await roleOf(db, tenantId, email),
      token: token && {
        token_id: token.token_id,
        name: token.name,
        agent: token.agent,
        stands: tokenStatus(token),
        made_by: token.creator.email ?? token.creator.kind,
        events: eventsOf(token.token_id),
      },
    },
    server: {
      backend_id: row.backend_id,
      name: item.backend.name,
      version_then: row.decided?.backend_version ?? null,
      now: backend && currentServer(backend),
      events: eventsOf(row.backend_id),
    },
    tool,
    access: {
      at_call,
      now,
      rules: await Promise.all(
        [...new Set(ruleIds)].map(async (rule_id) => ({
          rule_id,
          rule: await ruleWith(db, tenantId, rule_id),
          events: eventsOf(rule_id),
        })),
      ),
    },
    call_rules: meant.rules.map((rule) => ({ ...rule, events: eventsOf(rule.rule_id) })),
    more_call_rules: meant.more,
    approval: approval && {
      approval_id: approval.approval_id,
      rule_id: approval.rule_id,
      by: approval.decided_by,
      at: approval.decided_at?.toISOString() ?? null,
      events: eventsOf(approval.approval_id),
    },
  };
}

function currentServer(backend: NonNullable<Awaited<ReturnType<typeof selectBackend>>>) {
  return {
    name: backend.name,
    version: backend.version,
    enabled: backend.disabled_at === null,
    drift: backend.drift,
    allow: backend.tools?.allow ?? null,
    deny: backend.tools?.deny ?? null,
  };
}

/** Returns the audit events of each resource, oldest first, with a limit per resource. */
async function readEvents(
  { deps: { db }, tenantId, row }: Scene,
  things: readonly (string | null | undefined)[],
): Promise<(id: string | null) => CallStep[]> {
  const ids = [...new Set(things.filter((item) => typeof item === 'string'))];
  const all = await Promise.all(
    ids.map(async (id) => [id, await selectAuditOf(db, tenantId, [id], EVENTS_MAX)] as const),
  );
  const byThing = new Map(all);
  return (id) => (id === null ? [] : (byThing.get(id) ?? [])).map((item) => stepOf(item, row.at));
}

const callerOf = (email: string | null, { auth, metadata }: CalledEvent) => ({
  email,
  via: auth.mode,
  agent: metadata.agent,
});

async function roleOf(db: Db, tenantId: string, email: string) {
  const all = await selectMemberships(db, foldName(email));
  return all.find((item) => item.tenant_id === tenantId)?.role ?? null;
}

function tokenStatus({ revoked_at: revoked, expires_at: expires }: TokenTimes) {
  if (revoked !== null) return 'revoked';
  return expires !== null && expires.getTime() <= Date.now() ? 'expired' : 'live';
}
interface TokenTimes {
  revoked_at: Date | null;
  expires_at: Date | null;
}

/** Returns the decision about the same call now, in the order of the pipeline. */
async function reasonNow(scene: Scene, backend: BackendRow, reviewed: Chain['tool']) {
  const { deps, tenantId, row, event } = scene;
  const { tool_name: tool, user_email: email } = row;
  const reason = (why: AccessReason['why'], rule_id: string | null = null) => ({ why, rule_id });
  if (tool !== null && !matchesToolRules(tool, backend.tools)) return reason('tool_not_offered');
  const policy = await deps.rules.of(tenantId);
  const who = event.auth.mode === 'passthrough' || email === null ? null : foldName(email);
  const decision = policy.decide(backend.backend_id, tool, who);
  if (tool !== null && decision.allowed) {
    const { backend_id: backendId, drift, auth } = backend;
    const place = { tenantId, backendId, drift, isShared: isShared(auth) };
    const mayCall = await deps.pins.mayCall(place, tool, null);
    if (!mayCall && !isOthersChange(row, place.isShared, reviewed)) {
      return reason('tool_under_review');
    }
  }
  return reason(decision.why, decision.rule?.rule_id ?? null);
}

/**
 * Returns whether a change was seen by other users only. At a server with lists per user, the tool of this caller is as the call
 * saw it, unless it was approved since.
 */
function isOthersChange(
  { decided }: ToolCallListRow,
  shared: boolean,
  { review, approved_since }: Chain['tool'],
): boolean {
  if (shared || review !== 'changed') return false;
  return approved_since !== null || decided?.access?.why !== 'tool_under_review';
}

const PINNED = 'mcp_backend.pin_tools' satisfies AuditOperation;

/** The definition that was approved, and when; what it was then nobody keeps, but by the audit event. */
async function toolOf({ deps, tenantId, row }: Scene): Promise<Chain['tool']> {
  const { tool_name: name, backend_id: id } = row;
  if (id === null) return { name, review: null, approved: null, approved_since: null };
  const of = { id, operation: PINNED } as const;
  const until = microsText(row.at);
  const [review, then, newest] = await Promise.all([
    name === null ? null : deps.pins.reviewOf({ tenantId, backendId: id }, name),
    selectNewestOf(deps.db, tenantId, { ...of, until }),
    selectNewestOf(deps.db, tenantId, of),
  ]);
  const isSame = newest?.event_id === then?.event_id;
  return {
    name,
    review,
    approved: then && stepOf(then, row.at),
    approved_since: isSame ? null : newest && stepOf(newest, row.at),
  };
}
