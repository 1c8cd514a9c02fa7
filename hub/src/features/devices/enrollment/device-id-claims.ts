// A machine that has a bound device's id but not its token is refused; its claim, with what it reports about itself, is
// for people to see: a cloned image, or the same machine without its store.
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { FastifyError, FastifyRequest } from 'fastify';
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import { agentOf } from '../../../platform/auth/agent.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError, sendError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { storeClaim } from './store.ts';

const ACTOR: Actor = { kind: 'hub', id: 'enrolment', email: null };

/** Adds to a scope of device routes that who is refused so is noticed. */
export function noticeClaims(scope: App, db: Db): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const isClaim = error instanceof HubError && error.code === 'device_token_required';
    if (!isClaim) return sendError(error, request, reply);
    noticeClaim(db, request)
      .catch((failed: unknown) => {
        request.log.warn({ err: failed }, 'a claim to a device could not be noted');
      })
      .finally(() => sendError(error, request, reply));
  });
}

async function noticeClaim(db: Db, request: FastifyRequest): Promise<void> {
  const { tenantId, subscriberId } = agentOf(request);
  const device = (request.body as { device?: WireDevice } | undefined)?.device;
  if (device === undefined) return;
  const { device_id: sentId, hostname, platform, os_version, arch, agent_version } = device;
  const deviceId = sentId.toLowerCase();
  const subscriber_id = subscriberId || (request.body as { subscriber_id: string }).subscriber_id;
  const claim = { hostname, platform, os_version, arch, agent_version, subscriber_id };
  await transact(db, async (tx) => {
    if (!(await storeClaim(tx, tenantId, deviceId, claim, new Date()))) return;
    await recordAudit(tx, {
      tenantId,
      actor: ACTOR,
      operation: 'device.claim_refused',
      resource: { kind: 'device', id: deviceId },
      requestId: request.id,
      detail: { claim },
    });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'devices' });
  });
}
