// The device page searches the software of a single device.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  aBatch,
  aDevice,
  anEntity,
  anUnknownProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

test('finds software by a part of its name, publisher or path', async () => {
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
    return (await hub.console('GET', path)).body.items.map((item: { name: string }) => item.name);
  };
  expect(await found('SOUGHT')).toEqual(['sought', 'unsought']);
  for (const query of ['some pub', 'opt/sought', 'tools\\run_it', '.config/serv']) {
    expect([query, await found(query)]).toEqual([query, ['sought']]);
  }
  expect(await found('runXit')).toEqual([]);
});

test('folds search terms like names: accents, the dotted İ and the final σ', async () => {
  const device = aDevice({ hostname: 'ΟΔΟΣ-İÉ' });
  const place = '/opt/İzmir/É/ΟΔΟΣΣ';
  const tool = anEntity('σίσυφος', { publisher: 'İnci ΟΔΟΣ', install_path: place });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, [tool]) });
  await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
    body: {
      batch_id: randomUUID(),
      device,
      processes: [anUnknownProcess('ΑΓΡΟΣ', { executable_path: place })],
    },
  });
  const found = async (list: string, query: string) => {
    const path = `/${list}${list.includes('?') ? '&' : '?'}query=${encodeURIComponent(query)}`;
    return (await hub.console('GET', path)).body.items.length;
  };
  const onDevice = `devices/${device.device_id}/entities`;
  for (const [list, queries] of [
    ['devices', ['ΟΔΟΣ', 'οδοσ', 'οδος', '-İ', '-i\u0307', 'É', 'E\u0301', 'é']],
    [onDevice, ['ΣΊΣ', 'ΣΊΣΥΦΟΣ', '/İzm', '/E\u0301/ΟΔΟΣ', 'İNCI οδος']],
    ['discovered-apps', ['ΣΊΣ', 'ΣΊΣΥΦΟΣ', 'İnci']],
    ['unknown-processes', ['ΑΓΡΟΣ', 'αγροσ', '/İZMIR/É']],
  ] as const) {
    for (const query of queries)
      expect([list, query, await found(list, query)]).toEqual([list, query, 1]);
  }
});

test('finds applications by a part of path or launch, together with other words', async () => {
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
    return (await hub.console('GET', path)).body.items.map((item: { name: string }) => item.name);
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

test('lists devices by host name, by when they were seen last or first, or by how many apps they have, page by page', async () => {
  const tenant = await hub.newTenant('Sorted');
  const at = { ...hub, ...tenant };
  const apps = { 'sort-a': 2, 'sort-b': 3, 'sort-c': 1 };
  for (const [hostname, count] of Object.entries(apps)) {
    const entities = Array.from({ length: count }, (_, n) => anEntity(`sorted-${n}`));
    const body = aBatch(aDevice({ hostname }), entities);
    await deviceCall(at, 'POST', '/ea/v1/sync/discovered-apps', { body });
  }
  const { tenantId, adminToken: token } = tenant;
  const listed = async (sort: string) => {
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = `?sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await hub.console('GET', `/devices${query}`, { tenantId, token });
      names.push(...body.items.map((device: { hostname: string }) => device.hostname));
      cursor = body.next_cursor;
    }
    return names;
  };
  expect(await listed('hostname')).toEqual(['sort-a', 'sort-b', 'sort-c']);
  expect(await listed('-entity_count')).toEqual(['sort-b', 'sort-a', 'sort-c']);
  expect(await listed('-last_seen_at')).toEqual(['sort-c', 'sort-b', 'sort-a']);
  expect(await listed('-first_seen_at')).toEqual(['sort-c', 'sort-b', 'sort-a']);
});
