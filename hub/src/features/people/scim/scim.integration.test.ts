// A company's directory provisions users and groups with the requests of well-known directories.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { scimCall } from '../../../../../test/support/scim.ts';

let hub: TestHub;
let token: string;
beforeAll(async () => {
  hub = await sharedTestHub();
  token = await aToken();
});
afterAll(() => hub.stop());

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

async function aToken(over: object = {}): Promise<string> {
  const body = { name: 'directory', expires_in_days: 30 };
  const made = await hub.console('POST', '/scim-tokens', { body, ...over });
  expect(made.status).toBe(201);
  return made.body.secret;
}

function scim(
  method: string,
  path: string,
  body?: object,
  more: { secret?: string; headers?: Record<string, string> } = {},
) {
  const at = { url: hub.url, secret: more.secret ?? token };
  return scimCall(at, method, path, body, more.headers);
}

const name = () => `p${randomUUID().slice(0, 8)}@example.com`;
const patch = (id: string, Operations: object[], kind = 'Users') =>
  scim('PATCH', `/${kind}/${id}`, { schemas: [PATCH], Operations });
async function aUser(more: object = {}) {
  const made = await scim('POST', '/Users', { schemas: [USER], userName: name(), ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}
const found = (filter: string, kind = 'Users') =>
  scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`);
async function memberOf(email: string) {
  const { body } = await hub.console('GET', `/users?query=${encodeURIComponent(email)}`);
  return body.items[0];
}

describe('SCIM user', () => {
  it('creates, finds, changes and deactivates a user with the requests of Okta', async () => {
    const userName = name();
    expect((await found(`userName eq "${userName}"`)).body).toMatchObject({ totalResults: 0 });
    const made = await scim('POST', '/Users', {
      schemas: [USER],
      userName,
      name: { givenName: 'Ada', familyName: 'Byron' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Ada Byron',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: 'never kept',
      active: true,
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('content-type')).toContain('application/scim+json');
    expect(made.headers.get('location')).toBe(`${hub.url}/scim/v2/Users/${made.body.id}`);
    expect(made.body).toMatchObject({
      userName,
      externalId: '00u1',
      displayName: 'Ada Byron',
      name: { givenName: 'Ada', familyName: 'Byron' },
      active: true,
      roles: [{ value: 'Member' }],
      meta: { resourceType: 'User', version: 'W/"1"' },
    });
    expect(JSON.stringify(made.body)).not.toContain('never kept');
    const again = await found(`userName eq "${userName.toUpperCase()}"`);
    expect(again.body).toMatchObject({ totalResults: 1, Resources: [{ id: made.body.id }] });
    expect(await memberOf(userName)).toMatchObject({ role: 'Member', state: 'enabled' });

    const put = await scim('PUT', `/Users/${made.body.id}`, {
      ...made.body,
      roles: [{ value: 'reviewer' }],
    });
    expect([put.status, put.body.roles[0].value]).toEqual([200, 'Reviewer']);
    const off = await patch(made.body.id, [{ op: 'replace', value: { active: false } }]);
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect(await memberOf(userName)).toMatchObject({ role: 'Reviewer', state: 'disabled' });
  });

  it('accepts requests of Entra: booleans as words, paths with filters, operations in any case', async () => {
    const user = await aUser({ externalId: 'e-1' });
    expect((await found('externalId eq "e-1"')).body.Resources).toHaveLength(1);
    const moved = name();
    const after = await patch(user.id, [
      { op: 'Replace', path: 'userName', value: moved },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: moved },
      { op: 'Add', path: 'name.givenName', value: 'Grace' },
      { op: 'Add', path: 'roles', value: [{ value: 'Viewer' }] },
      { op: 'Replace', path: 'active', value: 'False' },
    ]);
    expect(after.body, JSON.stringify(after.body)).toMatchObject({
      userName: moved,
      emails: [{ value: moved }],
      name: { givenName: 'Grace' },
      roles: [{ value: 'Viewer' }],
      active: false,
    });
    const gone = await scim('DELETE', `/Users/${user.id}`);
    expect(gone.status).toBe(204);
    expect((await scim('GET', `/Users/${user.id}`)).status).toBe(404);
    expect((await found(`userName eq "${moved}"`)).body.totalResults).toBe(0);
    // A returning user has the former id.
    const back = await scim('POST', '/Users', { userName: moved });
    expect([back.status, back.body.id, back.body.active]).toEqual([201, user.id, true]);
    expect(back.body.name).toBeUndefined();
  });

  it('takes over a user that an administrator added', async () => {
    const email = name();
    await hub.context.database.pool.query(
      `INSERT INTO members (tenant_id, user_id, email, email_folded, role)
       VALUES ($1, gen_random_uuid(), $2, $2, 'Viewer')`,
      [hub.tenantId, email],
    );
    const [known] = (await found(`userName eq "${email}"`)).body.Resources;
    expect((await scim('POST', '/Users', { userName: email })).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
    const put = await scim('PUT', `/Users/${known.id}`, { userName: email, externalId: 'x-9' });
    expect(put.body).toMatchObject({ externalId: 'x-9', roles: [{ value: 'Viewer' }] });
  });

  it('ignores attributes that are not stored', async () => {
    const user = await aUser({
      schemas: [USER, ENTERPRISE],
      addresses: [{ type: 'work', formatted: 'x' }],
      [ENTERPRISE]: { department: 'Sales' },
    });
    const after = await patch(user.id, [
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Replace', path: 'phoneNumbers[type eq "work"].value', value: '1' },
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'x' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' },
      { op: 'Replace', path: `${USER}:active`, value: 'False' },
    ]);
    expect([after.status, after.body.active, after.body.emails]).toEqual([200, false, user.emails]);
    const back = { active: 'True', [`${ENTERPRISE}:employeeNumber`]: '7' };
    const on = await patch(user.id, [{ op: 'replace', value: back }]);
    expect([on.status, on.body.active]).toEqual([200, true]);
    const enabled = await found(`userName eq "${user.userName}" and active eq True`);
    expect(enabled.body.totalResults).toBe(1);
  });

  it.each([
    [{ op: 'Add', path: 'roles', value: [{ value: 'Viewer', primary: true }] }, 'Viewer'],
    [{ op: 'add', value: { roles: [{ value: 'Viewer' }] } }, 'Viewer'],
    [{ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Viewer' }, 'Viewer'],
    [{ op: 'Remove', path: 'roles' }, 'Member'],
    [{ op: 'Remove', path: 'roles[value eq "Reviewer"]' }, 'Member'],
    [{ op: 'replace', path: 'displayName', value: 'x' }, 'Reviewer'],
  ])('changes a Reviewer after %j to a %s', async (operation, role) => {
    const user = await aUser({ roles: [{ value: 'Reviewer' }] });
    const after = await patch(user.id, [operation]);
    expect([after.status, after.body.roles]).toEqual([200, [{ value: role, primary: true }]]);
  });

  it('keeps an address other than the user name when a PUT omits it', async () => {
    const [userName, mail] = [name(), name()];
    const user = await aUser({ userName, emails: [{ value: mail, primary: true }] });
    const put = await scim('PUT', `/Users/${user.id}`, { userName });
    expect(put.body.emails).toMatchObject([{ value: mail }]);
    const taken = await scim('POST', '/Users', { userName: mail });
    expect(taken.body.scimType).toBe('uniqueness');
  });

  it('creates a single user of several simultaneous requests with the same name', async () => {
    const users = await Promise.all([aUser(), aUser(), aUser()]);
    const wanted = name();
    const renamed = await Promise.all(
      users.map((user) => patch(user.id, [{ op: 'replace', path: 'userName', value: wanted }])),
    );
    expect(renamed.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
  });

  it('deletes a user with everything that the directory sent', async () => {
    const user = await aUser({ displayName: 'Ada Byron', externalId: 'f-1' });
    const path = `/people/${encodeURIComponent(user.userName)}/erase`;
    const erased = await hub.console('POST', path);
    expect(erased.status, JSON.stringify(erased.body)).toBe(200);
    const { rows } = await hub.context.database.pool.query(
      'SELECT user_name, external_id, profile FROM members WHERE user_id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ user_name: null, external_id: null, profile: null }]);
  });

  it('keeps the last administrator', async () => {
    const { tenantId, adminToken } = await hub.newTenant('Small');
    const secret = await aToken({ tenantId, token: adminToken });
    const roles = [{ value: 'Admin' }];
    const { body } = await scim('POST', '/Users', { userName: name(), roles }, { secret });
    const at = `/Users/${body.id}`;
    const Operations = [{ op: 'replace', path: 'active', value: false }];
    expect((await scim('DELETE', at, undefined, { secret })).status).toBe(409);
    expect((await scim('PATCH', at, { Operations }, { secret })).status).toBe(409);
    expect((await scim('GET', at, undefined, { secret })).body.active).toBe(true);
  });

  it.each([
    [{ userName: 'not an address' }, 'invalidValue'],
    [{ userName: name(), roles: [{ value: 'Emperor' }] }, 'invalidValue'],
    [{ userName: 5 }, 'invalidValue'],
    [{ emails: [{ value: 'a@b.c' }] }, 'invalidValue'],
    [{ userName: name(), active: 'perhaps' }, 'invalidValue'],
  ])('rejects %j', async (body, scimType) => {
    const answer = await scim('POST', '/Users', body);
    expect([answer.status, answer.body.scimType]).toEqual([400, scimType]);
  });

  it.each([
    [[{ op: 'replace', path: 'nonsense', value: 'x' }], 'invalidPath'],
    [[{ op: 'twist', path: 'active', value: true }], /invalid/],
    [[{ op: 'remove' }], /noTarget|invalid/],
    [[{ op: 'replace', path: 'userName', value: '' }], /invalid/],
  ])('rejects the PATCH %j without a change', async (operations, scimType) => {
    const user = await aUser();
    const answer = await patch(user.id, operations);
    expect([answer.status, answer.body.scimType]).toEqual([400, expect.stringMatching(scimType)]);
    expect((await scim('GET', `/Users/${user.id}`)).body).toEqual(user);
  });

  it('requires the version that the directory sends', async () => {
    const user = await aUser();
    const headers = { 'if-match': user.meta.version };
    const write = () =>
      scim(
        'PUT',
        `/Users/${user.id}`,
        { userName: user.userName, displayName: randomUUID() },
        { headers },
      );
    expect([(await write()).status, (await write()).status]).toEqual([200, 412]);
  });
});

describe('SCIM list', () => {
  it('returns pages with the total, and without excluded attributes', async () => {
    const mark = randomUUID().slice(0, 8);
    for (let i = 0; i < 3; i++) await aUser({ userName: `${mark}-${i}@example.com` });
    const filter = `filter=${encodeURIComponent(`userName sw "${mark}"`)}`;
    const page = await scim('GET', `/Users?${filter}&startIndex=2&count=1&attributes=userName`);
    expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect(page.body.Resources).toEqual([
      { schemas: [USER], id: expect.any(String), userName: `${mark}-1@example.com` },
    ]);
    expect((await scim('GET', `/Users?${filter}&count=0`)).body).toMatchObject({
      totalResults: 3,
      Resources: [],
    });
    const both = `(userName eq "${mark}-0@example.com" or emails[type eq "work"].value eq "${mark}-2@example.com") and active eq true`;
    expect((await found(both)).body.totalResults).toBe(2);
  });

  it('rejects a filter that expands excessively', async () => {
    const user = await aUser();
    for (const joint of [' and ', ' or ']) {
      const filter = Array.from({ length: 30 }, () => '(id pr or id pr)').join(joint);
      expect((await found(filter)).body.scimType).toBe('invalidFilter');
      const path = `emails[${filter.slice(0, 380)}].value`;
      const answer = await patch(user.id, [{ op: 'replace', path, value: 'x' }]);
      expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidPath']);
    }
    const many = Array.from({ length: 30 }, (_, i) => `id eq "${i}"`).join(' or ');
    expect((await found(many)).body.totalResults).toBe(0);
  });

  it.each([
    'foo',
    'members.value eq "x"',
    'userName gt "a"',
    'userName eq 5',
    'not (userName eq "a")',
  ])('rejects the filter %s', async (filter) => {
    expect((await found(filter)).body).toMatchObject({ status: '400', scimType: 'invalidFilter' });
  });
});

describe('SCIM group', () => {
  it('adds and removes members in every form of the directories', async () => {
    const [ada, bob, eve] = [await aUser(), await aUser(), await aUser()];
    const displayName = `G ${randomUUID()}`;
    const made = await scim('POST', '/Groups', {
      displayName,
      externalId: 'g-1',
      members: [{ value: ada.id, display: 'x' }],
    });
    expect([made.status, made.body.members]).toEqual([
      201,
      [expect.objectContaining({ value: ada.id })],
    ]);
    const { id } = made.body;
    const ids = async () =>
      ((await scim('GET', `/Groups/${id}`)).body.members as { value: string }[])
        .map((member) => member.value)
        .sort();
    const sorted = (...users: { id: string }[]) => users.map((user) => user.id).sort();
    await patch(
      id,
      [{ op: 'Add', path: 'members', value: [{ value: bob.id }, { value: eve.id }] }],
      'Groups',
    );
    expect(await ids()).toEqual(sorted(ada, bob, eve));
    await patch(id, [{ op: 'Remove', path: `members[value eq "${bob.id}"]` }], 'Groups');
    expect(await ids()).toEqual(sorted(ada, eve));
    const removed = [{ op: 'remove', path: 'members', value: [{ value: ada.id }] }];
    expect((await patch(id, removed, 'Groups')).status).toBe(200);
    expect(await ids()).toEqual(sorted(eve));
    await patch(id, [{ op: 'replace', value: { id, displayName: `${displayName}!` } }], 'Groups');
    await scim('PUT', `/Groups/${id}`, {
      displayName,
      members: [{ value: ada.id }, { value: bob.id }],
    });
    expect(await ids()).toEqual(sorted(ada, bob));
    expect((await scim('GET', `/Users/${ada.id}`)).body.groups).toMatchObject([
      { value: id, display: displayName },
    ]);
    expect((await found(`displayName eq "${displayName}"`, 'Groups')).body.totalResults).toBe(1);
    const small = await scim('GET', `/Groups/${id}?excludedAttributes=members`);
    expect(small.body.members).toBeUndefined();
    await scim('DELETE', `/Users/${bob.id}`);
    expect(await ids()).toEqual(sorted(ada));
    // The same group as administrators see it.
    const { body } = await hub.console('GET', `/people-groups/${id}`);
    expect(body.group).toMatchObject({ name: displayName, members: [ada.userName] });
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404);
  });

  it('keeps manually added members who are no users', async () => {
    const ada = await aUser();
    const byHand = await hub.console('POST', '/people-groups', {
      body: { name: randomUUID(), members: ['guest@elsewhere.example'] },
    });
    const id = byHand.body.group.people_group_id;
    await patch(id, [{ op: 'replace', path: 'members', value: [{ value: ada.id }] }], 'Groups');
    const { body } = await hub.console('GET', `/people-groups/${id}`);
    expect(body.group.members).toEqual([ada.userName, 'guest@elsewhere.example'].sort());
  });

  it('adds each of many members', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => aUser()));
    const { body } = await scim('POST', '/Groups', { displayName: randomUUID() });
    const answers = await Promise.all(
      users.map(({ id: value }) =>
        patch(body.id, [{ op: 'add', path: 'members', value: [{ value }] }], 'Groups'),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(users.map(() => 200));
    expect((await scim('GET', `/Groups/${body.id}`)).body.members).toHaveLength(users.length);
  });

  it('follows a user to a new address', async () => {
    const ada = await aUser();
    const moved = name();
    const { body } = await scim('POST', '/Groups', {
      displayName: randomUUID(),
      members: [{ value: ada.id }],
    });
    await patch(ada.id, [{ op: 'replace', path: 'userName', value: moved }]);
    const group = await hub.console('GET', `/people-groups/${body.id}`);
    expect(group.body.group.members).toEqual([moved]);
  });

  it('rejects members who are no users, and a duplicate name', async () => {
    const displayName = randomUUID();
    const stranger = { displayName, members: [{ value: randomUUID() }] };
    expect((await scim('POST', '/Groups', stranger)).body.scimType).toBe('invalidValue');
    expect((await scim('POST', '/Groups', { displayName })).status).toBe(201);
    expect((await scim('POST', '/Groups', { displayName })).body.scimType).toBe('uniqueness');
  });
});

describe('SCIM token', () => {
  it('opens its own tenant only, until its revocation', async () => {
    const user = await aUser();
    const { tenantId, adminToken } = await hub.newTenant('Other');
    const other = { tenantId, token: adminToken };
    const secret = await aToken(other);
    const foreign = await scim('GET', `/Users/${user.id}`, undefined, { secret });
    const unknown = await scim('GET', `/Users/${randomUUID()}`, undefined, { secret });
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    const group = (await scim('POST', '/Groups', { displayName: randomUUID() })).body;
    const taken = [{ op: 'replace', value: { displayName: 'taken over' } }];
    for (const [path, body] of [
      [`/Users/${user.id}`, { userName: name() }],
      [`/Groups/${group.id}`, { displayName: 'taken over' }],
    ] as const) {
      const before = (await scim('GET', path)).body;
      const tried = [
        await scim('PUT', path, body, { secret }),
        await scim('PATCH', path, { schemas: [PATCH], Operations: taken }, { secret }),
        await scim('DELETE', path, undefined, { secret }),
      ];
      expect(tried.map((answer) => answer.status)).toEqual([404, 404, 404]);
      expect((await scim('GET', path)).body).toEqual(before);
    }
    const members = [{ value: user.id }];
    const lured = await scim('POST', '/Groups', { displayName: 'lured', members }, { secret });
    expect([lured.status, lured.body.scimType]).toEqual([400, 'invalidValue']);
    const list = await scim('GET', '/Users', undefined, { secret });
    expect(JSON.stringify(list.body)).not.toContain(user.userName);
    const { body } = await hub.console('GET', '/scim-tokens', {
      tenantId: other.tenantId,
      token: other.token,
    });
    const [token] = body.items;
    expect(token).toMatchObject({
      name: 'directory',
      status: 'active',
      last_used_at: expect.any(String),
    });
    await hub.console('DELETE', `/scim-tokens/${token.token_id}`, {
      tenantId: other.tenantId,
      token: other.token,
    });
    const refused = await scim('GET', '/Users', undefined, { secret });
    expect([refused.status, refused.body.schemas]).toEqual([
      401,
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ]);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('rejects tokens of other kinds, and is rejected as another kind', async () => {
    for (const secret of [hub.agentToken, await hub.tokenFor('Admin'), 'gws_x', '']) {
      expect((await scim('GET', '/Users', undefined, { secret })).status).toBe(401);
    }
    const answer = await hub.console('GET', '/users', { token });
    expect(answer.status).toBe(401);
  });

  it('lets only administrators create tokens', async () => {
    const body = { name: 'x', expires_in_days: 1 };
    for (const role of ['Viewer', 'Reviewer'] as const) {
      const answer = await hub.console('POST', '/scim-tokens', {
        body,
        token: await hub.tokenFor(role),
      });
      expect(answer.status).toBe(403);
    }
  });
});

it('lists the supported features', async () => {
  const { body } = await scim('GET', '/ServiceProviderConfig');
  expect(body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 1_000 },
  });
  const types = await scim('GET', '/ResourceTypes');
  expect(types.body.Resources.map((type: { name: string }) => type.name).sort()).toEqual([
    'Group',
    'User',
  ]);
  const schema = await scim('GET', `/Schemas/${USER}`);
  expect(schema.body).toMatchObject({ id: USER, name: 'User' });
  expect((await scim('GET', '/Schemas/urn:no')).status).toBe(404);
  expect((await scim('GET', '/Nothing')).body).toMatchObject({ status: '404' });
});

it('audits changes of a directory under its token', async () => {
  const user = await aUser();
  await patch(user.id, [{ op: 'replace', path: 'roles', value: [{ value: 'Reviewer' }] }]);
  await patch(user.id, [{ op: 'replace', path: 'displayName', value: 'Ada' }]);
  await scim('DELETE', `/Users/${user.id}`);
  const { rows } = await hub.context.database.pool.query(
    `SELECT operation, actor->>'kind' AS kind FROM audit_events WHERE resource->>'id' = $1 ORDER BY at`,
    [user.id],
  );
  expect(rows.map((event) => event.operation)).toEqual([
    'user.create',
    'user.role',
    'user.update',
    'user.deprovision',
  ]);
  expect(new Set(rows.map((event) => event.kind))).toEqual(new Set(['directory']));
});

describe('SCIM request variants', () => {
  const body = (userName: string, more: object) => ({
    schemas: [USER],
    userName,
    emails: [{ value: userName, primary: true, type: 'work' }],
    ...more,
  });
  const role = (more: object = {}) => ({
    roles: [{ primary: true, type: 'WindowsAzureActiveDirectoryRole', value: 'Viewer', ...more }],
  });
  const aMail = () => `scim-${randomUUID()}@example.com`;
  const aPatch = (...operations: object[]) => ({ schemas: [PATCH], Operations: operations });

  it.each<[string, (mail: string) => object]>([
    ['an app role of Entra', (mail) => body(mail, role())],
    [
      'an app role with a display name',
      (mail) => body(mail, role({ primary: false, displayName: 'V' })),
    ],
    [
      'a boolean as a word',
      (mail) => body(mail, { emails: [{ value: mail, primary: 'True', type: 'work' }] }),
    ],
    ['unassigned attributes', (mail) => body(mail, { name: null, displayName: null, roles: null })],
    ['a type in capitals', (mail) => body(mail, { emails: [{ value: mail, type: 'Work' }] })],
    [
      'names in another case',
      (mail) => ({ USERNAME: mail, Emails: [{ VALUE: mail }], ACTIVE: 'true' }),
    ],
  ])('creates a user from %s', async (_what, bodyOf) => {
    const answer = await scim('POST', '/Users', bodyOf(aMail()));
    expect([answer.status, answer.body.active]).toEqual([201, true]);
  });

  it.each<[string, object, object]>([
    [
      'an app role',
      { op: 'Add', path: 'roles', ...{ value: role().roles } },
      { roles: [{ value: 'Viewer', primary: true }] },
    ],
    ['a path in capitals', { op: 'replace', path: 'Active', value: false }, { active: false }],
    ['a value without path', { op: 'replace', value: { Active: 'False' } }, { active: false }],
    [
      'a sub-attribute',
      { op: 'Replace', path: 'name.GivenName', value: 'Ada' },
      { name: { givenName: 'Ada' } },
    ],
    [
      'an empty path',
      { op: 'Add', path: '', value: { displayName: 'Ada' } },
      { displayName: 'Ada' },
    ],
    [
      'a role as JSON text',
      {
        op: 'Add',
        path: 'roles',
        value: [{ value: '{"id":"1","value":"Admin","displayName":"A"}' }],
      },
      { roles: [{ value: 'Admin', primary: true }] },
    ],
    [
      'a role by a filter with a word',
      { op: 'Replace', path: 'roles[Primary eq "True"].value', value: 'Reviewer' },
      { roles: [{ value: 'Reviewer', primary: true }] },
    ],
  ])('changes a user by %s', async (_what, operation, expected) => {
    const made = await scim('POST', '/Users', body(aMail(), {}));
    const changed = await scim('PATCH', `/Users/${made.body.id}`, aPatch(operation));
    expect(changed.status).toBe(200);
    const read = await scim('GET', `/Users/${made.body.id}`);
    expect(read.body).toMatchObject(expected);
  });

  it('changes a group by names in another case', async () => {
    const made = await scim('POST', '/Groups', { DisplayName: `Team ${randomUUID()}` });
    const name = `Team ${randomUUID()}`;
    const operation = { op: 'Replace', path: 'DisplayName', value: name };
    const changed = await scim('PATCH', `/Groups/${made.body.id}`, aPatch(operation));
    expect([changed.status, changed.body.displayName]).toEqual([200, name]);
  });

  it('finds users by names and operators in another case', async () => {
    const mail = aMail();
    await scim('POST', '/Users', body(mail, {}));
    const filter = encodeURIComponent(`USERNAME Eq "${mail}"`);
    expect((await scim('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1);
  });
});
