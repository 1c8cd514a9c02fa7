// A user's page: what devices, gateways, groups and sign-in know of an identity, by role and tenant, and nothing once erased.
import type { IdentityAnswer } from '@gatewarden/shared/wire/console/identity.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine, aToolCallLine } from '../../../../../test/support/logs.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';
import { createUser } from '../../people/identity/index.ts';

let hub: TestHub;
const device = aDevice({ hostname: 'ida-laptop' });

beforeAll(async () => {
  hub = await sharedTestHub();
  const headers = { 'x-subscriber-id': 'ida@example.com' };
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('first'), anEntity('second')]),
    headers,
  });
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert(), anAlert()] },
    headers,
  });
  await createUser(hub.context.database.db, {
    tenantId: hub.tenantId,
    email: 'Ida@example.com',
    role: 'Reviewer',
    password: null,
  });
  await hub.console('POST', '/people-groups', {
    body: { name: 'Researchers', members: ['ida@example.com'] },
  });
  await makeApp(await manage(hub), 'bot');
  const node = await aNode(hub, hub.tenantId);
  const as = (user_email: string) => ({ metadata: { user_email } });
  await node.send('llm-requests', [
    aRequestLine({ id: 'a' }, as('IDA@example.com')),
    aRequestLine({ id: 'b' }, as('gateway-only@example.com')),
  ]);
  await node.send('mcp-tool-calls', [aToolCallLine({}, as('ida@example.com'))]);
});
afterAll(() => hub.stop());

function read(email: string, options: Parameters<TestHub['console']>[2] = {}) {
  return hub.console('GET', `/identity?${new URLSearchParams({ email })}`, options);
}

async function identityOf(email: string, token?: string): Promise<IdentityAnswer['identity']> {
  const answer = await read(email, token === undefined ? {} : { token });
  expect([email, answer.status]).toEqual([email, 200]);
  return answer.body.identity;
}

describe('GET C/identity', () => {
  it('composes devices, apps, alerts, gateway use, groups and sign-in, however the address is written', async () => {
    for (const email of ['ida@example.com', 'IDA@EXAMPLE.COM']) {
      expect(await identityOf(email)).toMatchObject({
        email: 'Ida@example.com',
        devices: [{ device_id: device.device_id, hostname: 'ida-laptop', entity_count: 2 }],
        apps: 2,
        open_alerts: 2,
        access_requests: { open: 0, all: 0 },
        llm: { requests: 1, blocked: 0 },
        mcp: { calls: 1 },
        groups: [{ name: 'Researchers' }],
        account: { role: 'Reviewer', state: 'enabled' },
      });
    }
  });

  it('lists the apps on the devices of a user, and of no other user', async () => {
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice(), [anEntity('third')]),
      headers: { 'x-subscriber-id': 'eve@example.com' },
    });
    const namesOf = async (subscriber_id: string) => {
      const query = new URLSearchParams({ subscriber_id });
      const { body } = await hub.console('GET', `/discovered-apps?${query}`);
      return body.items.map((item: { name: string }) => item.name);
    };
    expect(await namesOf('IDA@example.com')).toEqual(['first', 'second']);
    expect(await namesOf('eve@example.com')).toEqual(['third']);
    const { devices } = await identityOf('IDA@EXAMPLE.COM');
    expect(devices[0]?.subscriber_id).toBe('ida@example.com');
  });

  it('answers for an identity that only a gateway names', async () => {
    expect(await identityOf('gateway-only@example.com')).toMatchObject({
      devices: [],
      llm: { requests: 1 },
      account: null,
    });
  });

  it('keeps the sign-in of a user from viewers', async () => {
    const identity = await identityOf('ida@example.com', await hub.tokenFor('Viewer'));
    expect(identity.account).toBe(null);
    expect(identity.devices).toHaveLength(1);
  });

  it('refuses members, and finds nobody unknown or of another tenant', async () => {
    const member = await hub.tokenFor('Member');
    expect((await read('ida@example.com', { token: member })).status).toBe(403);
    expect((await read('nobody@example.com')).status).toBe(404);
    const other = await hub.newTenant('Other');
    const { tenantId, adminToken: token } = other;
    expect((await read('ida@example.com', { tenantId, token })).status).toBe(404);
  });

  it('finds nobody once the identity is erased', async () => {
    const headers = { 'x-subscriber-id': 'gone@example.com' };
    const body = aBatch(aDevice(), [anEntity('third')]);
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body, headers });
    expect((await read('gone@example.com')).status).toBe(200);
    const erased = await hub.console('POST', '/people/gone%40example.com/erase', { body: {} });
    expect(erased.status).toBe(200);
    expect((await read('gone@example.com')).status).toBe(404);
  });
});

