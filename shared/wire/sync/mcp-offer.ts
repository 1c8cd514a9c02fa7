// GET /ea/v1/sync/mcp-offer: the MCP servers that the company's gateway offers to the user of the device. An older hub
// answers 404 and offers nothing. The response contains no secret, because clients sign in by themselves.
import { type Static, Type } from 'typebox';

const Name = '^[a-z0-9][a-z0-9-]{0,63}$';

export const OfferedMcpServer = Type.Object({
  /** The id of the server, or `gateway`. */
  server_id: Type.String({ pattern: Name }),
  /** The display name of the server. */
  name: Type.String({ maxLength: 512 }),
  /** The name of the server in a client's configuration. */
  config_name: Type.String({ pattern: Name }),
  url: Type.String({ pattern: '^https?://[!#-&(-\\[\\]-~]+$', maxLength: 2048 }),
});
export type OfferedMcpServer = Static<typeof OfferedMcpServer>;

export const McpOfferAnswer = Type.Object({
  servers: Type.Array(OfferedMcpServer, { maxItems: 1000 }),
});
export type McpOfferAnswer = Static<typeof McpOfferAnswer>;
