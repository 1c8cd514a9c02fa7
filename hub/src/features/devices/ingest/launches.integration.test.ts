// Launches, permissions and file locations are counted over all devices with a product.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
const usual = { client: 'cursor', command: 'npx', args: ['pkg@1'], path: '/home/somebody' };
const odd = (n: number) => ({ command: 'npx', args: [`fork-${n}`], disabled: true });
const { entity_id: entityId } = anEntity('served', { kind: 'mcp_server' });
const DEVICES = 55;
const ODD = 21;

beforeAll(async () => {
  hub = await startTestHub();
  for (let n = 1; n <= DEVICES; n++) {
    // The same twice on one device is one device; what is not shown does not set two apart.
    const configured = [usual, { ...usual, path: `/home/${n}` }, ...(n <= ODD ? [odd(n)] : [])];
    const served = anEntity('served', {
      kind: 'mcp_server',
      details: { configured },
      executables: [
        '/usr/bin/served',
        `/opt/of/${n}`,
        ...(n > 50 ? ['/opt/late', '/opt/later'] : []),
      ],
      instances: [{ owner: 'alice', permissions: [n === DEVICES ? 'of-the-last' : 'read'] }],
    });
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice(), [served]),
    });
  }
}, 120_000);
afterAll(() => hub.stop());

const at = `/discovered-apps/${entityId}`;

test('counts launches over all devices, the most frequent first, with the total', async () => {
  const { application } = (await hub.console('GET', at)).body;
  expect(application).toMatchObject({
    launch_count: ODD + 1,
    permissions: ['of-the-last', 'read'],
  });
  expect(application.launches).toHaveLength(20);
  expect(application.launches[0]).toEqual({
    launch: {
      client: 'cursor',
      scope: null,
      transport: null,
      command: 'npx',
      args: ['pkg@1'],
      url: null,
      env: [],
      headers: [],
      disabled: false,
      unpinned: false,
    },
    devices: DEVICES,
  });
});

test('counts files over all devices, the most common first', async () => {
  const { application } = (await hub.console('GET', at)).body;
  expect(application.executable_count).toBe(DEVICES + 3);
  expect(application.executables.slice(0, 3)).toEqual([
    '/usr/bin/served',
    '/opt/late',
    '/opt/later',
  ]);
  expect(application.executables).toHaveLength(DEVICES + 3);
  const seen: { path: string; devices: number }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const from = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await hub.console('GET', `${at}/executables?limit=7${from}`);
    seen.push(...body.items);
    cursor = body.next_cursor;
  }
  expect(seen.map((item) => item.path)).toEqual(application.executables);
  expect(seen.map((item) => item.devices)).toEqual([DEVICES, 5, 5, ...Array(DEVICES).fill(1)]);
});

test('lists each launch once, page by page', async () => {
  const seen: { launch: { args: string[]; disabled: boolean }; devices: number }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await hub.console(
      'GET',
      `${at}/launches?limit=10${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    seen.push(...body.items);
    cursor = body.next_cursor;
  }
  const forks = Array.from({ length: ODD }, (_, i) => `fork-${i + 1}`);
  expect(seen.map((item) => item.launch.args[0]).sort()).toEqual([...forks, 'pkg@1'].sort());
  expect(seen.map((item) => item.devices)).toEqual([DEVICES, ...Array(ODD).fill(1)]);
});

test("tolerates reports that differ from an agent's format", async () => {
  const odd = (details: object) =>
    deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice(), [anEntity('odd', { kind: 'mcp_server', details })]),
    });
  await odd({ configured: 'npx' });
  await odd({ configured: [7, null, { command: ['x'], args: 'y', disabled: 'yes' }] });
  const { entity_id: id } = anEntity('odd', { kind: 'mcp_server' });
  const { status, body } = await hub.console('GET', `/discovered-apps/${id}`);
  expect(status).toBe(200);
  expect(body.application.launch_count).toBe(2);
  expect((await hub.console('GET', `/discovered-apps/${id}/launches`)).body.items).toHaveLength(2);
});
