// /Groups of SCIM (RFC 7644, 3.2): user groups.
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
import { GROUP_FIELDS, parseFilter } from './filter.ts';
import {
  changeScimGroup,
  createScimGroup,
  deleteScimGroup,
  type GroupWithUsers,
  loadGroupUsers,
} from './groups.ts';
import { applyMemberOperations } from './patch-members.ts';
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
import { groupResource, includesMembers, parseGroup, projectAttributes } from './resources.ts';
import { selectScimGroups } from './store.ts';
import type { ScimDeps } from './users.ts';
import { applyPatch, validateBody } from './validation.ts';

/** The most groups in a page with members: each group may have thousands. */
const WITH_MEMBERS_MAX = 100;

/** Registers the routes of groups. */
export function registerScimGroups(scope: App, deps: ScimDeps): void {
  registerGroupReads(scope, deps);
  registerGroupChanges(scope, deps);
}

function registerGroupReads(scope: App, deps: ScimDeps): void {
  const { db, origin } = deps;
  const resource = ({ group, members }: GroupWithUsers) => groupResource(origin, group, members);
  scope.get(
    '/Groups',
    {
      config,
      schema: describeRoute('List user groups', {
        querystring: ScimListQuery,
        response: { 200: ScimList },
      }),
    },
    async (request) => {
      const { tenantId } = grantOf(request);
      const { query } = request;
      const withMembers = includesMembers(query);
      const page = pageOf(query, withMembers ? WITH_MEMBERS_MAX : undefined);
      const filter = await parseFilter(query.filter, GROUP_FIELDS);
      const { groups, total } = await selectScimGroups(db, tenantId, filter, page);
      const all = withMembers
        ? (await loadGroupUsers(db, tenantId, groups)).map(resource)
        : groups.map((group) => groupResource(origin, group, null));
      return toListResponse(
        all.map((group) => projectAttributes(group, query)),
        page.startIndex,
        total,
      );
    },
  );
  scope.post(
    '/Groups',
    {
      config,
      schema: describeRoute('Create a user group from the directory', {
        body: ScimGroupInput,
        response: { 201: ScimResource },
      }),
    },
    async (request, reply) => {
      const input = parseGroup(await validateBody('Group', request.body));
      return sendResource(
        reply.code(201),
        resource(await createScimGroup(deps, byOf(request), input)),
      );
    },
  );
  scope.get(
    '/Groups/:id',
    {
      config,
      schema: describeRoute('Get a user group', {
        params: IdParams,
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
      const [withUsers] = includesMembers(request.query)
        ? await loadGroupUsers(db, tenantId, [group])
        : [];
      return sendResource(
        reply,
        groupResource(origin, group, withUsers?.members ?? null),
        request.query,
      );
    },
  );
}

function registerGroupChanges(scope: App, deps: ScimDeps): void {
  const { origin } = deps;
  const resource = ({ group, members }: GroupWithUsers) => groupResource(origin, group, members);
  scope.put(
    '/Groups/:id',
    {
      config,
      schema: describeRoute('Replace a user group', {
        params: IdParams,
        body: ScimGroupInput,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const input = parseGroup(await validateBody('Group', request.body));
      const by = byOf(request);
      const versions = versionsOf(request);
      return sendResource(
        reply,
        resource(await changeScimGroup(deps, by, idOf(request), versions, async () => input)),
      );
    },
  );
  scope.patch(
    '/Groups/:id',
    {
      config,
      schema: describeRoute('Update a user group', {
        params: IdParams,
        body: ScimPatch,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const change = async ({ group, members }: GroupWithUsers) => {
        const ids = members.map((member) => member.user_id);
        const patch = applyMemberOperations(ids, request.body.Operations);
        const bare = resource({ group, members: [] });
        const rest = await applyPatch('Group', bare, {
          ...request.body,
          Operations: patch.remaining,
        });
        return parseGroup({ ...rest, members: patch.members.map((value) => ({ value })) });
      };
      return sendResource(
        reply,
        resource(await changeScimGroup(deps, by, idOf(request), versionsOf(request), change)),
      );
    },
  );
  scope.delete(
    '/Groups/:id',
    {
      config,
      schema: describeRoute('Delete a user group', {
        params: IdParams,
        response: { 204: Type.Null() },
      }),
    },
    async (request, reply) => {
      await deleteScimGroup(deps, byOf(request), idOf(request), versionsOf(request));
      return reply.code(204).send(null);
    },
  );
}
