// C/own/mcp-calls: a person's own calls of MCP tools, how each ended and why it was refused, and C/own/mcp-calls/{log_id}/why:
// the chain of one. Without what was sent and answered: whoever holds a token may name somebody else.
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
    /** What was asked, where that was no call of a tool and rules found something or blocked it; null: a call. */
    method: Nullable(Type.String()),
    outcome: OneOf(CALL_OUTCOMES),
    /** What the caller was told instead of an answer. */
    message: Nullable(Type.String()),
    /** What refused it, where that was who may call the tool; null: something else did, or nothing. */
    refused: Nullable(OneOf(ACCESS_REASONS)),
    /** What the rules found in it. */
    found: Type.Array(FoundInCall),
    /** The client program, as it names itself. */
    agent: Nullable(Type.String()),
    /** `oauth` or `api_token`; a node may say something else. */
    via: Nullable(Type.String()),
  },
  { title: 'OwnCall' },
);
export type OwnCall = Static<typeof OwnCall>;
export const OwnCallList = ListAnswer(OwnCall);

const Events = Type.Array(CallStep);

/** From the call to who decided: of rules their effect and what they say to whom they keep out, not their names or subjects. */
export const OwnCallWhy = Type.Object({
  call: ToolCallWhy.properties.call,
  server: Type.String(),
  tool: Nullable(Type.String()),
  /** The approval of the server's tools that stood at the time of the call. */
  approved: Nullable(CallStep),
  access: Type.Object({
    /** What decided at the call; null: nobody kept it, or it came so far with none. */
    why: Nullable(OneOf(ACCESS_REASONS)),
    rule: Nullable(
      Type.Object({
        rule_id: Uuid,
        /** Null, and so is the reason: it was taken back since. */
        effect: Nullable(OneOf(['allow', 'deny'] as const)),
        reason: Nullable(Type.String()),
        events: Events,
      }),
    ),
  }),
  /** Those that calls must meet and that found something in this one. */
  call_rules: Type.Array(
    Type.Object({ rule_id: Uuid, found: Type.Array(FoundInCall), events: Events }),
  ),
  /** The word of a person that let it through. */
  approval: ToolCallWhy.properties.approval,
  request_id: Type.String(),
});
export type OwnCallWhy = Static<typeof OwnCallWhy>;
