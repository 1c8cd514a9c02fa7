// SCIM 2.0 (RFC 7644): a company's directory provisions people, with their role, and their groups. The tenant is that of
// the token; nothing in a path or a body names one.
import { hashSecret, isSecret } from '@gatewarden/shared/secrets.ts';
import {
  SCIM,
  ScimGroupInput,
  ScimList,
  ScimListQuery,
  ScimOneQuery,
  ScimPatch,
  ScimResource,
  ScimUserInput,
} from '@gatewarden/shared/wire/scim.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { versionsAllowed } from '../../../platform/http/etag.ts';
import { parseJson } from '../../../platform/http/json.ts';
import { keepWithinTenant } from '../../../platform/http/within-tenant.ts';
import type { ByInTenant } from '../groups/index.ts';
import { answerScimError, SCIM_TYPE } from './faults.ts';
import { conditionsIn, GROUP_FIELDS, USER_FIELDS } from './filter.ts';
import { changedGroup, endGroup, type GroupWithUsers, newGroup, usersIn } from './groups.ts';
import { patchedMembers } from './patch-members.ts';
import {
  groupResource,
  projected,
  SCIM_PREFIX,
  userResource,
  wantedGroup,
  wantedUser,
} from './resources.ts';
import { checked, described, patched } from './standard.ts';
import {
  type ScimUserRow,
  selectGroupsOf,
  selectScimGroups,
  selectScimUser,
  selectScimUsers,
} from './store.ts';
import { type ScimGrant, useScimToken } from './token-store.ts';
import { changeUser, createUser, removeUser, type ScimWrites } from './users.ts';

declare module 'fastify' {
  interface FastifyRequest {
    directory: ScimGrant | null;
  }
}

export interface ScimDeps extends ScimWrites {
  origin: string;
}

const PAGE = 100;
const PAGE_MAX = 1_000;
const One = Type.Object({ id: Type.String({ maxLength: 100 }) });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function registerScim(app: App, deps: ScimDeps): Promise<void> {
  await app.register(
    async (scope: App) => {
      scope.decorateRequest('directory', null);
      scope.setErrorHandler(answerScimError);
      scope.setNotFoundHandler((request, reply) => {
        answerScimError(new HubError('not_found'), request, reply);
      });
      scope.addContentTypeParser(
        'application/scim+json',
        { parseAs: 'buffer' },
        (_request, body, done) => {
          try {
            done(null, parseJson(body as Buffer));
          } catch (error) {
            done(error as Error);
          }
        },
      );
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store').type(SCIM_TYPE);
        request.directory = await directoryOf(deps.db, request);
      });
      keepWithinTenant(scope, (request) => request.directory?.tenantId);
      registerDescriptions(scope, deps);
      registerUsersOf(scope, deps);
      registerGroupsOf(scope, deps);
    },
    { prefix: SCIM_PREFIX },
  );
}

async function directoryOf(db: Db, request: FastifyRequest): Promise<ScimGrant> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !isSecret('scim', token)) throw new HubError('invalid_scim_token');
  const found = await useScimToken(db, hashSecret(token));
  if (found === null) throw new HubError('invalid_scim_token');
  return found;
}

function grantOf(request: FastifyRequest): ScimGrant {
  if (request.directory === null) throw new HubError('invalid_scim_token');
  return request.directory;
}

function byOf(request: FastifyRequest): ByInTenant {
  const { tenantId, tokenId } = grantOf(request);
  return {
    tenantId,
    actor: { kind: 'directory', id: tokenId, email: null },
    requestId: request.id,
  };
}

/** A directory need not say which version it means. */
function versionsOf(request: FastifyRequest): readonly number[] | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  return versionsAllowed(header.replaceAll('W/', ''));
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!UUID.test(id)) throw new HubError('not_found');
  return id.toLowerCase();
}

const config = { caller: 'directory' } as const;
const about = <More extends object>(summary: string, more: More) => ({
  tags: ['scim'],
  summary,
  ...more,
});

function registerDescriptions(scope: App, { origin }: ScimDeps): void {
  scope.get(
    '/ServiceProviderConfig',
    {
      config,
      schema: about('What this SCIM service can do', { response: { 200: ScimResource } }),
    },
    async () => await one(described('ServiceProviderConfig', origin)),
  );
  for (const what of ['ResourceTypes', 'Schemas'] as const) {
    const plural = what === 'Schemas' ? 'Schemas' : 'Kinds of resources';
    scope.get(
      `/${what}`,
      { config, schema: about(`${plural} of SCIM`, { response: { 200: ScimList } }) },
      async () => {
        const all = await described(what, origin);
        return listed(Array.isArray(all) ? all : [], 1);
      },
    );
    scope.get(
      `/${what}/:id`,
      {
        config,
        schema: about(`One of the ${plural.toLowerCase()} of SCIM`, {
          params: One,
          response: { 200: ScimResource },
        }),
      },
      async (request) => await one(described(what, origin, (request.params as { id: string }).id)),
    );
  }
}

