// GET C/search: the console's search box. Composes searches that features offer; each result is something that the role may
// read on a page of its own.
import { foldName } from '@gatewarden/shared/names.ts';
import { SEARCH_MOST, SearchAnswer, SearchQuery } from '@gatewarden/shared/wire/console/search.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { searchDevices, searchProducts } from '../../devices/inventory/index.ts';
import { searchProductNames } from '../../devices/products/index.ts';
import { findRequests } from '../../logs/console/index.ts';
import { searchApps } from '../../management/apps/index.ts';
import { searchBackends } from '../../mcp/backends/index.ts';
import { searchMembers } from '../../people/identity/index.ts';

export function registerSearch(app: App, { db }: { db: Db }): void {
  app.get(
    '/search',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['console'],
        summary: 'Search users, products, apps, devices, MCP servers, gateway apps and requests',
        querystring: SearchQuery,
        response: { 200: SearchAnswer },
      },
    },
    async (request) => {
      const { tenantId, role } = personOf(request);
      const text = request.query.q.trim();
      const results = text === '' ? NOTHING : await search(db, tenantId, { text, role });
      return { ...results, request_id: request.id };
    },
  );
}

/** More than are shown: their users are results as well. */
const DEVICES_READ = 40;

type Results = Omit<SearchAnswer, 'request_id'>;

const NOTHING: Results = {
  devices: [],
  users: [],
  products: [],
  apps: [],
  mcp_servers: [],
  gateway_apps: [],
  requests: [],
};

async function search(
  db: Db,
  tenantId: string,
  { text, role }: { text: string; role: Role },
): Promise<Results> {
  const folded = foldName(text);
  const [devices, members, products, apps, servers, gatewayApps, requests] = await Promise.all([
    searchDevices(db, tenantId, text, DEVICES_READ),
    // The list of users is for administrators.
    role === 'Admin' ? searchMembers(db, tenantId, folded, SEARCH_MOST) : [],
    searchProductNames(db, tenantId, text, SEARCH_MOST),
    searchProducts(db, tenantId, text, SEARCH_MOST),
    searchBackends(db, tenantId, folded, SEARCH_MOST),
    searchApps(db, tenantId, folded, SEARCH_MOST),
    findRequests(db, tenantId, text, SEARCH_MOST),
  ]);
  const subscribers = devices
    .map((device) => device.subscriber_id)
    .filter((subscriber) => foldName(subscriber).includes(folded));
  return {
    devices: devices.slice(0, SEARCH_MOST),
    users: distinctEmails([...members, ...subscribers]).map((email) => ({ email })),
    products,
    apps,
    mcp_servers: servers,
    gateway_apps: gatewayApps,
    requests,
  };
}

function distinctEmails(emails: readonly string[]): string[] {
  const byFolded = new Map(emails.map((email) => [foldName(email), email]));
  return [...byFolded.values()].slice(0, SEARCH_MOST);
}
