// Alerts and activity are stored once, shown live, and acknowledged by a person; unknown processes disappear once they
// are mapped.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDevice,
  anActivity,
  anAlert,
  anUnknownProcess,
} from '../../../../../test/support/builders.ts';
import { aPerson, signInAs } from '../../../../../test/support/cookie-browser.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const post = (path: string, body: unknown) =>
  deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, { body });

describe('alerts', () => {
  it('stores a repeated alert once, in any batch', async () => {
    const device = aDevice();
    const [first, second] = [anAlert(), anAlert()];
    expect((await post('alerts', { device, alerts: [first] })).body.accepted).toEqual([
      first.alert_id,
    ]);
    const again = await post('alerts', { device, alerts: [second, first] });
    expect(again.body.accepted).toEqual([second.alert_id, first.alert_id]);
    const listed = await hub.console('GET', `/alerts?device_id=${device.device_id}`);
    expect(listed.body.items.map((item: { alert_id: string }) => item.alert_id).sort()).toEqual(
      [first.alert_id, second.alert_id].sort(),
    );
  });

  it('stores alerts of two devices with the same id separately, and acknowledges each', async () => {
    const [record, other] = [aDevice(), aDevice()];
    const alert = anAlert();
    for (const device of [record, other]) {
      const sent = await post('alerts', { device, alerts: [alert] });
      expect(sent.body.accepted).toEqual([alert.alert_id]);
    }
    const stateOf = async (device: { device_id: string }) => {
      const listed = await hub.console('GET', `/alerts?device_id=${device.device_id}`);
      return listed.body.items.map((row: { state: string }) => row.state);
    };
    expect([await stateOf(record), await stateOf(other)]).toEqual([['open'], ['open']]);
    const path = `/alerts/${alert.alert_id}/acknowledge?device_id=${record.device_id}`;
    expect((await hub.console('POST', path, {})).body.alert.device_id).toBe(record.device_id);
    expect([await stateOf(record), await stateOf(other)]).toEqual([['acknowledged'], ['open']]);
  });

  it('orders alerts by the time of the event, also when an older event arrives later', async () => {
    const device = aDevice();
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const [recent, old] = [1, 90].map((minutes) => anAlert({ occurred_at: at(minutes) }));
    await post('alerts', { device, alerts: [recent] });
    await post('alerts', { device, alerts: [old] });
    const listed = async (sort: string) => {
      const path = `/alerts?device_id=${device.device_id}&sort=${sort}`;
      const { items } = (await hub.console('GET', path)).body;
      return items.map((row: { alert_id: string }) => row.alert_id);
    };
    expect(await listed('-time')).toEqual([recent?.alert_id, old?.alert_id]);
    expect(await listed('time')).toEqual([old?.alert_id, recent?.alert_id]);
  });

  it('lists the alerts of a user on all of the user’s devices', async () => {
    const owner = { 'x-subscriber-id': 'Grace@example.com' };
    const send = (headers: Record<string, string>) =>
      deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
        body: { device: aDevice(), alerts: [anAlert()] },
        headers,
      });
    for (const headers of [owner, owner, { 'x-subscriber-id': 'ada@example.com' }]) {
      expect((await send(headers)).status).toBe(202);
    }
    const { body } = await hub.console('GET', '/alerts?subscriber_id=grace@Example.com');
    expect(body.total).toBe(2);
    const groups = await hub.console('GET', '/alert-groups?subscriber_id=grace@example.com');
    expect(groups.body.items).toHaveLength(2);
  });

  it('lists alerts by time both ways, page by page, also those received together', async () => {
    const { tenantId, agentToken, adminToken: token } = await hub.newTenant('Ordered');
    const device = aDevice();
    const send = (alerts: object[]) =>
      deviceCall({ ...hub, tenantId, agentToken }, 'POST', '/ea/v1/sync/alerts', {
        body: { device, alerts },
      });
    await send([anAlert(), anAlert()]);
    await send([anAlert()]);
    const walk = async (sort: string) => {
      const read = async (query: string) =>
        (await hub.console('GET', `/alerts?limit=2&sort=${sort}${query}`, { tenantId, token }))
          .body;
      const first = await read('');
      const rest = await read(`&cursor=${first.next_cursor}`);
      expect([first.total, rest.next_cursor]).toEqual([3, null]);
      return [...first.items, ...rest.items].map((row: { alert_id: string }) => row.alert_id);
    };
    const newest = await walk('-time');
    expect(new Set(newest).size).toBe(3);
    expect(await walk('time')).toEqual(newest.toReversed());
    const { body } = await hub.console('GET', '/alerts?limit=2&sort=time', { tenantId, token });
    const path = `/alerts?limit=2&sort=-time&cursor=${body.next_cursor}`;
    const refused = await hub.console('GET', path, { tenantId, token });
    expect(refused.body.error.code).toBe('invalid_cursor');
  });

  it('groups alerts by device, rule, application and day, each group with its list', async () => {
    const { tenantId, agentToken, adminToken: token } = await hub.newTenant('Grouped');
    const console = (path: string) => hub.console('GET', path, { tenantId, token });
    const [row, other] = [aDevice(), aDevice()];
    const send = (device: typeof row, alerts: object[]) =>
      deviceCall({ ...hub, tenantId, agentToken }, 'POST', '/ea/v1/sync/alerts', {
        body: { device, alerts },
      });
    const blocked = (over: object = {}) => anAlert({ application_name: 'editor', ...over });
    const old = blocked();
    await send(row, [old, blocked(), blocked({ severity: 'low' })]);
    await send(row, [blocked({ application_name: null })]);
    await send(other, [blocked()]);
    const { pool } = hub.context.database;
    const before = new Date(Date.now() - 3 * 86_400_000).toISOString();
    for (const table of ['alerts', 'alert_ids']) {
      const time = table === 'alerts' ? ', received_at = $2::timestamptz' : '';
      await pool.query(
        `UPDATE ${table} SET received_on = $2::date${time} WHERE tenant_id = $3 AND alert_id = $1`,
        [old.alert_id, before, tenantId],
      );
    }
    const groups = async (query = '') => (await console(`/alert-groups${query}`)).body;
    const { items } = await groups();
    expect(items.map((g: { count: number }) => g.count)).toEqual([1, 1, 2, 1]);
    expect(items[3]).toMatchObject({ open: 1, alert: { alert_id: old.alert_id } });
    for (const { group, day, count, open } of items) {
      const listed = (await console(`/alerts?group=${group}&day=${day}`)).body.items;
      expect([listed.length, open]).toEqual([count, count]);
    }
    const paged: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await groups(`?limit=1${cursor}`);
      paged.push(...page.items);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual(items);
    expect((await groups('?severity=low')).items).toMatchObject([{ count: 1 }]);
    expect((await groups(`?device_id=${other.device_id}`)).items).toHaveLength(1);
    for (const day of ['', '&day=2026-02-31', '&day=yesterday']) {
      expect((await console(`/alerts?group=${items[0].group}${day}`)).status).toBe(400);
    }

    const single = await console(`/alerts/${old.alert_id}?device_id=${row.device_id}`);
    expect(single.body.alert).toEqual(items[3].alert);
    const elsewhere = `/alerts/${old.alert_id}?device_id=${other.device_id}`;
    expect((await console(elsewhere)).status).toBe(404);
  });

  it('stores an alert once that reaches two hubs simultaneously', async () => {
    const second = await startTestHub(hub.config);
    const device = aDevice();
    const alert = anAlert();
    const as = { ...hub, url: second.url };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        deviceCall(i % 2 ? as : hub, 'POST', '/ea/v1/sync/alerts', {
          body: { device, alerts: [alert] },
        }),
      ),
    );
    expect(answers.every((answer) => answer.status === 202)).toBe(true);
    const listed = await hub.console('GET', `/alerts?device_id=${device.device_id}`);
    expect(listed.body.items).toHaveLength(1);
    await second.stop();
  });

  it('accepts null for unknown values', async () => {
    const alert = anAlert({
      process: null,
      application_name: null,
      override_id: null,
      action: 'agent',
      code: 'breaker_open',
    });
    expect((await post('alerts', { device: aDevice(), alerts: [alert] })).status).toBe(202);
    const listed = await hub.console('GET', '/alerts');
    expect(
      listed.body.items.find((item: { alert_id: string }) => item.alert_id === alert.alert_id),
    ).toMatchObject({
      process: null,
      code: 'breaker_open',
    });
  });

  it('records the first person who acknowledges an alert', async () => {
    const alert = anAlert({ severity: 'low' });
    await post('alerts', { device: aDevice(), alerts: [alert] });
    const path = `/alerts/${alert.alert_id}/acknowledge`;
    const reviewer = await hub.tokenFor('Reviewer');
    const done = await hub.console('POST', path, { token: reviewer, body: {} });
    expect(done.body.alert).toMatchObject({
      state: 'acknowledged',
      acknowledged_by: 'reviewer@example.com',
    });
    const again = await hub.console('POST', path);
    expect(again.body.alert.acknowledged_by).toBe('reviewer@example.com');
    const open = await hub.console('GET', '/alerts?severity=low&state=open');
    expect(open.body.items).toEqual([]);
    expect((await hub.console('POST', `/alerts/${randomUUID()}/acknowledge`)).status).toBe(404);
  });

  it('acknowledges the seen alerts of a group at once, with a single audit event', async () => {
    const device = aDevice();
    const send = (over: object = {}) =>
      post('alerts', { device, alerts: [anAlert({ application_name: 'Noisy', ...over })] });
    for (const severity of ['high', 'high', 'medium']) await send({ severity });
    const token = await hub.tokenFor('Reviewer');
    const groups = async (query = '') =>
      (await hub.console('GET', `/alert-groups?device_id=${device.device_id}${query}`)).body.items;
    const [seen] = await groups('&severity=high');
    expect(seen).toMatchObject({ count: 2, open: 2 });
    // Came after the person looked.
    await send({ severity: 'high' });
    const body = { group: seen.group, day: seen.day, until: seen.last_at };
    const acknowledge = (more: object = {}, as = token) =>
      hub.console('POST', '/alert-groups/acknowledge', { token: as, body: { ...body, ...more } });
    const first = await acknowledge({ severity: 'high' });
    expect([first.status, first.body.acknowledged]).toEqual([200, 2]);
    expect((await acknowledge({ severity: 'high' })).body.acknowledged).toBe(0);
    expect(await groups()).toMatchObject([{ count: 4, open: 2 }]);
    expect((await acknowledge({ assigned: 'me' })).body.acknowledged).toBe(0);
    expect((await acknowledge({ day: '2026-02-31' })).status).toBe(400);
    expect((await acknowledge({}, await hub.tokenFor('Viewer'))).status).toBe(403);
    const { rows } = await hub.context.database.pool.query(
      `SELECT detail FROM audit_events
       WHERE operation = 'alert.acknowledge_group' AND resource->>'id' = $1`,
      [seen.group],
    );
    expect(rows).toMatchObject([{ detail: { count: 2, severity: 'high' } }]);
  });

  it('assigns and unassigns a cluster with audit events, and reports a conflict to the second of two users', async () => {
    const alert = anAlert();
    await post('alerts', { device: aDevice(), alerts: [alert] });
    const [person, two] = [await aPerson(hub, 'Reviewer'), await aPerson(hub, 'Admin')];
    const viewer = await aPerson(hub, 'Viewer');
    const assign = (assigned_to: string | null, instead_of: string | null, token?: string) =>
      hub.console('POST', `/alerts/${alert.alert_id}/assign`, {
        body: { assigned_to, instead_of },
        ...(token === undefined ? {} : { token }),
      });
    const both = await Promise.all([assign(person.email, null), assign(two.email, null)]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 412]);
    const first = both.find((answer) => answer.status === 200)?.body.alert.assigned_to;
    expect((await assign(viewer.email, first)).status).toBe(400);
    const { browser } = await signInAs(hub, two);
    const mine = async (): Promise<string[]> => {
      const path = `/console/api/v1/tenants/${hub.tenantId}/alerts?assigned=me`;
      const { items } = (await (await browser.request(path)).json()) as {
        items: { alert_id: string }[];
      };
      return items.map((row) => row.alert_id);
    };
    const given = await assign(two.email.toUpperCase(), first);
    expect(given.body.alert).toMatchObject({
      assigned_to: two.email,
      assigned_at: expect.any(String),
    });
    expect(await mine()).toEqual([alert.alert_id]);
    const back = await assign(null, two.email);
    expect(back.body.alert).toMatchObject({ assigned_to: null, assigned_at: null });
    expect(await mine()).toEqual([]);
    const free = await hub.console('GET', '/alerts?assigned=nobody&limit=200');
    expect(free.body.items.map((row: { alert_id: string }) => row.alert_id)).toContain(
      alert.alert_id,
    );
    const names = (await hub.console('GET', '/alert-assignees')).body.items;
    expect(names).toEqual(expect.arrayContaining([{ email: person.email }, { email: two.email }]));
    expect(names).not.toContainEqual({ email: viewer.email });
    const { rows } = await hub.context.database.pool.query(
      `SELECT detail->>'to' AS to FROM audit_events
       WHERE operation = 'alert.assign' AND resource->>'id' = $1 ORDER BY at`,
      [alert.alert_id],
    );
    expect(rows.map((row) => row.to).slice(-1)).toEqual([null]);
    expect((await assign(person.email, null, await hub.tokenFor('Viewer'))).status).toBe(403);
  });

  it('resolves several alerts with a comment, once, and changes a resolution', async () => {
    const device = aDevice();
    const alerts = [anAlert(), anAlert()];
    await post('alerts', { device, alerts });
    const keys = alerts.map(({ alert_id }) => ({ alert_id, device_id: device.device_id }));
    const missing = { alert_id: randomUUID(), device_id: device.device_id };
    const resolve = async (body: object) =>
      (await hub.console('POST', '/alerts/resolve', { body })).body.resolved;
    const body = { alerts: [...keys, missing], resolution: 'expected', comment: ' Planned test ' };
    expect([await resolve(body), await resolve(body)]).toEqual([2, 0]);
    const read = async () =>
      (await hub.console('GET', `/alerts?device_id=${device.device_id}`)).body.items;
    const [first] = await read();
    expect(first).toMatchObject({ state: 'acknowledged', resolution: 'expected' });
    expect(first.resolution_comment).toBe('Planned test');
    expect(await resolve({ alerts: keys.slice(0, 1), resolution: 'fixed' })).toBe(1);
    const changed = (await read()).find(
      (row: { alert_id: string }) => row.alert_id === keys[0]?.alert_id,
    );
    expect(changed).toMatchObject({ resolution: 'fixed', resolution_comment: null });
    const events = await hub.console('GET', `/audit?resource_id=${keys[0]?.alert_id}`);
    expect(events.body.items.map((event: { operation: string }) => event.operation)).toEqual([
      'alert.resolve',
      'alert.resolve',
    ]);
    const viewer = await hub.tokenFor('Viewer');
    const refused = await hub.console('POST', '/alerts/resolve', { body, token: viewer });
    expect(refused.status).toBe(403);
  });

  it('keeps the resolution of another reviewer that the caller did not see, and names this reviewer', async () => {
    const device = aDevice();
    const alert = anAlert();
    await post('alerts', { device, alerts: [alert] });
    const key = { alert_id: alert.alert_id, device_id: device.device_id };
    const resolve = async (instead_of: string | null, resolution: string, token: string) => {
      const body = { alerts: [{ ...key, instead_of }], resolution, comment: resolution };
      return (await hub.console('POST', '/alerts/resolve', { body, token })).status;
    };
    const read = async () =>
      (await hub.console('GET', `/alerts/${key.alert_id}?device_id=${key.device_id}`)).body.alert;
    const reviewer = await hub.tokenFor('Reviewer');
    expect(await resolve(null, 'expected', reviewer)).toBe(200);
    expect(await resolve(null, 'expected', reviewer)).toBe(200);
    expect(await resolve(null, 'fixed', hub.adminToken)).toBe(412);
    const before = { resolution: 'expected', resolution_comment: 'expected' };
    expect(await read()).toMatchObject({ ...before, acknowledged_by: 'reviewer@example.com' });
    expect(await resolve('expected', 'fixed', hub.adminToken)).toBe(200);
    const after = { resolution: 'fixed', resolution_comment: 'fixed' };
    expect(await read()).toMatchObject({ ...after, acknowledged_by: 'admin@example.com' });
  });

  it('notifies open pages of its own tenant only', async () => {
    const other = await hub.newTenant('Quiet');
    const mine = await listen(hub.tenantId, hub.adminToken);
    const quiet = await listen(other.tenantId, other.adminToken);
    await post('alerts', { device: aDevice(), alerts: [anAlert()] });
    await expect.poll(() => mine.text(), { timeout: 5_000 }).toContain('{"topic":"alerts"}');
    expect(quiet.text()).not.toContain('"alerts"');
    mine.close();
    quiet.close();
  });
});

