// The servers of the gateway for the setup of MCP clients: their URLs, and names for configurations.
import { WHOLE_GATEWAY } from '@gatewarden/shared/wire/sync/limits.ts';
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import type { AccessPolicies } from '../access-policies/index.ts';
import type { BackendFinder } from '../backends/index.ts';
import { addressOf, hasPart } from './reachable.ts';

export interface OfferDeps {
  origin: string;
  finder: BackendFinder;
  accessPolicies: AccessPolicies;
}

const SERVERS_MAX = 500;

/** Returns the servers; the gateway as a whole comes first if it has any. */
export async function offerFor(
  deps: OfferDeps,
  tenantId: string,
  email: string,
): Promise<OfferedMcpServer[]> {
  const policy = await deps.accessPolicies.of(tenantId);
  const servers: OfferedMcpServer[] = [];
  let isAnyAggregated = false;
  for (const backend of await deps.finder.enabled(tenantId)) {
    if (servers.length === SERVERS_MAX) break;
    const { backend_id: backendId, name, auth } = backend;
    if (!hasPart(policy, email, backend)) continue;
    isAnyAggregated ||= auth.kind !== 'passthrough';
    const segment = await addressOf(deps.finder, backend);
    const url = `${deps.origin}/${segment}/mcp`;
    servers.push({ server_id: backendId, name, config_name: segment, url });
  }
  if (!isAnyAggregated) return servers;
  const whole = {
    ...{ server_id: WHOLE_GATEWAY, name: 'Gatewarden', config_name: 'gatewarden' },
    url: `${deps.origin}/gwone/${tenantId}/mcp`,
  };
  return [whole, ...servers];
}
