// GET /ea/v1/sync/mcp-offer: composes the user of a device with the MCP servers that the user may use.
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { checkDevice, selectDeviceState } from '../features/devices/enrollment/index.ts';
import { type OfferDeps, offerFor } from '../features/mcp/self-service/index.ts';
import { agentOf } from '../platform/auth/agent.ts';
import type { Db } from '../platform/db/database.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import type { App } from '../platform/http/server/app.ts';

/** Registers the list of MCP servers for the user of a device. */
export function registerMcpOffer(app: App, deps: OfferDeps & { db: Db }): void {
  const endpoint = SYNC_ENDPOINTS.mcpOffer;
  app.get(
    endpoint.path,
    {
      config: { sync: 'get', alsoAnswers: ['404'] },
      schema: {
        tags: ['device'],
        summary: endpoint.summary,
        response: { 200: endpoint.answer },
      },
    },
    async (request) => {
      const agent = agentOf(request);
      const { tenantId } = agent;
      const deviceId = agent.deviceId ?? '';
      const device = await selectDeviceState(deps.db, tenantId, deviceId);
      checkDevice(agent, deviceId, device);
      if (device === null) throw new HubError('not_found');
      return { servers: await offerFor(deps, tenantId, device.subscriber_id) };
    },
  );
}
