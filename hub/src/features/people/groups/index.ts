// User groups: sets of people by e-mail address, each with an optional role that its members have at least.
// Main types: `GroupRow` (stored), `GroupChange` (what a caller changes), `GroupDependents` (who uses groups).
// Invariants: an address is in a group once, folded; a change of members or role applies the roles in one transaction.
// Depends on identity for roles. MCP access policies and SCIM depend on this room.
// Start reading at write.ts, then store.ts.
import {
  type PeopleGroup,
  PeopleGroupAnswer,
  PeopleGroupInput,
  PeopleGroupList,
  PeopleGroupParams,
  PeopleGroupPatch,
  PeopleGroupQuery,
} from '@gatewarden/shared/wire/console/people-groups.ts';
import type { FastifyRequest } from 'fastify';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { type GroupRow, selectGroup, selectGroups, selectMembersOf } from './store.ts';
import {
  type ByInTenant,
  changeGroup,
  createGroup,
  emailsOf,
  type GroupDependents,
  type LockedGroup,
  lockGroupAndRoles,
  removeGroup,
} from './write.ts';

export {
  renameMember,
  selectGroup as selectPeopleGroup,
  selectGroupSizes,
  selectGroupsOfMember,
  selectMembersOf,
  selectNamesByMember,
} from './store.ts';
export * from './write.ts';

export interface PeopleGroupDeps extends GroupDependents {
  db: Db;
  cursors: CursorSealer;
}

const GROUP_PATH = '/people-groups/:people_group_id';

/** Registers the user groups of a tenant. */
export function registerPeopleGroups(app: App, deps: PeopleGroupDeps): void {
  registerGroupReads(app, deps);
  registerGroupCreation(app, deps);
  registerGroupChanges(app, deps);
}

function registerGroupReads(app: App, { db, cursors }: PeopleGroupDeps): void {
  app.get(
    '/people-groups',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['people'],
        summary: 'List user groups',
        querystring: PeopleGroupQuery,
        response: { 200: PeopleGroupList },
      },
    },
    async (request) =>
      loadPage(request, {
        cursors,
        list: 'people-groups',
        fetch: async (tenantId, after, limit) => {
          const groups = await selectGroups(db, tenantId, after, limit);
          const ids = groups.map((group) => group.group_id);
          const members = await selectMembersOf(db, tenantId, ids);
          return groups.map((group) => ({
            ...group,
            members: members.filter((member) => member.group_id === group.group_id).length,
          }));
        },
        keyOf: (group) => [group.name_folded, group.group_id],
        item: (group) => toPeopleGroup(group, group.members),
      }),
  );
  app.get(
    GROUP_PATH,
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['people'],
        summary: 'Get a user group',
        params: PeopleGroupParams,
        response: { 200: PeopleGroupAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const group = await selectGroup(db, tenantId, request.params.people_group_id);
      if (group === null) throw new HubError('not_found');
      reply.header('etag', etagOf(group.version));
      return {
        group: toPeopleGroup(group, await emailsOf(db, tenantId, group.group_id)),
        request_id: request.id,
      };
    },
  );
}

function registerGroupCreation(app: App, { db }: PeopleGroupDeps): void {
  app.post(
    '/people-groups',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['people'],
        summary: 'Create a user group',
        body: PeopleGroupInput,
        response: { 201: PeopleGroupAnswer },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, name: requireName(request.body.name) };
      const { group, emails } = await transact(db, (tx) => createGroup(tx, byOf(request), input));
      reply.header('etag', etagOf(group.version));
      return reply.code(201).send({ group: toPeopleGroup(group, emails), request_id: request.id });
    },
  );
}

function registerGroupChanges(app: App, deps: PeopleGroupDeps): void {
  const { db } = deps;
  app.patch(
    GROUP_PATH,
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['people'],
        summary: 'Update a user group',
        params: PeopleGroupParams,
        headers: IfMatch,
        body: PeopleGroupPatch,
        response: { 200: PeopleGroupAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { name } = request.body;
      const change = {
        ...request.body,
        ...(name === undefined ? {} : { name: requireName(name) }),
      };
      const { group, emails } = await transact(db, async (tx) =>
        changeGroup(deps, tx, byOf(request), await lockRequestedGroup(tx, request), change),
      );
      deps.invalidate(tenantId);
      reply.header('etag', etagOf(group.version));
      return { group: toPeopleGroup(group, emails), request_id: request.id };
    },
  );
  app.delete(
    GROUP_PATH,
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['people'],
        summary: 'Delete a user group',
        params: PeopleGroupParams,
        headers: IfMatch,
        response: { 200: PeopleGroupAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const deleted = await transact(db, async (tx) =>
        removeGroup(deps, tx, byOf(request), await lockRequestedGroup(tx, request)),
      );
      deps.invalidate(tenantId);
      return { group: toPeopleGroup(deleted, 0), request_id: request.id };
    },
  );
}

async function lockRequestedGroup(tx: Tx, request: FastifyRequest): Promise<LockedGroup> {
  const { people_group_id: id } = request.params as { people_group_id: string };
  const locked = await lockGroupAndRoles(tx, personOf(request).tenantId, id);
  requireMatch(request.headers['if-match'], locked.group.version);
  return locked;
}

function byOf(request: FastifyRequest): ByInTenant {
  const person = personOf(request);
  return { tenantId: person.tenantId, actor: actorOf(person), requestId: request.id };
}

function requireName(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

function toPeopleGroup(row: GroupRow, members: readonly string[] | number): PeopleGroup {
  return {
    people_group_id: row.group_id,
    name: row.name,
    description: row.description,
    role: row.role,
    member_count: typeof members === 'number' ? members : members.length,
    ...(typeof members === 'number' ? {} : { members: [...members] }),
    version: etagOf(row.version),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
