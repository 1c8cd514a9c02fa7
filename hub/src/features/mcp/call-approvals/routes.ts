// C/mcp/approvals: pending calls. Users decide their own calls, unless the guardrail requires a reviewer.
import { foldName } from '@gatewarden/shared/names.ts';
import {
  type Approval,
  ApprovalAnswer,
  ApprovalList,
  ApprovalParams,
  ApprovalQuery,
} from '@gatewarden/shared/wire/console/mcp-approvals.ts';
import type { FastifyRequest } from 'fastify';
import { hasRole, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  type ApprovalRow,
  decideApproval,
  SEALED_APPROVALS,
  selectApproval,
  selectApprovals,
} from './store.ts';

export interface ApprovalRouteDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  /** Returns the validity of an approval in minutes; null: the guardrail was deleted. */
  minutesOf(tenantId: string, ruleId: string): Promise<number | null>;
}

const SUMMARIES = {
  grant: 'Approve a waiting call',
  deny: 'Deny a waiting call',
};

export function registerApprovals(app: App, deps: ApprovalRouteDeps): void {
  const { db, sealer, cursors } = deps;
  const tags = ['mcp'];
  app.get(
    '/mcp/approvals',
    {
      config: { access: 'Member' },
      schema: {
        tags,
        summary: 'List calls waiting for approval',
        querystring: ApprovalQuery,
        response: { 200: ApprovalList },
      },
    },
    (request) => {
      const person = personOf(request);
      const isAll = request.query.of === 'all';
      if (isAll && !hasRole(person.role, 'Reviewer')) throw new HubError('forbidden');
      const caller = isAll ? null : foldName(person.email);
      return loadPage(request, {
        cursors,
        list: `mcp-approvals/${caller ?? '*'}`,
        fetch: (tenantId, after, limit) => selectApprovals(db, tenantId, caller, after, limit),
        keyOf: (row) => [row.created_text, row.approval_id],
        item: (row) => toAnswer(sealer, person.tenantId, row),
      });
    },
  );
  for (const verb of ['grant', 'deny'] as const) {
    app.post(
      `/mcp/approvals/:approval_id/${verb}`,
      {
        config: { access: 'Member' },
        schema: {
          tags,
          summary: SUMMARIES[verb],
          params: ApprovalParams,
          response: { 200: ApprovalAnswer },
        },
      },
      async (request) => {
        const { tenantId, email } = personOf(request);
        const decided = await transact(db, async (tx) => {
          const found = await selectApproval(tx, tenantId, request.params.approval_id);
          if (found === null || !mayDecide(request, found)) throw new HubError('not_found');
          const minutes = await deps.minutesOf(tenantId, found.rule_id);
          const after = await decideApproval(tx, tenantId, found.approval_id, {
            state: verb === 'grant' ? 'granted' : 'denied',
            by: email,
            minutes: minutes ?? 1,
          });
          if (after === null || minutes === null) throw new HubError('approval_decided');
          await recordByPerson(tx, request, {
            operation: `mcp_approval.${verb}`,
            resource: { kind: 'mcp_approval', id: after.approval_id },
            detail: { tool: after.tool, email: after.email },
          });
          await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
          return after;
        });
        return { approval: toAnswer(sealer, tenantId, decided), request_id: request.id };
      },
    );
  }
}

/** Returns the approval with its arguments decrypted. Throws UnsealError. */
function toAnswer(sealer: Sealer, tenantId: string, row: ApprovalRow): Approval {
  const location = locationOf(SEALED_APPROVALS, [tenantId, row.approval_id]);
  return {
    id: row.approval_id,
    rule_id: row.rule_id,
    backend_id: row.backend_id,
    tool: row.tool,
    email: row.email,
    arguments: JSON.parse(sealer.unseal(row.sealed_arguments, location)),
    by: row.decided_by_reviewer ? 'reviewer' : 'caller',
    state: stateOf(row, new Date()),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: row.decided_by,
    used_at: row.used_at?.toISOString() ?? null,
  };
}

/** Returns whether the user may decide: the caller, or a reviewer who is not the caller, as the guardrail requires. */
function mayDecide(request: FastifyRequest, approval: ApprovalRow): boolean {
  const person = personOf(request);
  const isOwn = foldName(person.email) === approval.email_folded;
  if (!approval.decided_by_reviewer) return isOwn;
  return !isOwn && hasRole(person.role, 'Reviewer');
}

function stateOf(row: ApprovalRow, now: Date): Approval['state'] {
  const isOpen = row.state === 'pending' || row.state === 'granted';
  return isOpen && row.expires_at <= now ? 'expired' : row.state;
}