describe('activity', () => {
  it('stores activity once and lists it by device', async () => {
    const device = aDevice();
    const event = anActivity();
    for (let i = 0; i < 2; i++)
      expect((await post('activity', { device, events: [event] })).status).toBe(202);
    const listed = await hub.console('GET', `/activity?device_id=${device.device_id}`);
    expect(listed.body.items).toHaveLength(1);
    expect(listed.body.items[0]).toMatchObject({ outcome: 'terminated', enforced: true });
  });
});

describe('list of activity', () => {
  const named = (name: string) => ({
    name,
    executable_path: `/opt/${name}`,
    pid: 7,
    started_at: null,
  });

  it('searches by app, path, device and user, and sorts by each column page by page', async () => {
    const { tenantId, agentToken, adminToken: token } = await hub.newTenant('Searched');
    const send = (hostname: string, user: string, ...events: object[]) =>
      deviceCall({ ...hub, tenantId, agentToken }, 'POST', '/ea/v1/sync/activity', {
        body: { device: aDevice({ hostname }), events },
        headers: { 'x-subscriber-id': user },
      });
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString();
    const sent = await send(
      'alpha-7',
      'Grace@example.com',
      anActivity({ process: named('wget'), decided_at: at(3), decision: 'allow' }),
      anActivity({ process: named('zoom'), decided_at: at(1), decision: 'block' }),
    );
    expect(sent.status).toBe(202);
    await send(
      'beta-9',
      'ada@example.com',
      anActivity({ process: named('curl'), decided_at: at(2), decision: 'warn' }),
    );
    const read = async (query: string) =>
      (await hub.console('GET', `/activity?${query}`, { tenantId, token })).body;
    const names = async (query: string) => {
      const first = await read(`limit=2&${query}`);
      const rest =
        first.next_cursor === null
          ? { items: [] }
          : await read(`limit=2&${query}&cursor=${first.next_cursor}`);
      return [...first.items, ...rest.items].map(
        (row: { process: { name: string } }) => row.process.name,
      );
    };
    expect(await names('query=OPT/WGET')).toEqual(['wget']);
    expect(await names('query=grace')).toEqual(['wget', 'zoom']);
    expect(await names('query=beta')).toEqual(['curl']);
    expect(await names('query=nothing')).toEqual([]);
    expect((await read('query=alpha')).total).toBe(2);
    const orders = {
      '-time': ['wget', 'curl', 'zoom'],
      time: ['zoom', 'curl', 'wget'],
      process: ['curl', 'wget', 'zoom'],
      '-process': ['zoom', 'wget', 'curl'],
      '-device': ['curl', 'wget', 'zoom'],
      user: ['curl', 'wget', 'zoom'],
      '-policy': ['zoom', 'curl', 'wget'],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      expect([sort, await names(`sort=${sort}`)]).toEqual([sort, expected]);
    }
  });
});

