// GET /ea/v1/sync/mcp-offer: the MCP servers that the company's gateway offers to the person whose device it is. An older
// hub answers 404: it offers nothing. No secret is in it: clients sign in by themselves.
import { type Static, Type } from 'typebox';

const Name = '^[a-z0-9][a-z0-9-]{0,63}$';

export const OfferedMcpServer = Type.Object({
  /** The server's id, or `gateway`. */
  server_id: Type.String({ pattern: Name }),
  /** As people read it. */
  name: Type.String({ maxLength: 512 }),
  /** What it is called in a client's configuration. */
  config_name: Type.String({ pattern: Name }),
  url: Type.String({ pattern: '^https?://[!#-&(-\\[\\]-~]+$', maxLength: 2048 }),
});
export type OfferedMcpServer = Static<typeof OfferedMcpServer>;

export const McpOfferAnswer = Type.Object({
  servers: Type.Array(OfferedMcpServer, { maxItems: 1000 }),
});
export type McpOfferAnswer = Static<typeof McpOfferAnswer>;
