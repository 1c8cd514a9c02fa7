// A person requests an exception at their device: the request waits while the hub is unreachable, survives a kill, and
// is sent once.
import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAsked } from '../src/sync/access-requests.ts';
import {
  canBecomeNobody,
  makeFolder,
  runCommand,
  startAgent,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';

const ENTITY = 'ab'.repeat(32);

test('keeps an access request while the hub is away and over a kill, and sends it once', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'off');
  let isAway = true;
  hub.intercept = () => (isAway ? { status: 503 } : null);
  const first = await startAgent(dataDir);
  const ask = (...args: string[]) =>
    runCommand(['request', ...args, '--data-dir', dataDir, '--json']);
  const asked = await ask('--entity', ENTITY, '--reason', 'For the report');
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  const { access_request_id: id } = JSON.parse(asked.stdout);
  const again = await ask('--entity', ENTITY, '--reason', 'For the report');
  expect(JSON.parse(again.stdout)).toEqual({ access_request_id: id, waiting: 1, is_known: true });
  await first.end('SIGKILL');
  isAway = false;
  const second = await startAgent(dataDir);
  await until(() => hub.accessRequests.length === 1);
  const unknown = await ask('--process', 'game', '--reason', 'Friday');
  expect(unknown.code).toBe(0);
  expect(unknown.stderr).toMatch(/^nothing called "game" is known on this device/);
  await until(() => hub.accessRequests.length === 2);
  await second.end('SIGTERM');
  expect(hub.accessRequests).toMatchObject([
    { access_request_id: id, entity_id: ENTITY, reason: 'For the report' },
    { entity_id: null, process_name: 'game', reason: 'Friday' },
  ]);
  expect(hub.violations).toEqual([]);
  await hub.close();
});

test.runIf(canBecomeNobody())(
  'shows the status to any user although only the owner can read the configuration',
  async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    chmodSync(dataDir, 0o711);
    const config = writeConfig(dataDir, hub.url, 'off');
    chmodSync(config, 0o600);
    const agent = await startAgent(dataDir);
    const asNobody = (...args: string[]) =>
      runCommand([...args, '--data-dir', dataDir], '', { uid: 65_534 });
    const status = await asNobody('status', '--json');
    expect(status).toMatchObject({ code: 0, stderr: '' });
    const asked = await asNobody('request', '--process', 'game', '--reason', 'Friday', '--json');
    expect(asked).toMatchObject({
      code: 4,
      stderr:
        'the running agent refused: only the owner of this device may do this, with their own account\n',
    });
    expect(hub.accessRequests).toEqual([]);
    const unknown = await asNobody('why', 'no such thing');
    expect(unknown.stderr).toMatch(/^nothing of yours is called no such thing, and [^\n]*\n$/);
    for (const command of ['queue', 'flush', 'off']) {
      const refused = await asNobody(command);
      expect(refused).toMatchObject({ code: 4 });
      expect(refused.stderr).toMatch(
        /^this needs root, or the account that the agent runs under\n$/,
      );
    }
    const named = await asNobody('status', '--config', config);
    expect(named.stderr).toMatch(/^cannot read the configuration .*EACCES/);
    await agent.end('SIGTERM');
    await hub.close();
  },
);

test('rejects an invalid access request in a single line, without calling the service', async () => {
  const dataDir = makeFolder();
  const line = async (...args: string[]) => {
    const { code, stderr } = await runCommand(['request', ...args, '--data-dir', dataDir]);
    return [code, stderr];
  };
  expect(await line('--reason', 'x')).toEqual([
    2,
    'name either an application (--entity) or a process (--process)\n',
  ]);
  expect(await line('--entity', 'editor', '--reason', 'x')).toEqual([
    2,
    '--entity must be the id of an application: 64 hexadecimal digits\n',
  ]);
  expect(await line('--process', 'game', '--reason', ' ')).toEqual([
    2,
    '--reason must explain why, in at most 1000 characters\n',
  ]);
  const unreadable = 'there are characters in this that no text has';
  for (const odd of ['a\0b', '\ud800']) {
    const [name, reason] = [odd, 'x'];
    expect(() => readAsked(JSON.stringify({ process_name: name, reason }))).toThrow(unreadable);
    expect(() => readAsked(JSON.stringify({ process_name: 'x', reason: odd }))).toThrow(unreadable);
  }
  writeConfig(dataDir, 'http://127.0.0.1:1', 'off');
  expect(await line('--process', 'game', '--reason', 'x')).toEqual([
    3,
    `no agent runs on ${dataDir}\n`,
  ]);
});
