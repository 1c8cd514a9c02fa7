// POST /ea/v1/enroll: an agent token, or the device's own for renewal, becomes a device token.
import { randomUUID } from 'node:crypto';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { agentOf } from '../../../platform/auth/agent.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { admitDevice } from './admit-device.ts';
import {
  bindDevice,
  expireOlderTokens,
  insertDevices,
  insertToken,
  unbindUnanswered,
} from './store.ts';
import { TOKEN_CACHE } from './tokens.ts';

const DEVICE_TOKEN_DAYS = 180;

export function registerEnrolment(app: App, deps: { db: Db; pages: PageEvents }): void {
  const endpoint = SYNC_ENDPOINTS.enroll;
  app.post(
    endpoint.path,
    {
      config: { sync: 'enroll' },
      schema: {
        tags: ['device'],
        summary: endpoint.summary,
        body: endpoint.request,
        response: { 201: endpoint.answer },
      },
    },
    async (request, reply) => {
      const { device, subscriber_id: subscriberId, enrolment_key: key } = request.body;
      const agent = { ...agentOf(request) };
      if (agent.subscriberId !== '' && agent.subscriberId !== subscriberId) {
        throw new HubError(
          'invalid_subscriber_id',
          '/subscriber_id does not match X-Subscriber-ID.',
        );
      }
      agent.subscriberId = subscriberId;
      const deviceId = device.device_id.toLowerCase();
      const keyHash = key === undefined ? null : hashSecret(key);
      const tokenId = randomUUID();
      const secret = makeSecret('agent');
      const now = new Date();
      const expiresAt = new Date(now.getTime() + DEVICE_TOKEN_DAYS * 86_400_000);
      await transact(deps.db, async (tx) => {
        if (keyHash !== null && agent.token.deviceId === null) {
          // Waits for who enrols it at this moment: the same device may, whose first request is still under way.
          await insertDevices(tx, agent.tenantId, [{ subscriberId, facts: device }]);
          await unbindUnanswered(tx, { ...agent, deviceId, keyHash });
        }
        await admitDevice(tx, agent, device, now);
        await insertToken(tx, {
          token_id: tokenId,
          token_hash: hashSecret(secret),
          tenant_id: agent.tenantId,
          name: device.hostname,
          enrol_only: false,
          device_id: deviceId,
          subscriber_id: subscriberId,
          expires_at: expiresAt,
        });
        await bindDevice(tx, agent.tenantId, deviceId, keyHash);
        for (const old of await expireOlderTokens(tx, agent.tenantId, deviceId, tokenId)) {
          await notify(tx, {
            kind: 'forget',
            cache: TOKEN_CACHE,
            keys: [old.token_hash.toString('hex')],
          });
        }
        await notify(tx, {
          kind: 'forget',
          cache: 'device',
          keys: [`${agent.tenantId}/${deviceId}`],
        });
        // A client that disconnected does not receive this token, and may have a newer token, which this token would revoke.
        if (request.raw.socket.destroyed) throw new HubError('request_timeout');
      });
      deps.pages.announce(agent.tenantId, 'devices', subscriberId);
      return reply.code(201).send({
        device_token: secret,
        expires_at: expiresAt.toISOString(),
        request_id: request.id,
      });
    },
  );
}
