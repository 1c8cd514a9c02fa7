// C/mcp/backends/{id}/device-servers: the same server on devices that reach it without the gateway.
import { entityId } from '@gatewarden/shared/identity.ts';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import {
  BackendParams,
  type DeviceServer,
  DeviceServers,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { deviceServerKeys } from './device-server-keys.ts';
import { selectBackend } from './store.ts';

/** Loads the servers that devices have now, by the keys of agents: by entity, and by the product of the key. */
export type ProductsWith = (
  tenantId: string,
  servers: { entityIds: readonly string[]; keys: readonly string[] },
) => Promise<DeviceServer[]>;

/** Sources in which agents find MCP servers. */
const SOURCE = 'mcp_config';

export function registerDeviceServers(
  app: App,
  { db, productsWith }: { db: Db; productsWith: ProductsWith },
): void {
  app.get(
    '/mcp/backends/:backend_id/device-servers',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List devices that run this MCP server without the gateway',
        params: BackendParams,
        querystring: NoQuery,
        response: { 200: DeviceServers },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const backend = await selectBackend(db, tenantId, request.params.backend_id);
      if (backend === null) throw new HubError('not_found');
      const keys = deviceServerKeys(backend);
      const entityIds = PLATFORMS.flatMap((platform) =>
        keys.map((key) => entityId(platform, 'mcp_server', SOURCE, key)),
      );
      const items = await productsWith(tenantId, { entityIds, keys });
      return { items, request_id: request.id };
    },
  );
}
