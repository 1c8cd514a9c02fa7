// C/mcp/rules: who may use which tools of which MCP servers. C/mcp/access and C/mcp/backends/{id}/access: what that comes to.
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
    /** Its maker's own choice: sent again, it is `already_exists` and not made twice. */
    rule_id: Type.Optional(Uuid),
    effect: OneOf(['allow', 'deny'] as const),
    /** Null or left out: every server. */
    backend_id: Type.Optional(Nullable(Uuid)),
    /** A tool's name, with `*` for any letters. Null or left out: the server as a whole. */
    tool: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 }))),
    subject: RuleSubject,
    /** Told to whom it keeps out. */
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

/** Why a tool may be called or not, the first that holds. */
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
    /** Null: the server as a whole. */
    tool: Nullable(Type.String()),
    email: Type.String(),
    allowed: Type.Boolean(),
    reason: OneOf(ACCESS_REASONS),
    /** The rule that decides; null where none does. */
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
    /** Left out: every member. */
    email: Type.Optional(Email),
    ...ListQuery,
  },
  { additionalProperties: false },
);
export const AccessList = ListAnswer(Access);
