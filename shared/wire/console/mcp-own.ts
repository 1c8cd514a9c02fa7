// C/mcp/own: what a person needs to use the MCP gateway: the address for a client, and the servers behind it.
import { type Static, Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';
import { AUTH_KINDS } from './mcp-backends.ts';

/** Whether the person has given what the server asks each of them for. */
export const CONNECTION_STATES = ['not_needed', 'missing', 'connected', 'renew'] as const;
export const OwnServer = Type.Object(
  {
    backend_id: Uuid,
    name: Type.String(),
    /** Its own MCP URL, with a sign-in of its own. */
    url: Type.String(),
    auth_kind: OneOf(AUTH_KINDS),
    /** False: only at its own URL. */
    aggregated: Type.Boolean(),
    connection: OneOf(CONNECTION_STATES),
  },
  { title: 'McpOwnServer' },
);
export type OwnServer = Static<typeof OwnServer>;
export const OwnAnswer = Type.Object({
  email: Type.String(),
  /** All servers at once, for this company. */
  mcp_url: Type.String(),
  servers: Type.Array(OwnServer),
  request_id: Type.String(),
});
export type OwnAnswer = Static<typeof OwnAnswer>;