async function one(found: ReturnType<typeof described>): Promise<ScimResource> {
  const read = await found;
  if (read === null || Array.isArray(read)) throw new HubError('not_found');
  return read;
}

function listed(resources: readonly ScimResource[], startIndex: number, total?: number) {
  return {
    schemas: [SCIM.list],
    totalResults: total ?? resources.length,
    startIndex,
    itemsPerPage: resources.length,
    Resources: [...resources],
  };
}

/** As RFC 7644 has it: from 1, and never more than there may be. */
function pageOf(query: { startIndex?: string; count?: string }) {
  const startIndex = Math.max(1, Number(query.startIndex ?? 1));
  const limit = Math.min(PAGE_MAX, Math.max(0, Number(query.count ?? PAGE)));
  return { startIndex, offset: startIndex - 1, limit };
}

function registerUsersOf(scope: App, deps: ScimDeps): void {
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
      schema: about('People, by page', {
        querystring: ScimListQuery,
        response: { 200: ScimList },
      }),
    },
    async (request) => {
      const { tenantId } = grantOf(request);
      const { query } = request;
      const page = pageOf(query);
      const filter = conditionsIn(query.filter, USER_FIELDS);
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
      schema: about('Let a person sign in, as their directory says', {
        body: ScimUserInput,
        response: { 201: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const wanted = wantedUser(checked('User', request.body), null);
      const made = await resource(by.tenantId, await createUser(deps, by, wanted));
      return told(reply.code(201), made);
    },
  );
  scope.get(
    '/Users/:id',
    {
      config,
      schema: about('A person', {
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
      schema: about('A person as their directory has them', {
        params: One,
        body: ScimUserInput,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const given = checked('User', request.body);
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
      schema: about('Change a person', {
        params: One,
        body: ScimPatch,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const by = byOf(request);
      const user = await changeUser(deps, by, idOf(request), versionsOf(request), async (before) =>
        wantedUser(await patched('User', userResource(origin, before, []), request.body), before),
      );
      return told(reply, await resource(by.tenantId, user));
    },
  );
  scope.delete(
    '/Users/:id',
    {
      config,
      schema: about('A person who is no longer in the directory', {
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

function registerGroupsOf(scope: App, deps: ScimDeps): void {
  const { db, origin } = deps;
  const resource = ({ group, members }: GroupWithUsers) => groupResource(origin, group, members);
  scope.get(
    '/Groups',
    {
      config,
      schema: about('Groups of people, by page', {
        querystring: ScimListQuery,
        response: { 200: ScimList },
      }),
    },
    async (request) => {
      const { tenantId } = grantOf(request);
      const { query } = request;
      const page = pageOf(query);
      const filter = conditionsIn(query.filter, GROUP_FIELDS);
      const { groups, total } = await selectScimGroups(db, tenantId, filter, page);
      const all = await usersIn(db, tenantId, groups);
      return listed(
        all.map((group) => projected(resource(group), query)),
        page.startIndex,
        total,
      );
    },
  );
  scope.post(
    '/Groups',
    {
      config,
      schema: about('Make a group of people, as their directory says', {
        body: ScimGroupInput,
        response: { 201: ScimResource },
      }),
    },
    async (request, reply) => {
      const wanted = wantedGroup(checked('Group', request.body));
      return told(reply.code(201), resource(await newGroup(deps, byOf(request), wanted)));
    },
  );
  scope.get(
    '/Groups/:id',
    {
      config,
      schema: about('A group of people', {
        params: One,
        querystring: ScimOneQuery,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const { tenantId } = grantOf(request);
      const filter = [[{ field: 'id', operator: 'eq', value: idOf(request) } as const]];
      const { groups } = await selectScimGroups(db, tenantId, filter, { offset: 0, limit: 1 });
      const [found] = await usersIn(db, tenantId, groups);
      if (found === undefined) throw new HubError('not_found');
      return told(reply, resource(found), request.query);
    },
  );
  scope.put(
    '/Groups/:id',
    {
      config,
      schema: about('A group as its directory has it', {
        params: One,
        body: ScimGroupInput,
        response: { 200: ScimResource },
      }),
    },
    async (request, reply) => {
      const wanted = wantedGroup(checked('Group', request.body));
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
      schema: about('Change a group', {
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
      schema: about('A group that is no longer in the directory', {
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

interface Headed {
  header(name: string, value: string): unknown;
}

/** With where it stands and its version, which clients may send again. */
function told(reply: Headed, resource: ScimResource, query = {}): ScimResource {
  const { location, version } = resource.meta as { location: string; version: string };
  reply.header('location', location);
  reply.header('etag', version);
  return projected(resource, query);
}
