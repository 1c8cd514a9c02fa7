// Saved views: filters of a list that a user stores under a name for themselves.
// Main types: the wire type `SavedView`.
// Invariants: a name is unique per user and list, in any letter case; saving again replaces the view and keeps its id.
// Depends on platform/auth only.
// Start reading at `registerSavedViews`, then store.ts.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import {
  SavedViewAnswer,
  SavedViewDeletedAnswer,
  SavedViewInput,
  SavedViewsAnswer,
} from '@gatewarden/shared/wire/console/saved-views.ts';
import { Type } from 'typebox';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { deleteView, selectViews, upsertView } from './store.ts';

export { eraseViews } from './store.ts';

/** The most views of a user, over all lists. */
const VIEWS_MAX = 50;

/** Registers the saved views of the user. */
export function registerSavedViews(app: App, { db }: { db: Db }): void {
  registerSaving(app, db);
  app.get(
    '/own/views',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['own'],
        summary: 'List your saved views',
        querystring: NoQuery,
        response: { 200: SavedViewsAnswer },
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const items = await selectViews(db, tenantId, foldName(email));
      return { items, request_id: request.id };
    },
  );

  app.delete(
    '/own/views/:view_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['own'],
        summary: 'Delete a saved view',
        params: Type.Object({ tenant_id: Type.String(), view_id: Uuid }),
        response: { 200: SavedViewDeletedAnswer },
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const viewId = request.params.view_id.toLowerCase();
      await transact(db, async (tx) => {
        const deleted = await deleteView(tx, tenantId, foldName(email), viewId);
        if (deleted === null) throw new HubError('not_found');
        await recordByPerson(tx, request, {
          operation: 'saved_view.delete',
          resource: { kind: 'saved_view', id: viewId },
          detail: deleted,
        });
      });
      return { view_id: viewId, request_id: request.id };
    },
  );
}

function registerSaving(app: App, db: Db): void {
  app.post(
    '/own/views',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['own'],
        summary: 'Save a view',
        body: SavedViewInput,
        response: { 201: SavedViewAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId, email } = personOf(request);
      const person = foldName(email);
      const name = request.body.name.trim();
      const view = await transact(db, async (tx) => {
        const before = await selectViews(tx, tenantId, person);
        const exists = before.some(
          (view) => view.list === request.body.list && foldName(view.name) === foldName(name),
        );
        if (!exists && before.length >= VIEWS_MAX) {
          throw new HubError('invalid_request', `/ a user can save at most ${VIEWS_MAX} views`);
        }
        const stored = await upsertView(tx, tenantId, person, {
          ...request.body,
          view_id: randomUUID(),
          name,
          name_folded: foldName(name),
        });
        await recordByPerson(tx, request, {
          operation: 'saved_view.set',
          resource: { kind: 'saved_view', id: stored.view_id },
          detail: { list: stored.list, name: stored.name },
        });
        return stored;
      });
      reply.code(201);
      return { view, request_id: request.id };
    },
  );
}
