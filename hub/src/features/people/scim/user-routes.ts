// /Users of SCIM (RFC 7644, 3.2): users with their role.
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
import { parseFilter, USER_FIELDS } from './filter.ts';
import {
  byOf,
  config,
  describeRoute,
  grantOf,
  IdParams,
  idOf,
  pageOf,
  sendResource,
  toListResponse,
  versionsOf,
} from './requests.ts';
import { parseUser, projectAttributes, userResource } from './resources.ts';
import { type ScimUserRow, selectGroupsOf, selectScimUser, selectScimUsers } from './store.ts';
import { changeUser, createUser, removeUser, type ScimDeps } from './users.ts';
import { applyPatch, validateBody } from './validation.ts';

const LOWEST_ROLE = { value: 'Member' };

/** Registers the routes of users. */
export function registerScimUsers(scope: App, deps: ScimDeps): void {
  registerUserReads(scope, deps);
  registerUserChanges(scope, deps);
}

async function toResources(
  { db, origin }: ScimDeps,
  tenantId: string,
  users: readonly ScimUserRow[],
): Promise<ScimResource[]> {
  const groups = await selectGroupsOf(
    db,
    tenantId,
    users.map((user) => user.email_folded),
  );
  const groupsByEmail = Map.groupBy(groups, (group) => group.email_folded);
  return users.map((user) =>
    userResource(origin, user, groupsByEmail.get(user.email_folded) ?? []),
  );
}

async function toResource(
  deps: ScimDeps,
  tenantId: string,
  user: ScimUserRow,
): Promise<ScimResource> {
  return (await toResources(deps, tenantId, [user]))[0] as ScimResource;
}

function registerUserReads(scope: App, deps: ScimDeps): void {
  const { db } = deps;
  scope.get(
    '/Users',
    {
      config,
      schema: describeRoute('List users', {
        querystring: ScimListQuery,
        response: { 200: ScimList },
      }),
    },
    async (request) => {
      const { tenantId } = grantOf(request);
      const { query } = request;
      const page = pageOf(query);
      const filter = await parseFilter(query.filter, USER_FIELDS);
      const { users, total } = await selectScimUsers(db, tenantId, filter, page);
      const listed = await toResources(deps, tenantId, users);
      return toListResponse(
        listed.map((user) => projectAttributes(user, query)),
        page.startIndex,
        total,
      );
    },
  );
  scope.post(
    '/Users',
    {
      config,
      schema: describeRoute('Create a user from the directory', {
        body: ScimUserInput,
        response: { 201: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const input = parseUser(await validateBody('User', request.body), null);
      const created = await toResource(deps, by.tenantId, await createUser(deps, by, input));
      return sendResource(reply.code(201), created);
    },
  );
  scope.get(
    '/Users/:id',
    {
      config,
      schema: describeRoute('Get a user', {
        params: IdParams,
        querystring: ScimOneQuery,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const { tenantId } = grantOf(request);
      const user = await selectScimUser(db, tenantId, idOf(request));
      if (user === null) throw new HubError('not_found');
      return sendResource(reply, await toResource(deps, tenantId, user), request.query);
    },
  );
}

function registerUserChanges(scope: App, deps: ScimDeps): void {
  const { origin } = deps;
  scope.put(
    '/Users/:id',
    {
      config,
      schema: describeRoute('Replace a user', {
        params: IdParams,
        body: ScimUserInput,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const body = await validateBody('User', request.body);
      const user = await changeUser(deps, by, idOf(request), versionsOf(request), async (before) =>
        parseUser(body, before),
      );
      return sendResource(reply, await toResource(deps, by.tenantId, user));
    },
  );
  scope.patch(
    '/Users/:id',
    {
      config,
      schema: describeRoute('Update a user', {
        params: IdParams,
        body: ScimPatch,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const user = await changeUser(deps, by, idOf(request), versionsOf(request), async (before) =>
        // A PATCH that removes the role leaves the lowest role.
        parseUser(
          {
            roles: [LOWEST_ROLE],
            ...(await applyPatch('User', userResource(origin, before, []), request.body)),
          },
          before,
        ),
      );
      return sendResource(reply, await toResource(deps, by.tenantId, user));
    },
  );
  scope.delete(
    '/Users/:id',
    {
      config,
      schema: describeRoute('Delete a user', {
        params: IdParams,
        response: { 204: Type.Null() },
      }),
    },
    async (request, reply) => {
      await removeUser(deps, byOf(request), idOf(request), versionsOf(request));
      return reply.code(204).send(null);
    },
  );
}
