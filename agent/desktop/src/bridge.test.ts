// The bridge over a real local socket: only what the contract names gets through, in both directions.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAskedWhy } from '../../src/local-api/decision-chain.ts';
import { socketPath } from '../../src/local-api/socket-paths.ts';
import { type Answers, listenLocally } from '../../src/local-api/socket-server.ts';
import { createBridge } from './bridge.ts';
import { dataDirsToTry } from './service-locator.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gw-bridge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function aService(answers: Answers): Promise<string> {
  const dataDir = aFolder();
  const socket = await listenLocally(socketPath(dataDir, 'status', {}), 'status', answers);
  onTestFinished(() => socket.close());
  return dataDir;
}

test('returns a valid answer, and sends the key of the user', async () => {
  let shown: string | null = null;
  const dataDir = await aService({
    'GET /notices': (key) => {
      shown = key;
      return { notices: [] };
    },
  });
  mkdirSync(join(dataDir, 'people'));
  writeFileSync(join(dataDir, 'people', String(process.getuid?.())), 'my-key');
  const answer = await createBridge([dataDir]).ask('notices', null);
  expect(answer).toEqual({ ok: true, value: { notices: [] } });
  expect(shown).toBe('my-key');
});

test('sends no request for a call outside of the contract', async () => {
  let asked = 0;
  const count = () => {
    asked += 1;
    return {};
  };
  const dataDir = await aService({
    'POST /off': count,
    'POST /request': count,
    'GET /notices': count,
  });
  const { ask } = createBridge([dataDir]);
  const strange: [unknown, unknown][] = [
    ['off', null],
    ['POST /off', null],
    ['__proto__', null],
    ['constructor', null],
    [['request'], null],
    [{ toString: () => 'notices' }, null],
    ['notices', { extra: true }],
    ['request', null],
    ['request', { entity_id: null, process_name: 'game', reason: '  ' }],
    ['request', { entity_id: '../x', process_name: null, reason: 'x' }],
    ['request', { entity_id: null, process_name: 'game', reason: 'x', also: 1 }],
  ];
  for (const [call, body] of strange) {
    expect(await ask(call, body)).toMatchObject({ ok: false, problem: 'failed' });
  }
  expect(asked).toBe(0);
});

test('reports an invalid answer and a refusal as errors', async () => {
  const dataDir = await aService({
    'GET /notices': () => ({ notices: 'none' }),
    'GET /seen': () => {
      throw new Error('the disk is full');
    },
  });
  const { ask } = createBridge([dataDir]);
  expect(await ask('notices', null)).toMatchObject({ ok: false, problem: 'not_understood' });
  expect(await ask('seen', null)).toMatchObject({
    ok: false,
    problem: 'failed',
    why: expect.stringContaining('the disk is full'),
  });
});

test('maps invalid requests to 400 and failures of the service to 500', async () => {
  const dataDir = await aService({
    'POST /why': (_key, body) => readAskedWhy(body),
    'GET /seen': () => {
      throw new Error('the disk is full');
    },
  });
  const ask = (method: string, path: string, body: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const to = { socketPath: socketPath(dataDir, 'status', {}), method, path };
      const asking = request(to, async (response) => {
        let text = '';
        for await (const piece of response) text += piece;
        resolve([response.statusCode, text]);
      });
      asking.on('error', reject);
      asking.end(body);
    });
  expect(await ask('POST', '/why', '{')).toEqual([400, '{"error":"this is no question"}']);
  expect(await ask('POST', '/why', 'null')).toEqual([400, expect.stringContaining('{"error":')]);
  expect(await ask('POST', '/why', 'x'.repeat(20_000))).toEqual([
    400,
    expect.stringContaining('{"error":'),
  ]);
  expect(await ask('GET', '/seen', '')).toEqual([500, '{"error":"the disk is full"}']);
});

test('reports a missing service, also where its socket file is left', async () => {
  const nobody = { ok: false, problem: 'no_service', why: '' };
  expect(await createBridge([join(aFolder(), 'none')]).ask('status', null)).toEqual(nobody);
});

test('asks the next service where a socket file is left of the first', async () => {
  const gone = aFolder();
  // A killed listener leaves its file; a closed listener removes it.
  const child = spawnSync(process.execPath, [
    '-e',
    `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`,
    socketPath(gone, 'status', {}),
  ]);
  expect(child.signal).toBe('SIGKILL');
  const own = await aService({ 'GET /notices': () => ({ notices: [] }) });
  const answer = await createBridge([gone, own]).ask('notices', null);
  expect(answer).toEqual({ ok: true, value: { notices: [] } });
  const none = await createBridge([gone]).ask('notices', null);
  expect(none).toMatchObject({ ok: false, problem: 'no_service' });
});

test('serves new clients while others use up all connections', async () => {
  const dataDir = await aService({ 'GET /notices': () => ({ notices: [] }) });
  const path = socketPath(dataDir, 'status', {});
  const connections = await Promise.all(
    Array.from(
      { length: 200 },
      () =>
        new Promise<Socket>((resolve) => {
          const socket: Socket = connect(path, () => resolve(socket));
          // Some connections send nothing, others send a part of a request.
          socket.on('error', () => undefined);
          socket.write('POST /request HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n');
        }),
    ),
  );
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
  });
  const answer = await createBridge([dataDir]).ask('notices', null);
  expect(answer).toEqual({ ok: true, value: { notices: [] } });
});

test('reports an unreadable path as an answer, so that polling goes on', async () => {
  const loop = join(aFolder(), 'loop');
  symlinkSync(loop, loop);
  expect(await createBridge([loop]).ask('status', null)).toMatchObject({
    ok: false,
    problem: 'failed',
    why: expect.stringContaining('ELOOP'),
  });
});

test.runIf(process.platform !== 'win32')(
  'rejects a socket in a folder that anybody may write, and asks no other',
  async () => {
    const open = await aService({ 'GET /notices': () => ({ notices: [] }) });
    const good = await aService({ 'GET /notices': () => ({ notices: [] }) });
    chmodSync(open, 0o777);
    const refused = { ok: false, problem: 'not_ours', why: '' };
    expect(await createBridge([open, good]).ask('notices', null)).toEqual(refused);
    chmodSync(open, 0o1777);
    expect((await createBridge([open, good]).ask('notices', null)).ok).toBe(true);
    const faked = aFolder();
    writeFileSync(socketPath(faked, 'status', {}), '');
    expect(await createBridge([faked]).ask('notices', null)).toEqual(refused);
  },
);

test('prefers the installed service, and a named folder to every service', () => {
  const env = { XDG_STATE_HOME: '/home/ann/state', ProgramData: 'C:\\ProgramData' };
  const places = dataDirsToTry(null, env);
  if (process.platform === 'linux') {
    expect(places).toEqual(['/var/lib/gatewarden-agent', '/home/ann/state/gatewarden-agent']);
  }
  expect(dataDirsToTry('/srv/agent', env)).toEqual(['/srv/agent']);
});
