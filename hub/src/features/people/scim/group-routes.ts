// SCIM's /Groups: groups of people.
import {
  ScimGroupInput,
  ScimList,
  ScimListQuery,
  ScimOneQuery,
  ScimPatch,
  ScimResource,
} from '@gatewarden/shared/wire/scim.ts';
import { Type } from 'typebox';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { conditionsIn, GROUP_FIELDS } from './filter.ts';
import { changedGroup, endGroup, type GroupWithUsers, newGroup, usersIn } from './groups.ts';
import { patchedMembers } from './patch-members.ts';
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
import { groupResource, projected, showsMembers, wantedGroup } from './resources.ts';
import { checked, patched } from './standard.ts';
import { selectScimGroups } from './store.ts';
import type { ScimDeps } from './users.ts';

/** Each may have thousands of members. */
const WITH_MEMBERS_MAX = 100;

export function registerScimGroups(scope: App, deps: ScimDeps): void {
  const { db, origin } = deps;
  const resource = ({ group, members }: GroupWithUsers) => groupResource(origin, group, members);
  scope.get(
    '/Groups',
    {
      config,
      schema: about('List user groups', {
        querystring: ScimListQuery,
        response: { 200: ScimList },
      }),
    },
    async (request) => {
      const { tenantId } = grantOf(request);
      const { query } = request;
      const isShown = showsMembers(query);
      const page = pageOf(query, isShown ? WITH_MEMBERS_MAX : undefined);
      const filter = await conditionsIn(query.filter, GROUP_FIELDS);
      const { groups, total } = await selectScimGroups(db, tenantId, filter, page);
      const all = isShown
        ? (await usersIn(db, tenantId, groups)).map(resource)
        : groups.map((group) => groupResource(origin, group, null));
      return listed(
        all.map((group) => projected(group, query)),
        page.startIndex,
        total,
      );
    },
  );
  scope.post(
    '/Groups',
    {
      config,
      schema: about('Create a user group from the directory', {
        body: ScimGroupInput,
        response: { 201: ScimResource },
      }),
    },
    async (request, reply) => {
      const wanted = wantedGroup(await checked('Group', request.body));
      return told(reply.code(201), resource(await newGroup(deps, byOf(request), wanted)));
    },
  );
  scope.get(
    '/Groups/:id',
    {
      config,
      schema: about('Get a user group', {
        params: One,
        querystring: ScimOneQuery,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const { tenantId } = grantOf(request);
      const filter = [[{ field: 'id', operator: 'eq', value: idOf(request) } as const]];
      const { groups } = await selectScimGroups(db, tenantId, filter, { offset: 0, limit: 1 });
      const [group] = groups;
      if (group === undefined) throw new HubError('not_found');
      const [shown] = showsMembers(request.query) ? await usersIn(db, tenantId, [group]) : [];
      return told(reply, groupResource(origin, group, shown?.members ?? null), request.query);
    },
  );
  scope.put(
    '/Groups/:id',
    {
      config,
      schema: about('Replace a user group', {
        params: One,
        body: ScimGroupInput,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const wanted = wantedGroup(await checked('Group', request.body));
      const by = byOf(request);
      const versions = versionsOf(request);
      return told(
        reply,
        resource(await changedGroup(deps, by, idOf(request), versions, async () => wanted)),
      );
    },
  );
  scope.patch(
    '/Groups/:id',
    {
      config,
      schema: about('Update a user group', {
        params: One,
        body: ScimPatch,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const change = async ({ group, members }: GroupWithUsers) => {
        const ids = members.map((one) => one.user_id);
        const after = patchedMembers(ids, request.body.Operations);
        const bare = resource({ group, members: [] });
        const rest = await patched('Group', bare, { ...request.body, Operations: after.others });
        return wantedGroup({ ...rest, members: after.members.map((value) => ({ value })) });
      };
      return told(
        reply,
        resource(await changedGroup(deps, by, idOf(request), versionsOf(request), change)),
      );
    },
  );
  scope.delete(
    '/Groups/:id',
    {
      config,
      schema: about('Delete a user group', {
        params: One,
        response: { 204: Type.Null() },
      }),
    },
    async (request, reply) => {
      await endGroup(deps, byOf(request), idOf(request), versionsOf(request));
      return reply.code(204).send(null);
    },
  );
}
