// C/mcp/rules: access policies for servers and tools. C/mcp/access and C/mcp/backends/{id}/access: the resulting
// access.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

const Email = Type.String({
  description: 'an e-mail address',
  pattern: '^[^\\s@<>"]{1,64}@[^\\s@<>"]{1,253}$',
});
export const RuleSubject = Type.Union([
  Type.Object({ kind: Type.Literal('everybody') }, { additionalProperties: false }),
  Type.Object({ kind: Type.Literal('group'), group_id: Uuid }, { additionalProperties: false }),
  Type.Object({ kind: Type.Literal('person'), email: Email }, { additionalProperties: false }),
]);
export type RuleSubject = Static<typeof RuleSubject>;

export const RuleInput = Type.Object(
  {
    /** An id that the client generates. A repeated id is `already_exists`, so that a retry creates no second policy. */
    rule_id: Type.Optional(Uuid),
    effect: OneOf(['allow', 'deny'] as const),
    /** Null or absent: every server. */
    backend_id: Type.Optional(Nullable(Uuid)),
    /** A tool name; `*` matches any characters. Null or absent: the whole server. */
    tool: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    subject: RuleSubject,
    /** The reason that refused callers receive. */
    reason: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 500 }))),
  },
  { additionalProperties: false, title: 'McpRuleInput' },
);
export type RuleInput = Static<typeof RuleInput>;

export const Rule = Type.Object(
  {
    rule_id: Uuid,
    effect: OneOf(['allow', 'deny'] as const),
    backend_id: Nullable(Uuid),
    tool: Nullable(Type.String()),
    subject: RuleSubject,
    reason: Nullable(Type.String()),
    created_by: Type.String(),
    created_at: Type.String(),
    version: Type.String(),
  },
  { title: 'McpRule' },
);
export type Rule = Static<typeof Rule>;
export const RuleAnswer = Type.Object({ rule: Rule, request_id: Type.String() });
export const RuleList = ListAnswer(Rule);
export const RuleQuery = Type.Object(
  { ...ListQuery, backend_id: Type.Optional(Uuid) },
  { additionalProperties: false },
);
export const RuleParams = Type.Object({ tenant_id: Type.String(), rule_id: Uuid });

/** Reasons that permit or refuse a tool, in the order of evaluation. */
export const ACCESS_REASONS = [
  'server_disabled',
  'not_a_member',
  'domain_not_allowed',
  'tool_not_offered',
  'tool_under_review',
  'tool_task_only',
  'denied',
  'not_named',
  'allowed',
  'no_rule',
] as const;
export const Access = Type.Object(
  {
    backend_id: Uuid,
    backend_name: Type.String(),
    /** Null: the whole server. */
    tool: Nullable(Type.String()),
    email: Type.String(),
    allowed: Type.Boolean(),
    reason: OneOf(ACCESS_REASONS),
    /** The deciding access policy; null if none decides. */
    rule: Nullable(Rule),
  },
  { title: 'McpAccess' },
);
export type Access = Static<typeof Access>;
export const AccessAnswer = Type.Object({
  items: Type.Array(Access),
  request_id: Type.String(),
});
export type AccessAnswer = Static<typeof AccessAnswer>;
export const PersonAccessQuery = Type.Object({ email: Email }, { additionalProperties: false });
export const BackendAccessQuery = Type.Object(
  {
    tool: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Absent: every member. */
    email: Type.Optional(Email),
    ...ListQuery,
  },
  { additionalProperties: false },
);
export const AccessList = ListAnswer(Access);
