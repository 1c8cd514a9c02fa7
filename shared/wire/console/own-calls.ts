// C/own/mcp-calls and C/own/mcp-calls/{log_id}/why: the caller's own MCP tool calls, their results and their decision
// traces. Contents are omitted, because the owner of a token may name another user.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ACCESS_REASONS, CALL_OUTCOMES, CallStep, FoundInCall, ToolCallWhy } from './call-why.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const OwnCallQuery = Type.Object(
  { ...ListQuery, blocked: Type.Optional(OneOf(['true', 'false'] as const)) },
  { additionalProperties: false },
);
export type OwnCallQuery = Static<typeof OwnCallQuery>;

export const OwnCall = Type.Object(
  {
    log_id: Type.Integer(),
    started_at: Type.String(),
    server: Type.String(),
    tool: Nullable(Type.String()),
    /**
     * The JSON-RPC method, if the message is no tool call and guardrails found something or blocked it; null: a tool
     * call.
     */
    method: Nullable(Type.String()),
    outcome: OneOf(CALL_OUTCOMES),
    /** The message that the caller received instead of a result. */
    message: Nullable(Type.String()),
    /** The access reason that refused the call; null: not refused, or refused by something else. */
    refused: Nullable(OneOf(ACCESS_REASONS)),
    /** The guardrail findings. */
    found: Type.Array(FoundInCall),
    /** The client program, from its own identification. */
    agent: Nullable(Type.String()),
    /** `oauth` or `api_token`; a node may send another value. */
    via: Nullable(Type.String()),
  },
  { title: 'OwnCall' },
);
export type OwnCall = Static<typeof OwnCall>;
export const OwnCallList = ListAnswer(OwnCall);

const Events = Type.Array(CallStep);

/**
 * The decision trace of the caller's own call. It shows effect and reason of access policies, without their names and
 * subjects.
 */
export const OwnCallWhy = Type.Object({
  call: ToolCallWhy.properties.call,
  server: Type.String(),
  tool: Nullable(Type.String()),
  /** The approval of the server's tools in force at the time of the call. */
  approved: Nullable(CallStep),
  access: Type.Object({
    /** The deciding reason at the call; null: not recorded, or the call was refused earlier. */
    why: Nullable(OneOf(ACCESS_REASONS)),
    rule: Nullable(
      Type.Object({
        rule_id: Uuid,
        /** Null, like the reason, if the policy was deleted after the call. */
        effect: Nullable(OneOf(['allow', 'deny'] as const)),
        reason: Nullable(Type.String()),
        events: Events,
      }),
    ),
  }),
  /** Guardrails with findings in this call. */
  call_rules: Type.Array(
    Type.Object({ rule_id: Uuid, found: Type.Array(FoundInCall), events: Events }),
  ),
  /** The human approval that let the call pass. */
  approval: ToolCallWhy.properties.approval,
  request_id: Type.String(),
});
export type OwnCallWhy = Static<typeof OwnCallWhy>;
