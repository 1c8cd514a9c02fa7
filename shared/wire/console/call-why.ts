// C/mcp/tool-calls/{log_id}/why and C/llm/requests/why: the decision trace of a call: caller, target, deciding rules,
// and the audit events that created those rules.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';
import { LlmRequestItem } from './logs.ts';
import { Rule } from './mcp-rules.ts';

/** An event of the audit trail. */
export const CallStep = Type.Object(
  {
    event_id: Uuid,
    at: Type.String(),
    operation: Type.String(),
    by: Type.String(),
    request_id: Nullable(Type.String()),
    /** The event happened after the call, so the present state may differ from the state at the call. */
    is_since: Type.Boolean(),
  },
  { title: 'CallStep' },
);
export type CallStep = Static<typeof CallStep>;
const Events = Type.Array(CallStep);

/**
 * The node that sent a row; null for rows from a release that did not store it. `node` is null for a node of several
 * tenants.
 */
const SentBy = Nullable(
  Type.Object({ kind: OneOf(['gateway', 'node'] as const), node: Nullable(Type.String()) }),
);
export type SentBy = Static<typeof SentBy>;

/** Reasons that permit or refuse a call, in the order of evaluation. */
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

/** A guardrail finding, as the row records it. */
export const FoundInCall = Type.Object({
  side: OneOf(['input', 'output'] as const),
  action: Type.String(),
  category: Type.String(),
});

/** A guardrail, and the findings of this call. */
const CallRuleLink = Type.Object({
  rule_id: Uuid,
  name: Type.String(),
  kind: Nullable(Type.String()),
  /** The present state of the guardrail. */
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
    /** The JSON-RPC method, if the message is no tool call; null: a tool call. */
    method: Nullable(Type.String()),
    outcome: OneOf(CALL_OUTCOMES),
    /** The message that the caller received instead of a result. */
    message: Nullable(Type.String()),
    sent_by: SentBy,
  }),
  caller: Type.Object({
    email: Nullable(Type.String()),
    /** `oauth`, `api_token` or `passthrough`; a node may send another value. */
    via: Nullable(Type.String()),
    agent: Nullable(Type.String()),
    /** The user's present role in this tenant. */
    role: Nullable(OneOf(ROLES)),
    /** The direct API token that authenticated the call. */
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
    /** Null: the call addressed no existing server. */
    backend_id: Nullable(Uuid),
    name: Type.String(),
    /** The version of the backend's record at the call. */
    version_then: Nullable(Type.Integer()),
    /** The present record; null: it was deleted. */
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
    /**
     * The present definition compared with the tool pin: equal, changed, or never approved. Null: no tool of the server
     * was ever approved.
     */
    review: Nullable(OneOf(['pinned', 'changed', 'new'] as const)),
    /** The approval in force at the time of the call. */
    approved: Nullable(CallStep),
    /** The newest approval after the call. */
    approved_since: Nullable(CallStep),
  }),
  access: Type.Object({
    /** The deciding reason at the call; null: not recorded, or the call was refused earlier. */
    at_call: Nullable(AccessReason),
    /** The reason that would decide the same call now; null if the server was deleted. */
    now: Nullable(AccessReason),
    /** The access policies behind both reasons. */
    rules: Type.Array(
      Type.Object({
        rule_id: Uuid,
        /** Null: the policy was deleted after the call. */
        rule: Nullable(Rule),
        events: Events,
      }),
    ),
  }),
  /** Guardrails with findings first, then other guardrails of the tool. */
  call_rules: Type.Array(CallRuleLink),
  /** How many further guardrails exist. */
  more_call_rules: Type.Integer(),
  /** The human approval that let the call pass. */
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
    /** Null: no app had this name when the row arrived. */
    app_id: Nullable(Uuid),
    name: Type.String(),
    /** The present app; null: it was deleted. */
    now: Nullable(Type.Object({ name: Type.String(), enabled: Type.Boolean() })),
  }),
  /** The configuration in force at the request: the newest version until then. Null for an unknown app. */
  configuration: Nullable(
    Type.Object({
      /** Null: the configuration from the creation of the app. */
      version_id: Nullable(Uuid),
      version: Type.Integer(),
      changed: Type.Array(Type.String()),
      /** The audit event of the version; null if the audit trail has none. */
      made: Nullable(CallStep),
      /** The number of newer versions. */
      newer: Type.Integer(),
    }),
  ),
  /** The tenant's policy authority, which takes precedence over apps while enabled; present state. */
  policy_authority: Type.Object({
    enabled: Type.Boolean(),
    active_revision: Nullable(Type.String()),
  }),
  request_id: Type.String(),
});
export type LlmWhy = Static<typeof LlmWhy>;