describe('unknown processes', () => {
  it('groups unknown processes over devices, and removes them once mapped', async () => {
    const name = `mystery-${randomUUID()}`;
    for (const device of [aDevice(), aDevice()]) {
      await post('unknown-processes', {
        batch_id: randomUUID(),
        device,
        processes: [anUnknownProcess(name)],
      });
    }
    const list = async () =>
      (await hub.console('GET', `/unknown-processes?query=${name}`)).body.items;
    expect(await list()).toMatchObject([{ name, device_count: 2 }]);
    const mapping = {
      process_name: `${name.slice(0, 12)}*`,
      platform: 'linux',
      match: 'glob',
      application_name: 'Mystery',
    };
    const map = () => hub.console('POST', '/process-mappings', { body: mapping });
    expect((await map()).status).toBe(201);
    expect((await map()).body.error.code).toBe('already_exists');
    expect(await list()).toEqual([]);
    await post('unknown-processes', {
      batch_id: randomUUID(),
      device: aDevice(),
      processes: [anUnknownProcess(name)],
    });
    expect(await list()).toEqual([]);
    const headers = { 'x-device-id': randomUUID() };
    const served = await deviceCall(hub, 'GET', '/ea/v1/sync/process-map', { headers });
    expect(served.body.mappings).toContainEqual({ ...mapping, entity_id: null });
    const again = await deviceCall(hub, 'GET', '/ea/v1/sync/process-map', {
      headers: { ...headers, 'if-none-match': served.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });
});

async function listen(tenantId: string, token: string) {
  const stop = new AbortController();
  const response = await fetch(`${hub.url}/console/api/v1/tenants/${tenantId}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  await expect.poll(() => text, { timeout: 5_000 }).toContain('event: hello');
  return { text: () => text, close: () => stop.abort() };
}
