// C/own/access-requests: what a person asked for, with the answers, and asking.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import {
  OwnAccessRequestAnswer,
  OwnAccessRequestInput,
  OwnAccessRequestsAnswer,
  OwnAccessRequestsQuery,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  type Ask,
  askForAccess,
  type NotifyReviewers,
  ownRequestRow,
  selectRequest,
  selectRequests,
} from '../access-requests/index.ts';
import { selectOneActivity } from '../activity/index.ts';
import { selectPersonsDevice } from '../inventory/index.ts';
import { selectOwnedSince } from '../lifecycle/index.ts';

export function registerOwnRequests(
  app: App,
  deps: { db: Db; cursors: CursorSealer; notifyReviewers: NotifyReviewers },
): void {
  const { db, cursors, notifyReviewers } = deps;

  app.get(
    '/own/access-requests',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['own'],
        summary: 'List your access requests, newest first',
        querystring: OwnAccessRequestsQuery,
        response: { 200: OwnAccessRequestsAnswer },
      },
    },
    (request) => {
      const person = foldName(personOf(request).email);
      return loadPage(request, {
        cursors,
        list: 'own-access-requests',
        by: [person],
        fetch: (tenantId, after, limit) => selectRequests(db, tenantId, { person }, after, limit),
        keyOf: (row) => [row.sort_key, row.access_request_id],
        item: ownRequestRow,
      });
    },
  );

  app.post(
    '/own/access-requests',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['own'],
        summary: 'Request access on your device; a repeated request is stored once',
        body: OwnAccessRequestInput,
        response: { 201: OwnAccessRequestAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId, email } = person;
      const { reason } = request.body;
      const deviceId = request.body.device_id.toLowerCase();
      const device = await selectPersonsDevice(db, tenantId, foldName(email), deviceId);
      if (device === null) throw new HubError('not_found');
      const about = await aboutOf(db, tenantId, deviceId, request.body);
      const id = await transact(db, (tx) =>
        askForAccess(
          tx,
          {
            tenantId,
            device: { device_id: deviceId, subscriber_id: device.subscriber_id },
            via: 'console',
            actor: actorOf(person),
            requestId: request.id,
            askId: randomUUID(),
            about,
            reason,
          },
          notifyReviewers,
        ),
      );
      const stored = await selectRequest(db, tenantId, id);
      if (stored === null) throw new HubError('not_found');
      reply.code(201);
      return { access_request: ownRequestRow(stored), request_id: request.id };
    },
  );
}

async function aboutOf(
  db: Db,
  tenantId: string,
  deviceId: string,
  asked: { entity_id?: string; activity_id?: string },
): Promise<Ask['about']> {
  const { entity_id: entityId, activity_id: activityId } = asked;
  if (entityId !== undefined && activityId === undefined) return { entityId };
  if (activityId === undefined || entityId !== undefined) {
    throw new HubError('invalid_request', '/ requires either entity_id or activity_id');
  }
  const since = await selectOwnedSince(db, tenantId, deviceId);
  const activity = await selectOneActivity(db, tenantId, { deviceId, activityId, since });
  if (activity === null) throw new HubError('not_found');
  return { activity };
}
