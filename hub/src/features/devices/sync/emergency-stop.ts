// C/emergency-stop: the tenant's ceiling on enforcement. It rides on the governance feed, so every device has it with
// its next poll, and "enforce" takes it back.
import {
  EmergencyStopAnswer,
  EmergencyStopInput,
} from '@gatewarden/shared/wire/console/emergency-stop.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectGovernanceState, updateMaxEnforcement } from '../overrides/store.ts';
import type { Snapshots } from './snapshot-cache.ts';

export function registerEmergencyStop(app: App, deps: { db: Db; snapshots: Snapshots }): void {
  app.get(
    '/emergency-stop',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['policies'],
        summary: 'Get the state of the emergency stop',
        response: { 200: EmergencyStopAnswer },
      },
    },
    async (request) => {
      const state = await selectGovernanceState(deps.db, personOf(request).tenantId);
      if (state === null) throw new HubError('not_found');
      return { enforcement_ceiling: state.ceiling, request_id: request.id };
    },
  );

  app.post(
    '/emergency-stop',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['policies'],
        summary: 'Set the emergency stop, or end it',
        body: EmergencyStopInput,
        response: { 200: EmergencyStopAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const ceiling = request.body.enforcement_ceiling;
      await transact(deps.db, async (tx) => {
        const before = await selectGovernanceState(tx, tenantId);
        // A repetition changes nothing and notifies nobody.
        if (before === null || before.ceiling === ceiling) return;
        await advanceFeed(tx, tenantId, 'governance');
        await updateMaxEnforcement(tx, tenantId, ceiling);
        await recordByPerson(tx, request, {
          operation: 'emergency_stop.set',
          resource: { kind: 'tenant', id: tenantId },
          detail: { before: before.ceiling, after: ceiling },
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
      });
      deps.snapshots.invalidate(tenantId);
      return { enforcement_ceiling: ceiling, request_id: request.id };
    },
  );
}
