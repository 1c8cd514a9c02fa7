// C/mcp/call-rules: guardrails of calls through the MCP gateway. Access policies decide who may call.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { JustPaged, ListAnswer } from './common.ts';

export const DETECTORS = ['secrets', 'email', 'iban', 'card', 'phone', 'ssn', 'ip'] as const;
export type Detector = (typeof DETECTORS)[number];

/** Requires that the arguments match a JSON Schema (2020-12, without references and formats). */
export const ArgumentsRule = Type.Object(
  {
    kind: Type.Literal('arguments'),
    schema: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { additionalProperties: false, title: 'McpArgumentsRule' },
);
/** Requires a human approval of each call, from the caller or a reviewer. */
export const ApprovalRule = Type.Object(
  {
    kind: Type.Literal('approval'),
    by: OneOf(['caller', 'reviewer'] as const),
    /** How long an approval waits for its call, in minutes. */
    valid_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_440 })),
  },
  { additionalProperties: false, title: 'McpApprovalRule' },
);
/** Actions of MCP guardrails. The hub applies them in features/mcp/guardrails/apply.ts; verdicts.ts orders them. */
export const GUARDRAIL_ACTIONS = ['monitor', 'redact', 'block'] as const;
export type GuardrailAction = (typeof GUARDRAIL_ACTIONS)[number];
/** Restricts the content of texts. `monitor` records a finding, `redact` replaces it, `block` refuses the message. */
export const GuardrailRule = Type.Object(
  {
    kind: Type.Literal('guardrail'),
    direction: OneOf(['input', 'output', 'both'] as const),
    action: OneOf(GUARDRAIL_ACTIONS),
    detectors: Type.Optional(Type.Array(OneOf(DETECTORS), { maxItems: DETECTORS.length })),
    /** Regular expressions in RE2 syntax. */
    patterns: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ pattern: '^[a-z0-9_-]{1,40}$' }),
            pattern: Type.String({ minLength: 1, maxLength: 1_000 }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
    ),
    words: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 500 }),
    ),
  },
  { additionalProperties: false, title: 'McpGuardrailRule' },
);
export const RuleDefinition = Type.Union([ArgumentsRule, ApprovalRule, GuardrailRule]);
export type RuleDefinition = Static<typeof RuleDefinition>;

const Name = NameText(200);
/** A tool name of the server; `*` matches any characters. */
const Tool = Type.String({ minLength: 1, maxLength: 200 });

export const RuleInput = Type.Object(
  {
    /**
     * An id that the client generates. A repeated id is `already_exists`, so that a retry creates no second guardrail.
     */
    rule_id: Type.Optional(Uuid),
    name: Name,
    /** Null or absent: every backend. */
    backend_id: Type.Optional(Nullable(Uuid)),
    tool: Type.Optional(Tool),
    definition: RuleDefinition,
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, title: 'McpCallRuleInput' },
);
export type RuleInput = Static<typeof RuleInput>;

export const RulePatch = Type.Object(
  {
    name: Type.Optional(Name),
    backend_id: Type.Optional(Nullable(Uuid)),
    tool: Type.Optional(Tool),
    definition: Type.Optional(RuleDefinition),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1, title: 'McpCallRulePatch' },
);
export type RulePatch = Static<typeof RulePatch>;

export const Rule = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    backend_id: Nullable(Type.String()),
    tool: Type.String(),
    definition: RuleDefinition,
    enabled: Type.Boolean(),
    version: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { title: 'McpCallRule' },
);
export type Rule = Static<typeof Rule>;

export const RuleParams = Type.Object({ tenant_id: Type.String(), call_rule_id: Uuid });
export const RuleAnswer = Type.Object({ rule: Rule, request_id: Type.String() });
export type RuleAnswer = Static<typeof RuleAnswer>;
export const RuleList = ListAnswer(Rule);
export const RuleQuery = JustPaged;
