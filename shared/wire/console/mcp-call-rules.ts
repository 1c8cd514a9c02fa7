// C/mcp/call-rules: what calls through the MCP gateway must meet, besides who may call.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { JustPaged, ListAnswer } from './common.ts';

export const DETECTORS = ['secrets', 'email', 'iban', 'card', 'phone', 'ssn', 'ip'] as const;
export type Detector = (typeof DETECTORS)[number];

/** Arguments must meet a JSON Schema (2020-12, without references and formats). */
export const ArgumentsRule = Type.Object(
  {
    kind: Type.Literal('arguments'),
    schema: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { additionalProperties: false, title: 'McpArgumentsRule' },
);
/** A person says yes to this very call: the caller, or somebody who reviews. */
export const ApprovalRule = Type.Object(
  {
    kind: Type.Literal('approval'),
    by: OneOf(['caller', 'reviewer'] as const),
    /** How long a grant waits for its call. */
    valid_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_440 })),
  },
  { additionalProperties: false, title: 'McpApprovalRule' },
);
/** What texts may not hold. `monitor` only records, `redact` replaces it, `block` lets nothing through. */
export const GuardrailRule = Type.Object(
  {
    kind: Type.Literal('guardrail'),
    direction: OneOf(['input', 'output', 'both'] as const),
    action: OneOf(['monitor', 'redact', 'block'] as const),
    detectors: Type.Optional(Type.Array(OneOf(DETECTORS), { maxItems: DETECTORS.length })),
    /** Regular expressions as RE2 knows them. */
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
/** A tool as its server names it, with `*` for any letters. */
const Tool = Type.String({ minLength: 1, maxLength: 200 });

export const RuleInput = Type.Object(
  {
    /** Its maker's own choice: sent again, it is `already_exists` and not made twice. */
    rule_id: Type.Optional(Uuid),
    name: Name,
    /** Null or left out: every backend. */
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
