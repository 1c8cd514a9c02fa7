// Whether and at which URL a discovered MCP server can be published through the gateway. Pure.
import { findCatalogEntry } from '@gatewarden/shared/mcp-catalog.ts';
import type { DiscoveredServer } from '@gatewarden/shared/wire/console/mcp-discovered.ts';
import { OutboundRefused } from '../../../platform/http/outbound/outbound.ts';
import type { DiscoveredProduct } from './store.ts';

export type Publication = Pick<DiscoveredServer, 'is_remote' | 'catalog_id' | 'url' | 'obstacle'>;

const ALIAS = 'alias:';
const URL_IDENTITY = 'mcp_server:url:';

/**
 * Returns how to publish a product: the URL of its sighting, or the vendor's remote server. `checkUrl` throws
 * `OutboundRefused` for a URL that the hub may not call.
 */
export function describePublication(
  { product_key: key, risk_hints: hints }: Pick<DiscoveredProduct, 'product_key' | 'risk_hints'>,
  checkUrl: (url: string) => unknown,
): Publication {
  const entry = key.startsWith(ALIAS) ? findCatalogEntry(key.slice(ALIAS.length)) : undefined;
  const sighted = key.startsWith(URL_IDENTITY) ? key.slice(URL_IDENTITY.length) : null;
  const url = sighted ?? entry?.url ?? null;
  const catalogId = entry?.id ?? null;
  const isRemote = sighted !== null || hints.includes('remote_url');
  if (url === null) {
    return { is_remote: isRemote, catalog_id: catalogId, url: null, obstacle: 'local_only' };
  }
  const obstacle = obstacleAt(url, checkUrl);
  return {
    is_remote: isRemote,
    catalog_id: catalogId,
    url: obstacle === null ? url : null,
    obstacle,
  };
}

function obstacleAt(url: string, checkUrl: (url: string) => unknown): DiscoveredServer['obstacle'] {
  try {
    checkUrl(url);
    return null;
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    return error.refusal === 'own_listener' ? 'is_gateway' : 'private_address';
  }
}
