// Users have additional roles by their groups, from manual and directory groups, until they leave.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aPerson,
  type CookieBrowser,
  type Person,
  signInAs,
} from '../../../../../test/support/cookie-browser.ts';
import { eventsOf, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { scimCall } from '../../../../../test/support/scim.ts';
import { createUser } from '../identity/index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
  await aPerson(hub, 'Admin');
});
afterAll(() => hub.stop());

type Over = { tenantId?: string; token?: string };

async function aGroup(body: object, over: Over = {}) {
  const named = { name: `Group ${randomUUID()}`, ...body };
  const made = await hub.console('POST', '/people-groups', { ...over, body: named });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.group;
}

async function changed(method: 'PATCH' | 'DELETE', path: string, body?: object, over: Over = {}) {
  const { headers } = await hub.console('GET', path, over);
  const sent = { ...over, headers: { 'if-match': headers.get('etag') ?? '' } };
  return hub.console(method, path, body === undefined ? sent : { ...sent, body });
}
const groupAt = (group: { people_group_id: string }) => `/people-groups/${group.people_group_id}`;

async function rolesOf(user: { userId: string }, over: Over = {}) {
  const { body } = await hub.console('GET', `/users/${user.userId}`, over);
  return [body.user.role, body.user.given_role];
}

async function seesUsers(browser: CookieBrowser) {
  const { status } = await browser.request(`/console/api/v1/tenants/${hub.tenantId}/users`);
  return status;
}

const lastEvent = async (resourceId: string) => (await eventsOf(hub, resourceId)).at(-1);

describe('group with a role', () => {
  it('raises the role of members from their next request until they leave', async () => {
    const user = await aPerson(hub, 'Viewer');
    const { browser } = await signInAs(hub, user);
    expect(await seesUsers(browser)).toBe(403);
    const group = await aGroup({ role: 'Admin', members: [user.email.toUpperCase()] });
    expect(group.role).toBe('Admin');
    expect(await rolesOf(user)).toEqual(['Admin', 'Viewer']);
    expect(await seesUsers(browser)).toBe(200);
    expect(await lastEvent(group.people_group_id)).toMatchObject({
      operation: 'people_group.create',
      detail: { role: 'Admin', roles: [{ email: user.email, before: 'Viewer', after: 'Admin' }] },
    });
    await changed('PATCH', groupAt(group), { members: [] });
    expect(await rolesOf(user)).toEqual(['Viewer', 'Viewer']);
    expect(await seesUsers(browser)).toBe(403);
    expect(await lastEvent(group.people_group_id)).toMatchObject({
      operation: 'people_group.update',
      detail: { roles: [{ email: user.email, before: 'Admin', after: 'Viewer' }] },
    });
  });

  it("applies the highest role, never less than the user's own", async () => {
    const user = await aPerson(hub, 'Reviewer');
    const members = [user.email];
    await aGroup({ role: 'Viewer', members });
    expect(await rolesOf(user)).toEqual(['Reviewer', 'Reviewer']);
    const admins = await aGroup({ role: 'Admin', members });
    const others = await aGroup({ members });
    expect(await rolesOf(user)).toEqual(['Admin', 'Reviewer']);
    await changed('PATCH', groupAt(others), { role: 'Admin' });
    await changed('DELETE', groupAt(admins));
    expect(await rolesOf(user)).toEqual(['Admin', 'Reviewer']);
    await changed('PATCH', groupAt(others), { role: null });
    expect(await rolesOf(user)).toEqual(['Reviewer', 'Reviewer']);
    expect(await lastEvent(others.people_group_id)).toMatchObject({
      detail: { role: { before: 'Admin', after: null } },
    });
  });

  it("keeps the group's role when the user's own role changes", async () => {
    const user = await aPerson(hub, 'Viewer');
    const group = await aGroup({ role: 'Reviewer', members: [user.email] });
    const lower = await changed('PATCH', `/users/${user.userId}`, { role: 'Member' });
    expect(lower.body.user).toMatchObject({ role: 'Reviewer', given_role: 'Member' });
    expect(lower.headers.get('etag')).toBe(lower.body.user.version);
    expect(await lastEvent(user.userId)).toMatchObject({
      operation: 'user.role',
      detail: {
        before: { role: 'Reviewer', given_role: 'Viewer' },
        after: { role: 'Reviewer', given_role: 'Member' },
      },
    });
    const out = await changed('PATCH', `/users/${user.userId}`, { disabled: true });
    expect(out.body.user).toMatchObject({ role: 'Reviewer', given_role: 'Member' });
    await changed('PATCH', groupAt(group), { role: null });
    expect(await rolesOf(user)).toEqual(['Member', 'Member']);
  });

  it('applies to members who sign in for the first time', async () => {
    const email = `later-${randomUUID()}@example.com`;
    await aGroup({ role: 'Reviewer', members: [email] });
    await createUser(hub.context.database.db, {
      tenantId: hub.tenantId,
      email,
      role: 'Viewer',
      password: null,
    });
    const { body } = await hub.console('GET', `/users?query=${encodeURIComponent(email)}`);
    expect(body.items[0]).toMatchObject({ role: 'Reviewer', given_role: 'Viewer' });
  });

  it("protects the last administrator's group and its role", async () => {
    const other = await hub.newTenant('Lifted');
    const over = { tenantId: other.tenantId, token: other.adminToken };
    const user = await aPerson(hub, 'Viewer', other.tenantId);
    const group = await aGroup({ role: 'Admin', members: [user.email] }, over);
    expect(await rolesOf(user, over)).toEqual(['Admin', 'Viewer']);
    const refused = [
      await changed('PATCH', groupAt(group), { role: 'Reviewer' }, over),
      await changed('PATCH', groupAt(group), { members: [] }, over),
      await changed('DELETE', groupAt(group), undefined, over),
      await changed('PATCH', `/users/${user.userId}`, { disabled: true }, over),
    ];
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual(
      Array.from({ length: 4 }, () => [409, 'last_administrator']),
    );
    expect(await rolesOf(user, over)).toEqual(['Admin', 'Viewer']);
    // The assigned role may end: the group keeps the user an administrator.
    const given = await changed('PATCH', `/users/${user.userId}`, { role: 'Member' }, over);
    expect(given.body.user).toMatchObject({ role: 'Admin', given_role: 'Member' });
  });

  it('rejects a role that raises nothing', async () => {
    for (const role of ['Member', 'Owner', '', 3]) {
      const { status } = await hub.console('POST', '/people-groups', {
        body: { name: `Group ${randomUUID()}`, role },
      });
      expect(status, String(role)).toBe(400);
    }
  });

  it('applies a hundred simultaneous changes together', async () => {
    const people: Person[] = [];
    for (let i = 0; i < 6; i++) people.push(await aPerson(hub, 'Viewer'));
    const groups = [await aGroup({ role: 'Reviewer' }), await aGroup({ role: 'Admin' })];
    const patchOnce = async (i: number) => {
      const group = groups[i % 2] as { people_group_id: string };
      const user = people[i % 6] as Person;
      const members = people.filter((_, n) => (n + i) % 3 !== 0).map((each) => each.email);
      const answer =
        i % 5 === 0
          ? await changed('PATCH', `/users/${user.userId}`, {
              role: i % 2 === 0 ? 'Member' : 'Viewer',
            })
          : await changed('PATCH', groupAt(group), { members });
      return answer.status;
    };
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, i) => patchOnce(i)));
    expect(statuses.filter((status) => status !== 200 && status !== 412)).toEqual([]);
    const members = await Promise.all(
      groups.map(
        async (group) => (await hub.console('GET', groupAt(group))).body.group.members as string[],
      ),
    );
    for (const user of people) {
      const [role, given] = await rolesOf(user);
      const [reviewers = [], admins = []] = members;
      const lifted = admins.includes(user.email)
        ? 'Admin'
        : reviewers.includes(user.email)
          ? 'Reviewer'
          : given;
      expect(role).toBe(lifted);
    }
  });
});

