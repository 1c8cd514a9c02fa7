// C/mcp/own: the addresses and servers that a user needs to set up an MCP client.
import { type Static, Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';
import { AUTH_KINDS } from './mcp-backends.ts';

/** Whether the user has provided the credential that the server requires of each user. */
export const CONNECTION_STATES = ['not_needed', 'missing', 'connected', 'renew'] as const;
export const OwnServer = Type.Object(
  {
    backend_id: Uuid,
    name: Type.String(),
    /** The server's own MCP URL, with a separate sign-in. */
    url: Type.String(),
    auth_kind: OneOf(AUTH_KINDS),
    /** False: the server is reachable only at its own URL. */
    aggregated: Type.Boolean(),
    connection: OneOf(CONNECTION_STATES),
  },
  { title: 'McpOwnServer' },
);
export type OwnServer = Static<typeof OwnServer>;
export const OwnAnswer = Type.Object({
  email: Type.String(),
  /** The aggregated URL of all servers of this company. */
  mcp_url: Type.String(),
  servers: Type.Array(OwnServer),
  request_id: Type.String(),
});
export type OwnAnswer = Static<typeof OwnAnswer>;
