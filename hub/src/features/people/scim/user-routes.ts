// SCIM's /Users: people, with their role.
import {
  ScimList,
  ScimListQuery,
  ScimOneQuery,
  ScimPatch,
  ScimResource,
  ScimUserInput,
} from '@gatewarden/shared/wire/scim.ts';
import { Type } from 'typebox';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { conditionsIn, USER_FIELDS } from './filter.ts';
import {
  about,
  byOf,
  config,
  grantOf,
  idOf,
  listed,
  One,
  pageOf,
  told,
  versionsOf,
} from './requests.ts';
import { projected, userResource, wantedUser } from './resources.ts';
import { checked, patched } from './standard.ts';
import { type ScimUserRow, selectGroupsOf, selectScimUser, selectScimUsers } from './store.ts';
import { changeUser, createUser, removeUser, type ScimDeps } from './users.ts';

const LEAST = { value: 'Member' };

export function registerScimUsers(scope: App, deps: ScimDeps): void {
  const { db, origin } = deps;
  const resources = async (tenantId: string, users: readonly ScimUserRow[]) => {
    const groups = await selectGroupsOf(
      db,
      tenantId,
      users.map((user) => user.email_folded),
    );
    const of = Map.groupBy(groups, (group) => group.email_folded);
    return users.map((user) => userResource(origin, user, of.get(user.email_folded) ?? []));
  };
  const resource = async (tenantId: string, user: ScimUserRow) =>
    (await resources(tenantId, [user]))[0] as ScimResource;

  scope.get(
    '/Users',
    {
      config,
      schema: about('List users', {
        querystring: ScimListQuery,
        response: { 200: ScimList },
      }),
    },
    async (request) => {
      const { tenantId } = grantOf(request);
      const { query } = request;
      const page = pageOf(query);
      const filter = await conditionsIn(query.filter, USER_FIELDS);
      const { users, total } = await selectScimUsers(db, tenantId, filter, page);
      const all = await resources(tenantId, users);
      return listed(
        all.map((user) => projected(user, query)),
        page.startIndex,
        total,
      );
    },
  );
  scope.post(
    '/Users',
    {
      config,
      schema: about('Create a user from the directory', {
        body: ScimUserInput,
        response: { 201: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const wanted = wantedUser(await checked('User', request.body), null);
      const made = await resource(by.tenantId, await createUser(deps, by, wanted));
      return told(reply.code(201), made);
    },
  );
  scope.get(
    '/Users/:id',
    {
      config,
      schema: about('Get a user', {
        params: One,
        querystring: ScimOneQuery,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const { tenantId } = grantOf(request);
      const user = await selectScimUser(db, tenantId, idOf(request));
      if (user === null) throw new HubError('not_found');
      return told(reply, await resource(tenantId, user), request.query);
    },
  );
  scope.put(
    '/Users/:id',
    {
      config,
      schema: about('Replace a user', {
        params: One,
        body: ScimUserInput,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const given = await checked('User', request.body);
      const user = await changeUser(deps, by, idOf(request), versionsOf(request), async (before) =>
        wantedUser(given, before),
      );
      return told(reply, await resource(by.tenantId, user));
    },
  );
  scope.patch(
    '/Users/:id',
    {
      config,
      schema: about('Update a user', {
        params: One,
        body: ScimPatch,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const user = await changeUser(deps, by, idOf(request), versionsOf(request), async (before) =>
        // Who is left without a role has the least.
        wantedUser(
          {
            roles: [LEAST],
            ...(await patched('User', userResource(origin, before, []), request.body)),
          },
          before,
        ),
      );
      return told(reply, await resource(by.tenantId, user));
    },
  );
  scope.delete(
    '/Users/:id',
    {
      config,
      schema: about('Delete a user', {
        params: One,
        response: { 204: Type.Null() },
      }),
    },
    async (request, reply) => {
      await removeUser(deps, byOf(request), idOf(request), versionsOf(request));
      return reply.code(204).send(null);
    },
  );
}
