// C/mcp/approvals: calls of the MCP gateway that wait for a human approval.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const APPROVAL_STATES = ['pending', 'granted', 'denied', 'used', 'expired'] as const;

export const Approval = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    backend_id: Type.String(),
    tool: Type.String(),
    email: Type.String(),
    /** The arguments with credentials redacted. */
    arguments: Type.Unknown(),
    by: OneOf(['caller', 'reviewer'] as const),
    state: OneOf(APPROVAL_STATES),
    created_at: Type.String(),
    /** For a waiting call: the deadline of the approval. For an approved call: the deadline of the call. */
    expires_at: Type.String(),
    decided_at: Nullable(Type.String()),
    decided_by: Nullable(Type.String()),
    used_at: Nullable(Type.String()),
  },
  { title: 'McpApproval' },
);
export type Approval = Static<typeof Approval>;

export const ApprovalQuery = Type.Object(
  {
    ...ListQuery,
    /** `mine`: the caller's own calls; `all`, for reviewers: the calls of all users. */
    of: Type.Optional(OneOf(['mine', 'all'] as const)),
  },
  { additionalProperties: false },
);
export const ApprovalParams = Type.Object({ tenant_id: Type.String(), approval_id: Uuid });
export const ApprovalAnswer = Type.Object({ approval: Approval, request_id: Type.String() });
export const ApprovalList = ListAnswer(Approval);
