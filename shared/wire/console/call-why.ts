// C/mcp/tool-calls/{log_id}/why and C/llm/requests/why: the whole chain of a call: who, where to, by which rules, and who
// set those, when, with the audit events.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';
import { LlmRequestItem } from './logs.ts';
import { Rule } from './mcp-rules.ts';

/** One event of the audit trail. */
export const CallStep = Type.Object(
  {
    event_id: Uuid,
    at: Type.String(),
    operation: Type.String(),
    by: Type.String(),
    request_id: Nullable(Type.String()),
    /** It came after the call: what holds now may not have held then. */
    is_since: Type.Boolean(),
  },
  { title: 'CallStep' },
);
export type CallStep = Static<typeof CallStep>;
const Events = Type.Array(CallStep);

/** Who told of a row; null: it is from before that was kept. `node` null: one that serves other tenants too. */
const SentBy = Nullable(
  Type.Object({ kind: OneOf(['gateway', 'node'] as const), node: Nullable(Type.String()) }),
);
export type SentBy = Static<typeof SentBy>;

/** What decides whether a caller may call a tool, in the order in which a call meets it. */
export const ACCESS_REASONS = [
  'tool_not_offered',
  'tool_under_review',
  'denied',
  'not_named',
  'allowed',
  'no_rule',
] as const;
const AccessReason = Type.Object({ why: OneOf(ACCESS_REASONS), rule_id: Nullable(Uuid) });
export type AccessReason = Static<typeof AccessReason>;

export const CALL_OUTCOMES = [
  'passed',
  'tool_error',
  'failed',
  'blocked',
  'asked',
  'running',
  'unknown',
] as const;

/** What a rule found in a call, as the row says. */
export const FoundInCall = Type.Object({
  side: OneOf(['input', 'output'] as const),
  action: Type.String(),
  category: Type.String(),
});

/** What a call must meet, and what of it the call did not. */
const CallRuleLink = Type.Object({
  rule_id: Uuid,
  name: Type.String(),
  kind: Nullable(Type.String()),
  /** As it is now. */
  stands: OneOf(['enabled', 'disabled', 'deleted'] as const),
  found: Type.Array(FoundInCall),
  events: Events,
});
export type CallRuleLink = Static<typeof CallRuleLink>;

export const ToolCallWhyParams = Type.Object({
  tenant_id: Type.String(),
  log_id: Type.String({ pattern: '^[0-9]{1,18}$' }),
});

export const ToolCallWhy = Type.Object({
  call: Type.Object({
    log_id: Type.Integer(),
    at: Type.String(),
    /** What was asked, where that was no call of a tool; null: a call. */
    method: Nullable(Type.String()),
    outcome: OneOf(CALL_OUTCOMES),
    /** What the caller was told instead of an answer. */
    message: Nullable(Type.String()),
    sent_by: SentBy,
  }),
  caller: Type.Object({
    email: Nullable(Type.String()),
    /** `oauth`, `api_token` or `passthrough`; a node may say something else. */
    via: Nullable(Type.String()),
    agent: Nullable(Type.String()),
    /** Of the person in this tenant, now. */
    role: Nullable(OneOf(ROLES)),
    /** The direct API token that the call came with. */
    token: Nullable(
      Type.Object({
        token_id: Uuid,
        name: Type.String(),
        agent: Type.String(),
        stands: OneOf(['live', 'expired', 'revoked'] as const),
        made_by: Type.String(),
        events: Events,
      }),
    ),
  }),
  server: Type.Object({
    /** Null: the call led to no server that there was. */
    backend_id: Nullable(Uuid),
    name: Type.String(),
    /** Of its record, when it was called. */
    version_then: Nullable(Type.Integer()),
    /** As it is now; null: there is none any more. */
    now: Nullable(
      Type.Object({
        name: Type.String(),
        version: Type.Integer(),
        enabled: Type.Boolean(),
        drift: OneOf(['flag', 'hide'] as const),
        allow: Nullable(Type.Array(Type.String())),
        deny: Nullable(Type.Array(Type.String())),
      }),
    ),
    events: Events,
  }),
  tool: Type.Object({
    name: Nullable(Type.String()),
    /** Of its definition, now: as it was approved, another, or one that nobody approved; null: no tool of the server ever was. */
    review: Nullable(OneOf(['pinned', 'changed', 'new'] as const)),
    /** The approval that stood at the time of the call. */
    approved: Nullable(CallStep),
    /** The newest one since. */
    approved_since: Nullable(CallStep),
  }),
  access: Type.Object({
    /** What decided it, as it was then; null: nobody kept it, or it came so far with none. */
    at_call: Nullable(AccessReason),
    /** What would decide the same call now; null where there is no such server. */
    now: Nullable(AccessReason),
    /** The rules that either names. */
    rules: Type.Array(
      Type.Object({
        rule_id: Uuid,
        /** Null: it was taken back since. */
        rule: Nullable(Rule),
        events: Events,
      }),
    ),
  }),
  /** Those that found something first, then those that hold there now. */
  call_rules: Type.Array(CallRuleLink),
  /** More than are listed. */
  more_call_rules: Type.Integer(),
  /** The word of a person that let it through. */
  approval: Nullable(
    Type.Object({
      approval_id: Uuid,
      rule_id: Uuid,
      by: Nullable(Type.String()),
      at: Nullable(Type.String()),
      events: Events,
    }),
  ),
  request_id: Type.String(),
});
export type ToolCallWhy = Static<typeof ToolCallWhy>;

export const LlmWhyQuery = Type.Object(
  { request_id: Type.String({ minLength: 1, maxLength: 1_000 }) },
  { additionalProperties: false },
);

export const LlmWhy = Type.Object({
  request: Type.Object({
    ...Type.Pick(LlmRequestItem, [
      'timestamp',
      'status_code',
      'is_blocked',
      'is_failed',
      'is_anonymized',
      'reasons',
      'user_email',
      'model',
      'provider',
    ]).properties,
    llm_request_id: Type.String(),
    sent_by: SentBy,
  }),
  app: Type.Object({
    /** Null: no app was known by this name when the row came. */
    app_id: Nullable(Uuid),
    name: Type.String(),
    /** As it is now; null: there is none any more. */
    now: Nullable(Type.Object({ name: Type.String(), enabled: Type.Boolean() })),
  }),
  /** In force at the time: the newest that was made until then. Null where the app is not known. */
  configuration: Nullable(
    Type.Object({
      /** Null: as the app was created. */
      version_id: Nullable(Uuid),
      version: Type.Integer(),
      changed: Type.Array(Type.String()),
      /** Who made it and when; null where the audit trail names nobody. */
      made: Nullable(CallStep),
      /** How many were made since. */
      newer: Type.Integer(),
    }),
  ),
  /** The tenant's policies by authority stand above apps where they are on; as it is now. */
  policy_authority: Type.Object({
    enabled: Type.Boolean(),
    active_revision: Nullable(Type.String()),
  }),
  request_id: Type.String(),
});
export type LlmWhy = Static<typeof LlmWhy>;
