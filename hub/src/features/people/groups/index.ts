// C/people-groups: groups of people, by e-mail address. What they are good for is decided by those who name them.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
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
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/etag.ts';
import {
  deleteGroup,
  type GroupRow,
  insertGroup,
  isNameTaken,
  replaceMembers,
  selectGroup,
  selectGroups,
  selectMembersOf,
  updateGroup,
} from './store.ts';

export { eraseMember, selectGroup as selectPeopleGroup, selectMembersOf } from './store.ts';

export interface PeopleGroupDeps {
  db: Db;
  cursors: CursorSealer;
  /** What would end silently, because its group is gone. */
  isInUse(tx: Tx, tenantId: string, groupId: string): Promise<boolean>;
  /** Who is in a group has changed; in every process when the transaction commits. */
  changed(tx: Tx, tenantId: string): Promise<void>;
  /** The same, in this process, at once. */
  forget(tenantId: string): void;
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
        summary: 'Groups of people',
        querystring: PeopleGroupQuery,
        response: { 200: PeopleGroupList },
      },
    },
    async (request) =>
      answerList(request, {
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
        summary: 'Make a group of people',
        body: PeopleGroupInput,
        response: { 201: PeopleGroupAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { description = '', members = [] } = request.body;
      const name = nameOf(request.body.name);
      const emails = foldedOnce(members);
      const made = await transact(db, async (tx) => {
        const group = await insertGroup(tx, tenantId, {
          group_id: randomUUID(),
          name,
          name_folded: foldName(name),
          description,
        });
        if (group === null) throw taken();
        await replaceMembers(tx, tenantId, group.group_id, emails);
        await told(tx, request, 'create', group, { name, members: named(emails) });
        return group;
      });
      reply.header('etag', etagOf(made.version));
      return reply.code(201).send({ group: wire(made, emails), request_id: request.id });
    },
  );
  app.get(
    at,
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['people'],
        summary: 'A group of people',
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
        summary: 'Change a group of people',
        params: PeopleGroupParams,
        headers: IfMatch,
        body: PeopleGroupPatch,
        response: { 200: PeopleGroupAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { group, emails } = await transact(db, (tx) => patch(deps, tx, request, request.body));
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
        summary: 'Delete a group of people',
        params: PeopleGroupParams,
        headers: IfMatch,
        response: { 200: PeopleGroupAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const gone = await transact(db, async (tx) => {
        const before = await existing(tx, request);
        if (await deps.isInUse(tx, tenantId, before.group_id)) {
          throw new HubError('group_in_use', 'Rules of the MCP gateway name this group.');
        }
        const deleted = await deleteGroup(tx, tenantId, before);
        if (deleted === null) throw new HubError('precondition_failed');
        await told(tx, request, 'delete', deleted, { name: deleted.name });
        await deps.changed(tx, tenantId);
        return deleted;
      });
      deps.forget(tenantId);
      return { group: wire(gone, 0), request_id: request.id };
    },
  );
}

async function patch(
  deps: PeopleGroupDeps,
  tx: Tx,
  request: FastifyRequest,
  sent: PeopleGroupPatch,
): Promise<{ group: GroupRow; emails: string[] }> {
  const { tenantId } = personOf(request);
  const before = await existing(tx, request);
  const were = await emailsOf(tx, tenantId, before.group_id);
  const name = sent.name === undefined ? before.name : nameOf(sent.name);
  const description = sent.description ?? before.description;
  const emails = sent.members === undefined ? were : foldedOnce(sent.members);
  const isSame =
    name === before.name &&
    description === before.description &&
    JSON.stringify(emails) === JSON.stringify(were);
  if (isSame) return { group: before, emails };
  const folded = foldName(name);
  if (await isNameTaken(tx, tenantId, folded, before.group_id)) throw taken();
  const group = await updateGroup(tx, tenantId, before, { name, name_folded: folded, description });
  if (group === null) throw new HubError('precondition_failed');
  await replaceMembers(tx, tenantId, group.group_id, emails);
  await told(tx, request, 'update', group, {
    name,
    description,
    added: named(emails.filter((one) => !were.includes(one))),
    removed: named(were.filter((one) => !emails.includes(one))),
  });
  await deps.changed(tx, tenantId);
  return { group, emails };
}

async function existing(tx: Tx, request: FastifyRequest): Promise<GroupRow> {
  const { people_group_id: id } = request.params as { people_group_id: string };
  const found = await selectGroup(tx, personOf(request).tenantId, id);
  if (found === null) throw new HubError('not_found');
  requireMatch(request.headers['if-match'], found.version);
  return found;
}

async function emailsOf(db: Db, tenantId: string, groupId: string): Promise<string[]> {
  return (await selectMembersOf(db, tenantId, [groupId])).map((one) => one.email_folded).sort();
}

const foldedOnce = (emails: readonly string[]) => [...new Set(emails.map(foldName))].sort();

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

const taken = () => new HubError('already_exists', '/name is taken by another group.');

/** As the audit trail names people: by a field of its own, so that one can be forgotten. */
const named = (emails: readonly string[]) => emails.map((email) => ({ email }));

const told = async (
  tx: Tx,
  request: FastifyRequest,
  verb: 'create' | 'update' | 'delete',
  group: GroupRow,
  detail: object,
) => {
  // Its pages are among those of the MCP gateway, whose rules name groups.
  await notify(tx, { kind: 'page', tenant: personOf(request).tenantId, topic: 'mcp' });
  await recordByPerson(tx, request, {
    operation: `people_group.${verb}`,
    resource: { kind: 'people_group', id: group.group_id },
    detail,
  });
};

function wire(row: GroupRow, members: readonly string[] | number): PeopleGroup {
  return {
    people_group_id: row.group_id,
    name: row.name,
    description: row.description,
    member_count: typeof members === 'number' ? members : members.length,
    ...(typeof members === 'number' ? {} : { members: [...members] }),
    version: etagOf(row.version),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
