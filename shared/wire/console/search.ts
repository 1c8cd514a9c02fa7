// GET C/search: results of the console's search box by kind, at most `SEARCH_MOST` of each.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { ENTITY_KINDS, PLATFORMS } from '../vocabulary.ts';
import { PRODUCT_CATEGORIES } from './products.ts';

export const SEARCH_MOST = 5;

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'a piece of a name or of an address, or a whole request id',
    }),
  },
  { additionalProperties: false },
);

export const SearchAnswer = Type.Object({
  devices: Type.Array(
    Type.Object({ device_id: Uuid, hostname: Type.String(), subscriber_id: Type.String() }),
  ),
  /** Users of devices; for administrators also console users. */
  users: Type.Array(Type.Object({ email: Type.String() })),
  /** Products over platforms and sources. */
  products: Type.Array(
    Type.Object({
      product_id: Sha256Hex,
      name: Type.String(),
      category: OneOf(PRODUCT_CATEGORIES),
      platforms: Type.Array(OneOf(PLATFORMS)),
    }),
  ),
  apps: Type.Array(
    Type.Object({
      entity_id: Sha256Hex,
      name: Type.String(),
      kind: OneOf(ENTITY_KINDS),
      platform: OneOf(PLATFORMS),
    }),
  ),
  /** Servers behind the MCP gateway. */
  mcp_servers: Type.Array(Type.Object({ backend_id: Uuid, name: Type.String() })),
  gateway_apps: Type.Array(Type.Object({ name: Type.String() })),
  /** LLM requests and tool calls with exactly this id. */
  requests: Type.Array(
    Type.Object({
      kind: OneOf(['llm_request', 'tool_call']),
      /** The id in the URL of its page: the request id, or the log number of the call. */
      id: Type.String(),
      at: Type.String(),
      user_email: Nullable(Type.String()),
    }),
  ),
  request_id: Type.String(),
});
export type SearchAnswer = Static<typeof SearchAnswer>;
