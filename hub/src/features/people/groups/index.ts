// C/people-groups: groups of people, by e-mail address. What they are good for is decided by those who name them.
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
  type GroupUses,
  type HeldGroup,
  holdGroup,
  removeGroup,
} from './write.ts';

export {
  renameMember,
  selectGroup as selectPeopleGroup,
  selectGroupsOfMember,
  selectMembersOf,
  selectNamesByMember,
} from './store.ts';
export * from './write.ts';

export interface PeopleGroupDeps extends GroupUses {
  db: Db;
  cursors: CursorSealer;
}

export function registerPeopleGroups(app: App, deps: PeopleGroupDeps): void {
  const { db, cursors } = deps;
  const at = '/people-groups/:people_group_id';
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
          const found = await selectGroups(db, tenantId, after, limit);
          const ids = found.map((one) => one.group_id);
          const members = await selectMembersOf(db, tenantId, ids);
          return found.map((one) => ({
            ...one,
            members: members.filter((member) => member.group_id === one.group_id).length,
          }));
        },
        keyOf: (one) => [one.name_folded, one.group_id],
        item: (one) => wire(one, one.members),
      }),
  );
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
      const wanted = { ...request.body, name: nameOf(request.body.name) };
      const { group, emails } = await transact(db, (tx) => createGroup(tx, byOf(request), wanted));
      reply.header('etag', etagOf(group.version));
      return reply.code(201).send({ group: wire(group, emails), request_id: request.id });
    },
  );
  app.get(
    at,
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
      const found = await selectGroup(db, tenantId, request.params.people_group_id);
      if (found === null) throw new HubError('not_found');
      reply.header('etag', etagOf(found.version));
      return {
        group: wire(found, await emailsOf(db, tenantId, found.group_id)),
        request_id: request.id,
      };
    },
  );
  app.patch(
    at,
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
      const sent = { ...request.body, ...(name === undefined ? {} : { name: nameOf(name) }) };
      const { group, emails } = await transact(db, async (tx) =>
        changeGroup(deps, tx, byOf(request), await existing(tx, request), sent),
      );
      deps.forget(tenantId);
      reply.header('etag', etagOf(group.version));
      return { group: wire(group, emails), request_id: request.id };
    },
  );
  app.delete(
    at,
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
      const gone = await transact(db, async (tx) =>
        removeGroup(deps, tx, byOf(request), await existing(tx, request)),
      );
      deps.forget(tenantId);
      return { group: wire(gone, 0), request_id: request.id };
    },
  );
}

async function existing(tx: Tx, request: FastifyRequest): Promise<HeldGroup> {
  const { people_group_id: id } = request.params as { people_group_id: string };
  const held = await holdGroup(tx, personOf(request).tenantId, id);
  requireMatch(request.headers['if-match'], held.group.version);
  return held;
}

function byOf(request: FastifyRequest): ByInTenant {
  const person = personOf(request);
  return { tenantId: person.tenantId, actor: actorOf(person), requestId: request.id };
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

function wire(row: GroupRow, members: readonly string[] | number): PeopleGroup {
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
