// C/mcp/discovered-servers lists MCP servers on devices by product; C/mcp/server-status has the health and the users of
// published servers.
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import {
  type DiscoveredServer,
  DiscoveredServersAnswer,
  DiscoveredServersQuery,
} from '@gatewarden/shared/wire/console/mcp-discovered.ts';
import {
  type ServerStatus,
  ServerStatusAnswer,
} from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull, loadCountedPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { serverProductIds } from '../../devices/product-identity/index.ts';
import { type BackendRow, deviceServerKeys, selectAllBackends } from '../../mcp/backends/index.ts';
import { type HealthRow, selectHealth } from '../../mcp/server-health/index.ts';
import { countPins, type PinCounts } from '../../mcp/tool-pinning/index.ts';
import { countAdoption } from './adoption.ts';
import { describePublication } from './publication.ts';
import {
  countDiscoveredProducts,
  type DiscoveredProduct,
  selectDirectUsers,
  selectDiscoveredProducts,
  selectGatewayUsers,
} from './store.ts';

export interface McpServerPagesDeps {
  db: Db;
  cursors: CursorSealer;
  /** Throws `OutboundRefused` for a URL that the hub may not call. */
  checkUrl(url: string): unknown;
}

/** Registers the pages of discovered and published MCP servers in the console's API. */
export function registerMcpServerPages(app: App, deps: McpServerPagesDeps): void {
  const { db, cursors } = deps;
  app.get(
    '/mcp/discovered-servers',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List MCP servers on devices by product, with their users and how to publish them',
        querystring: DiscoveredServersQuery,
        response: { 200: DiscoveredServersAnswer },
      },
    },
    async (request) => {
      const page = await loadCountedPage(request, {
        cursors,
        list: 'mcp-discovered-servers',
        fetch: (tenantId, after, limit) => selectDiscoveredProducts(db, tenantId, after, limit),
        count: (tenantId) => countDiscoveredProducts(db, tenantId),
        keyOf: (product) => [String(product.device_count), product.product_id],
        item: (product) => product,
      });
      const items = await describeDiscovered(deps, personOf(request).tenantId, page.items);
      return { ...page, items };
    },
  );
  app.get(
    '/mcp/server-status',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List the health, tools and users of published MCP servers',
        querystring: NoQuery,
        response: { 200: ServerStatusAnswer },
      },
    },
    async (request) => {
      const items = await loadStatuses(db, personOf(request).tenantId);
      return { items, request_id: request.id };
    },
  );
}

/** Ids of the products that are the same server as a published server. */
const productIdsOf = (backend: BackendRow): string[] => serverProductIds(deviceServerKeys(backend));

async function describeDiscovered(
  { db, checkUrl }: McpServerPagesDeps,
  tenantId: string,
  products: readonly DiscoveredProduct[],
): Promise<DiscoveredServer[]> {
  const published = (await selectAllBackends(db, tenantId)).map((backend) => ({
    backend,
    productIds: new Set(productIdsOf(backend)),
  }));
  const backendsOf = new Map(
    products.map(({ product_id: id }) => [
      id,
      published.filter(({ productIds }) => productIds.has(id)).map(({ backend }) => backend),
    ]),
  );
  const backendIds = [...backendsOf.values()].flat().map(({ backend_id: id }) => id);
  const [direct, gateway] = await Promise.all([
    selectDirectUsers(db, tenantId, [...backendsOf.keys()]),
    selectGatewayUsers(db, tenantId, [...new Set(backendIds)]),
  ]);
  return products.map((product) => {
    const backends = backendsOf.get(product.product_id) ?? [];
    return {
      product_id: product.product_id,
      name: product.name,
      vendor: product.vendor,
      platforms: PLATFORMS.filter((platform) => product[`${platform}_devices`] > 0),
      device_count: product.device_count,
      user_count: product.user_count,
      last_seen_at: product.last_seen_at.toISOString(),
      ...describePublication(product, checkUrl),
      backends: backends.map(({ backend_id: id, name }) => ({ id, name })),
      adoption: countAdoption(
        backends.flatMap(({ backend_id: id }) => gateway.get(id) ?? []),
        direct.get(product.product_id) ?? [],
      ),
    };
  });
}

async function loadStatuses(db: Db, tenantId: string): Promise<ServerStatus[]> {
  const backends = await selectAllBackends(db, tenantId);
  const productIds = new Map(backends.map((row) => [row.backend_id, productIdsOf(row)]));
  const [health, pins, direct, gateway] = await Promise.all([
    selectHealth(db, tenantId),
    countPins(db, tenantId),
    selectDirectUsers(db, tenantId, [...new Set([...productIds.values()].flat())]),
    selectGatewayUsers(db, tenantId, [...productIds.keys()]),
  ]);
  const healthOf = new Map(health.map((row) => [row.backend_id, row]));
  const pinsOf = new Map(pins.map((row) => [row.backend_id, row]));
  return backends.map(({ backend_id: id }) => ({
    backend_id: id,
    ...statusOf(healthOf.get(id), pinsOf.get(id)),
    adoption: countAdoption(
      gateway.get(id) ?? [],
      (productIds.get(id) ?? []).flatMap((productId) => direct.get(productId) ?? []),
    ),
  }));
}

function statusOf(
  health: HealthRow | undefined,
  pins: PinCounts | undefined,
): Omit<ServerStatus, 'backend_id' | 'adoption'> {
  return {
    health: {
      state: health?.state ?? 'unknown',
      checked_at: isoOrNull(health?.checked_at ?? null),
      last_error: health?.last_error ?? null,
      last_error_at: isoOrNull(health?.last_error_at ?? null),
    },
    tool_count: health?.tool_count ?? null,
    approved_tool_count: pins?.approved ?? 0,
    drifted_tool_count: pins?.drifted ?? 0,
  };
}
