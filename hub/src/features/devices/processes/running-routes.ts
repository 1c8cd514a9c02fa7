// POST /ea/v1/sync/running-processes: the device's picture of what runs, replaced as a whole.

import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { RUNNING_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { agentOf } from '../../../platform/auth/agent.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { checkItems } from '../../../platform/http/batches.ts';
import { admitDevice } from '../enrolment/index.ts';
import { replaceRunning } from './running-store.ts';

export function registerRunningSync(app: App, deps: { db: Db }): void {
  const endpoint = SYNC_ENDPOINTS.runningProcesses;
  app.post(
    endpoint.path,
    {
      config: { sync: 'post' },
      schema: { tags: ['device'], body: endpoint.request, response: { 202: endpoint.answer } },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const { device, processes } = request.body;
      checkItems('processes', processes, 'process_id', RUNNING_LIMIT);
      await transact(deps.db, async (tx) => {
        const { device_id: deviceId } = await admitDevice(tx, agent, device, new Date());
        await replaceRunning(tx, { tenantId: agent.tenantId, deviceId }, processes);
      });
      return reply.code(202).send({ accepted: processes.length, request_id: request.id });
    },
  );
}
