// C/mcp/rules: access policies are created and deleted, never changed, so that the audit trail shows what applied when.
import { foldName } from '@gatewarden/shared/names.ts';
import {
  type Rule,
  RuleAnswer,
  RuleInput,
  RuleList,
  RuleParams,
  RuleQuery,
} from '@gatewarden/shared/wire/console/mcp-rules.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { createWithId } from '../../../platform/http/server/client-chosen-id.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { selectPeopleGroup } from '../../people/groups/index.ts';
import { backendWith } from '../backends/index.ts';
import type { AccessPolicies } from './policies.ts';
import {
  countRules,
  deleteRule,
  insertRule,
  type RuleRow,
  selectRule,
  selectRulePage,
} from './store.ts';

const RULES_MAX = 2_000;

export interface RuleRouteDeps {
  db: Db;
  cursors: CursorSealer;
  rules: AccessPolicies;
}

export function registerAccessPolicies(app: App, deps: RuleRouteDeps): void {
  const { db, cursors, rules } = deps;
  registerPolicyDeletion(app, deps);
  app.get(
    '/mcp/rules',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List access rules',
        querystring: RuleQuery,
        response: { 200: RuleList },
      },
    },
    (request) => {
      const { backend_id: backendId } = request.query;
      return loadPage(request, {
        cursors,
        list: 'mcp-rules',
        by: [backendId ?? null],
        fetch: (tenantId, after, limit) => selectRulePage(db, tenantId, backendId, after, limit),
        keyOf: (row) => [row.rule_id],
        item: wireRule,
      });
    },
  );
  app.post(
    '/mcp/rules',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Create an access rule',
        body: RuleInput,
        response: { 201: RuleAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const created = await createWithId(request.body.rule_id, (ruleId) =>
        transact(db, async (tx) => {
          await refuseUnknown(tx, tenantId, request.body);
          if ((await countRules(tx, tenantId)) >= RULES_MAX) {
            throw new HubError(
              'invalid_request',
              `/ There are already ${RULES_MAX} rules, the maximum.`,
            );
          }
          const rule = await insertRule(tx, tenantId, {
            ...rowOf(request.body),
            rule_id: ruleId,
            created_by: person.email,
          });
          await recordByPerson(tx, request, {
            operation: 'mcp_rule.create',
            resource: { kind: 'mcp_rule', id: rule.rule_id },
            detail: request.body,
          });
          await rules.forgetEverywhere(tx, tenantId);
          return rule;
        }),
      );
      rules.forget(tenantId);
      reply.header('etag', etagOf(1));
      return reply.code(201).send({ rule: wireRule(created), request_id: request.id });
    },
  );
}

function registerPolicyDeletion(app: App, { db, rules }: RuleRouteDeps): void {
  app.delete(
    '/mcp/rules/:rule_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Delete an access rule',
        params: RuleParams,
        headers: IfMatch,
        response: { 200: RuleAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const rule = await transact(db, async (tx) => {
        const deleted = await deleteRule(tx, tenantId, request.params.rule_id);
        if (deleted === null) throw new HubError('not_found');
        requireMatch(request.headers['if-match'], 1);
        await recordByPerson(tx, request, {
          operation: 'mcp_rule.delete',
          resource: { kind: 'mcp_rule', id: deleted.rule_id },
          detail: wireRule(deleted),
        });
        await rules.forgetEverywhere(tx, tenantId);
        return deleted;
      });
      rules.forget(tenantId);
      return { rule: wireRule(rule), request_id: request.id };
    },
  );
}

/** Rejects a policy that names nothing, because it would have no effect. */
async function refuseUnknown(tx: Tx, tenantId: string, rule: RuleInput): Promise<void> {
  const { backend_id: backendId, subject } = rule;
  if (backendId != null && (await backendWith(tx, tenantId, backendId)) === null) {
    throw new HubError('invalid_request', '/backend_id is not a server of this tenant');
  }
  if (subject.kind !== 'group') return;
  if ((await selectPeopleGroup(tx, tenantId, subject.group_id)) === null) {
    throw new HubError('invalid_request', '/subject/group_id is not a user group of this tenant');
  }
}

function rowOf({
  effect,
  subject,
  ...rest
}: RuleInput): Omit<RuleRow, 'rule_id' | 'created_at' | 'created_by'> {
  return {
    effect,
    backend_id: rest.backend_id?.toLowerCase() ?? null,
    tool: rest.tool ?? null,
    subject: subject.kind,
    group_id: subject.kind === 'group' ? subject.group_id.toLowerCase() : null,
    email: subject.kind === 'person' ? foldName(subject.email) : null,
    reason: rest.reason ?? null,
  };
}

/** Returns a policy in the format of the list; null: it was deleted. */
export async function ruleWith(db: Db, tenantId: string, ruleId: string): Promise<Rule | null> {
  const found = await selectRule(db, tenantId, ruleId);
  return found && wireRule(found);
}

export function wireRule(row: RuleRow): Rule {
  return {
    rule_id: row.rule_id,
    effect: row.effect,
    backend_id: row.backend_id,
    tool: row.tool,
    subject:
      row.subject === 'group'
        ? { kind: 'group', group_id: row.group_id ?? '' }
        : row.subject === 'person'
          ? { kind: 'person', email: row.email ?? '' }
          : { kind: 'everybody' },
    reason: row.reason,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    version: etagOf(1),
  };
}