describe('GET C/identities', () => {
  const list = async (query = '', options: Parameters<TestHub['console']>[2] = {}) =>
    (await hub.console('GET', `/identities${query}`, options)).body;
  const emailsOf = (body: { items: { email: string }[] }) => body.items.map(({ email }) => email);

  it('lists each user once, with everything that names the user', async () => {
    const { items, total } = await list('?query=ida%40');
    expect(total).toBe(1);
    expect(items).toMatchObject([
      {
        email: 'Ida@example.com',
        kinds: ['console', 'device', 'gateway', 'group'],
        device_count: 1,
        account: { role: 'Reviewer', state: 'enabled' },
      },
    ]);
    const named = (await list('?query=gateway-only')).items;
    expect(named).toMatchObject([{ kinds: ['gateway'], device_count: 0, account: null }]);
  });

  it('filters by what names the user, and by the role of console users', async () => {
    const gateway = emailsOf(await list('?kind=gateway'));
    expect(gateway).toEqual(['gateway-only@example.com', 'Ida@example.com']);
    expect(emailsOf(await list('?kind=device'))).toContain('Ida@example.com');
    expect(emailsOf(await list('?role=Reviewer'))).toEqual(['Ida@example.com']);
    expect(await list('?role=Reviewer&kind=gateway')).toMatchObject({ items: [], total: 0 });
  });

  /** Returns the rows of all pages, each page with a single row. */
  async function walk(sort: string) {
    const walked: { email: string; device_count: number; last_seen_at: string | null }[] = [];
    let cursor: string | null = null;
    do {
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const body = await list(`?sort=${sort}&limit=1${at}`);
      walked.push(...body.items);
      cursor = body.next_cursor;
    } while (cursor !== null);
    return walked;
  }

  it('orders by address both ways, page by page, without a gap or a repetition', async () => {
    const all = emailsOf(await list());
    expect(all.length).toBeGreaterThan(2);
    expect(emailsOf({ items: await walk('email') })).toEqual(all);
    expect(emailsOf({ items: await walk('-email') })).toEqual(all.toReversed());
  });

  it('orders by devices and by the last time that a user was seen, both ways', async () => {
    const all = emailsOf(await list()).sort();
    for (const [sort, sign] of [
      ['device_count', 1],
      ['-device_count', -1],
    ] as const) {
      const walked = await walk(sort);
      const counts = walked.map((row) => row.device_count);
      expect(counts).toEqual(counts.toSorted((a, b) => sign * (a - b)));
      expect(emailsOf({ items: walked }).sort()).toEqual(all);
    }
    const times = async (sort: string) => (await walk(sort)).map((row) => row.last_seen_at);
    const isTime = (at: string | null): at is string => at !== null;
    const newest = await times('-last_seen_at');
    const known = newest.filter(isTime);
    expect(known.length).toBeGreaterThan(1);
    expect(newest.slice(0, known.length)).toEqual(known.toSorted().toReversed());
    expect((await times('last_seen_at')).slice(0, known.length)).toEqual(known.toSorted());
  });

  it('lists nobody of another tenant, and refuses reviewers', async () => {
    const { tenantId, adminToken: token } = await hub.newTenant('Apart');
    expect(emailsOf(await list('?kind=gateway', { tenantId, token }))).toEqual([]);
    const { status } = await hub.console('GET', '/identities', {
      token: await hub.tokenFor('Reviewer'),
    });
    expect(status).toBe(403);
  });
});