describe('directory', () => {
  it('raises and lowers roles by its groups, and returns its own values', async () => {
    const issued = await hub.console('POST', '/scim-tokens', {
      body: { name: 'directory', expires_in_days: 30 },
    });
    const at = { url: hub.url, secret: issued.body.secret };
    const scim = (method: string, path: string, body?: object) => scimCall(at, method, path, body);
    const userName = `d-${randomUUID()}@example.com`;
    const user = (
      await scim('POST', '/Users', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName,
        roles: [{ value: 'Viewer' }],
      })
    ).body;
    const group = (
      await scim('POST', '/Groups', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: `Security ${randomUUID()}`,
        members: [],
      })
    ).body;
    const given = await changed('PATCH', `/people-groups/${group.id}`, { role: 'Admin' });
    expect(given.body.group.role).toBe('Admin');
    const members = (op: string) =>
      scim('PATCH', `/Groups/${group.id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op, path: 'members', value: [{ value: user.id }] }],
      });
    await members('add');
    expect(await rolesOf({ userId: user.id })).toEqual(['Admin', 'Viewer']);
    // A directory that writes back what it read makes nobody an administrator for good.
    const read = await scim('GET', `/Users/${user.id}`);
    expect(read.body.roles).toMatchObject([{ value: 'Viewer' }]);
    const put = await scim('PUT', `/Users/${user.id}`, { ...read.body, displayName: 'Dora' });
    expect(put.status).toBe(200);
    expect(await rolesOf({ userId: user.id })).toEqual(['Admin', 'Viewer']);
    expect(put.body.meta.version).toBe((await scim('GET', `/Users/${user.id}`)).body.meta.version);
    await members('remove');
    expect(await rolesOf({ userId: user.id })).toEqual(['Viewer', 'Viewer']);
    await members('add');
    expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(204);
    const again = await scim('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
    });
    expect(again.status).toBe(201);
    const [role] = await rolesOf({ userId: again.body.id });
    expect(role).not.toBe('Admin');
  });
});
