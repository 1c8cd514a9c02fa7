// Each view of a person's device is recorded in the audit trail, whichever of its pages was opened.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import { recordAudit } from '../../../platform/audit.ts';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { isFirstView } from './store.ts';

/** Pages read a device again and again; one look is one entry in the trail. */
const ONE_LOOK_MS = 10 * 60_000;

/** Adds to a scope of console routes that whatever is read of one device, by path or filter, is a look at it. */
export function auditViews(scope: App, db: Db): void {
  scope.addHook('preHandler', async (request) => {
    // What is everybody's is of their own devices only: no look at anybody else's.
    if (request.method !== 'GET' || request.routeOptions.config.access === 'Member') return;
    const deviceId = deviceOf(request);
    // A route that does not know this filter has not looked at it.
    if (Value.Check(Uuid, deviceId)) await recordView(db, request, deviceId.toLowerCase());
  });
}

function deviceOf(request: FastifyRequest): unknown {
  const params = request.params as { device_id?: unknown };
  const query = request.query as { device_id?: unknown };
  return params.device_id ?? query.device_id;
}

/** Once in a while; of a device that is not there nothing was seen. */
async function recordView(db: Db, request: FastifyRequest, deviceId: string): Promise<void> {
  const person = personOf(request);
  const actor = actorOf(person);
  await transact(db, async (tx) => {
    const since = new Date(Date.now() - ONE_LOOK_MS);
    const view = { actorId: actor.id, deviceId, since };
    if (!(await isFirstView(tx, person.tenantId, view))) return;
    await recordAudit(tx, {
      tenantId: person.tenantId,
      actor,
      operation: 'device.view',
      resource: { kind: 'device', id: deviceId },
      requestId: request.id,
      detail: {},
    });
  });
}
