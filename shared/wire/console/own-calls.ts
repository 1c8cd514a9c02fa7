// C/own/mcp-calls: a person's own calls of MCP tools, how each ended and why it was refused. Without what was sent and
// answered: whoever holds a token may name somebody else.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';
import { ACCESS_REASONS, CALL_OUTCOMES, FoundInCall } from './call-why.ts';
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
