// POST /ea/v1/sync/access-requests: what a person asked for at their device, sent by its agent.
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { agentOf } from '../../../platform/auth/agent.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { checkBatchItems } from '../../../platform/http/lists/batch-items.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { admitDevice } from '../enrollment/index.ts';
import { askForAccess, type NotifyReviewers } from './create-request.ts';

export function registerAccessSync(
  app: App,
  { db, notifyReviewers }: { db: Db; notifyReviewers: NotifyReviewers },
): void {
  const endpoint = SYNC_ENDPOINTS.accessRequests;
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
      // In a person's name speaks only the device that is theirs.
      if (agent.token.deviceId === null) throw new HubError('device_token_required');
      const { device, requests } = request.body;
      checkBatchItems('requests', requests, 'access_request_id');
      const accepted: string[] = [];
      const refused: { access_request_id: string; reason: string }[] = [];
      for (const row of requests) {
        const about = row.entity_id
          ? { entityId: row.entity_id }
          : { processName: row.process_name ?? '' };
        try {
          await transact(db, async (tx) => {
            const { device_id: deviceId } = await admitDevice(tx, agent, device, new Date());
            const ask = {
              tenantId: agent.tenantId,
              device: { device_id: deviceId, subscriber_id: agent.subscriberId },
              via: 'agent',
              actor: { kind: 'device', id: deviceId, email: null },
              requestId: request.id,
              askId: row.access_request_id.toLowerCase(),
              about,
              reason: row.reason,
            } as const;
            await askForAccess(tx, ask, notifyReviewers);
          });
          accepted.push(row.access_request_id);
        } catch (error) {
          refused.push({ access_request_id: row.access_request_id, reason: refusalOf(error) });
        }
      }
      return reply.code(202).send({ accepted, refused, request_id: request.id });
    },
  );
}

/** Errors of a single request; any other error rejects the batch, which the device sends again. */
function refusalOf(error: unknown): string {
  if (error instanceof HubError && error.code === 'not_found') {
    return "This app isn't installed on the device.";
  }
  if (error instanceof HubError && error.code === 'too_many_requests') return error.message;
  throw error;
}
