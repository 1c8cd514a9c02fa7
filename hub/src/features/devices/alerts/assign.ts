// POST C/alerts/{alert_id}/assign and C/alert-assignees: who looks after an alert.
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  AlertAcknowledgeQuery,
  AlertAnswer,
  AlertAssigneesAnswer,
  AlertAssignment,
} from '@gatewarden/shared/wire/console/alerts.ts';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { Type } from 'typebox';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectDeciders } from '../../people/identity/index.ts';
import { alertRow } from './alert-row.ts';
import { assignAlert } from './store.ts';

/** To choose from in a page; anybody else who decides may be named all the same. */
const ASSIGNEES_MAX = 200;

export function registerAlertAssignment(app: App, { db }: { db: Db }): void {
  app.get(
    '/alert-assignees',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['alerts'],
        summary: 'List the users that alerts can be assigned to',
        querystring: NoQuery,
        response: { 200: AlertAssigneesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const items = await selectDeciders(db, tenantId, null, ASSIGNEES_MAX);
      return { items, request_id: request.id };
    },
  );

  app.post(
    '/alerts/:alert_id/assign',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['alerts'],
        summary: 'Assign an alert to a user, or unassign it',
        params: Type.Object({ tenant_id: Type.String(), alert_id: Uuid }),
        querystring: AlertAcknowledgeQuery,
        body: AlertAssignment,
        response: { 200: AlertAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const alertId = request.params.alert_id.toLowerCase();
      const deviceId = request.query.device_id?.toLowerCase() ?? null;
      const { assigned_to: wanted, instead_of: before } = request.body;
      const alert = await transact(db, async (tx) => {
        const to = wanted === null ? null : await deciderNamed(tx, tenantId, wanted);
        const done = await assignAlert(tx, tenantId, { alertId, deviceId }, to, before);
        if (done === null) throw new HubError('not_found');
        if (done.alert.assigned_to !== to) throw new HubError('precondition_failed');
        if (done.isChanged) {
          await recordByPerson(tx, request, {
            operation: 'alert.assign',
            resource: { kind: 'alert', id: alertId },
            detail: { device_id: done.alert.device_id, from: before, to },
          });
          await notify(tx, { kind: 'page', tenant: tenantId, topic: 'alerts' });
        }
        return done.alert;
      });
      return { alert: alertRow(alert), request_id: request.id };
    },
  );
}

/** The address as it is stored. Throws where nobody who decides on alerts has it. */
async function deciderNamed(db: Db, tenantId: string, email: string): Promise<string> {
  const [found] = await selectDeciders(db, tenantId, foldName(email), 1);
  if (found === undefined) {
    throw new HubError('invalid_request', '/assigned_to must be a user who can handle alerts');
  }
  return found.email;
}
