// What is on one device, searched by people.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

test('what is on a device is found by a piece of its name, its publisher, or a path where it stands', async () => {
  const device = aDevice();
  const tool = anEntity('sought', {
    publisher: 'Some Publisher',
    install_path: '/opt/Sought-Here',
    executables: ['C:\\Tools\\run_it.exe'],
    instances: [{ owner: 'alice', path: '/home/alice/.config/servers.json' }],
  });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [tool, anEntity('unsought')]),
  });
  const found = async (query: string) => {
    const path = `/devices/${device.device_id}/entities?query=${encodeURIComponent(query)}`;
    return (await hub.console('GET', path)).body.items.map((one: { name: string }) => one.name);
  };
  expect(await found('SOUGHT')).toEqual(['sought', 'unsought']);
  for (const query of ['some pub', 'opt/sought', 'tools\\run_it', '.config/serv']) {
    expect([query, await found(query)]).toEqual([query, ['sought']]);
  }
  expect(await found('runXit')).toEqual([]);
});

test('applications are found by a piece of a path, and by how they are launched, together with other words', async () => {
  const server = anEntity('files', {
    kind: 'mcp_server',
    source: 'mcp_config',
    publisher: 'Acme',
    executables: [],
    details: {
      configured: [{ client: 'cursor', command: 'npx', args: ['-y', '@acme/server-files'] }],
    },
  });
  const program = anEntity('odd', {
    install_path: 'C:\\Program Files\\Odd',
    executables: ['/opt/odd_things/bin/run'],
    instances: [{ owner: 'alice', path: '/home/alice/.odd.json' }],
  });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), [
      server,
      program,
      anEntity('other', { executables: ['/opt/oddXthings'] }),
    ]),
  });
  const { isCitus } = inject('postgres');
  const found = async (query: string) => {
    const path = `/discovered-apps?query=${encodeURIComponent(query)}`;
    return (await hub.console('GET', path)).body.items.map((one: { name: string }) => one.name);
  };
  for (const [query, names] of [
    ['@Acme/server-f', ['files']],
    ['acme @acme/server', ['files']],
    ['other @acme/server', []],
    ['/opt/odd_things', ['odd']],
    ['c:\\program files\\odd', ['odd']],
    ['/.odd.json', ['odd']],
    ['/opt/odd', ['odd', 'other']],
    // Without a slash it is a word of a name.
    ['server-files', []],
  ] as const) {
    // Citus plans no such query: there a path is a word like any other.
    expect([query, await found(query)]).toEqual([query, isCitus ? [] : names]);
  }
});
