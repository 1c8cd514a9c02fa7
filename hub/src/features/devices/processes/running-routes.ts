// POST /ea/v1/sync/running-processes: the device's picture of what runs, replaced as a whole; and the page that shows it.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import { DeviceProcessesAnswer, OfDeviceQuery } from '@gatewarden/shared/wire/console/devices.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { RUNNING_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { Type } from 'typebox';
import { agentOf } from '../../../platform/auth/agent.ts';
import { personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { checkBatchItems } from '../../../platform/http/lists/batch-items.ts';
import { isoOrNull, loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { admitDevice, hasDevice } from '../enrollment/index.ts';
import { identified } from './identified-processes.ts';
import { replaceRunning, selectProcessesOf, selectReportedAt } from './running-store.ts';

export function registerRunningSync(app: App, deps: { db: Db; pages: PageEvents }): void {
  const endpoint = SYNC_ENDPOINTS.runningProcesses;
  app.post(
    endpoint.path,
    {
      config: { sync: 'post' },
      schema: {
        tags: ['device'],
        summary: endpoint.summary,
        body: endpoint.request,
        response: { 202: endpoint.answer },
      },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const { device } = request.body;
      const processes = identified(device.platform, request.body.processes);
      checkBatchItems('processes', processes, 'process_id', RUNNING_LIMIT);
      await transact(deps.db, async (tx) => {
        const { device_id: deviceId } = await admitDevice(tx, agent, device, new Date());
        await replaceRunning(tx, { tenantId: agent.tenantId, deviceId }, processes);
      });
      deps.pages.announce(agent.tenantId, 'devices');
      return reply.code(202).send({ accepted: processes.length, request_id: request.id });
    },
  );
}

export function registerDeviceProcesses(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  const { db, cursors } = deps;
  app.get(
    '/devices/:device_id/processes',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'List the running processes that a device last reported',
        params: Type.Object({ tenant_id: Type.String(), device_id: Uuid }),
        querystring: OfDeviceQuery,
        response: { 200: DeviceProcessesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const deviceId = request.params.device_id.toLowerCase();
      if (!(await hasDevice(db, tenantId, deviceId))) throw new HubError('not_found');
      const page = await loadPage(request, {
        cursors,
        list: 'device-processes',
        by: [deviceId],
        fetch: (_tenant, after, limit) => selectProcessesOf(db, tenantId, deviceId, after, limit),
        keyOf: (row) => [row.name_folded, row.process_id],
        item: ({ name_folded: _folded, ...row }) => ({ ...row, since: row.since.toISOString() }),
      });
      return { ...page, reported_at: isoOrNull(await selectReportedAt(db, tenantId, deviceId)) };
    },
  );
}
