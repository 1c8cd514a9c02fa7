// GET C/mcp/discovered-servers: MCP servers that devices run or reach without the gateway, grouped by product.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { PLATFORMS } from '../vocabulary.ts';
import { JustPaged, ListAnswer } from './common.ts';
import { Adoption } from './mcp-server-health.ts';

/**
 * The reason why a server can't be published. `local_only`: it runs on devices and its vendor offers no remote server.
 * `private_address`: the hub may not call its address. `is_gateway`: it is this gateway.
 */
export const PUBLICATION_OBSTACLES = ['local_only', 'private_address', 'is_gateway'] as const;
export type PublicationObstacle = (typeof PUBLICATION_OBSTACLES)[number];

export const DiscoveredServer = Type.Object(
  {
    product_id: Sha256Hex,
    name: Type.String(),
    vendor: Nullable(Type.String()),
    platforms: Type.Array(OneOf(PLATFORMS)),
    device_count: Type.Integer(),
    user_count: Type.Integer(),
    /** Whether a device reaches it at a URL; else it runs on devices. */
    is_remote: Type.Boolean(),
    last_seen_at: Type.String(),
    /** The entry of the catalog of well-known servers; null if the catalog lacks the product. */
    catalog_id: Nullable(Type.String()),
    /** The URL to publish: of the sighting, or of the vendor's remote server; null without any. */
    url: Nullable(Type.String()),
    obstacle: Nullable(OneOf(PUBLICATION_OBSTACLES)),
    /** Published servers of the same product. */
    backends: Type.Array(Type.Object({ id: Uuid, name: Type.String() })),
    adoption: Adoption,
  },
  { title: 'McpDiscoveredServer' },
);
export type DiscoveredServer = Static<typeof DiscoveredServer>;
export const DiscoveredServersAnswer = Type.Object({
  ...ListAnswer(DiscoveredServer).properties,
  total: Nullable(Type.Integer()),
});
export const DiscoveredServersQuery = JustPaged;
