// Scripts use the command line: it prints a single JSON document, returns documented exit codes, and fails with a
// single clear line.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { Value } from 'typebox/value';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  canBecomeNobody,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  TENANT,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';

const ENROLL = ['enroll', '--tenant-id', TENANT, '--subscriber-id', 'alice', '--json'];

describe('command line', () => {
  test('enrolls with a hub that answers, and without a hub', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    const args = [...ENROLL, '--base-url', hub.url, '--data-dir', dataDir, '--auth-token-stdin'];
    const done = await runCommand([...args, '--enforcement', 'enforce'], 'gwa_secret\n');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout)).toMatchObject({ device_token: 'new', hub_error: null });
    expect(hub.seen[0]?.headers.authorization).toBe('Bearer gwa_secret');
    expect(hub.violations).toEqual([]);
    await hub.close();

    const again = await runCommand(args, 'gwa_other\n');
    expect(JSON.parse(again.stdout)).toMatchObject({
      device_token: 'current',
      token_kept_in: 'file',
    });
    const elsewhere = makeFolder();
    const config = join(elsewhere, 'etc', 'agent.toml');
    const offline = await runCommand(
      [
        ...ENROLL,
        '--base-url',
        hub.url,
        '--data-dir',
        elsewhere,
        '--config',
        config,
        '--auth-token-stdin',
      ],
      'gwa_secret',
    );
    expect(offline.code).toBe(0);
    expect(JSON.parse(offline.stdout)).toMatchObject({ device_token: 'none', config });
    expect(readFileSync(config, 'utf8')).toContain(`data_dir = "${elsewhere}"`);
    expect(readFileSync(config, 'utf8')).not.toContain('gwa_secret');
    expect(statSync(join(elsewhere, 'tokens.json')).mode & 0o777).toBe(0o600);
  });

  test('ends an enrollment with 1 when the hub refuses the token or no token is given', async () => {
    const hub = await startHubDouble();
    hub.intercept = () => ({
      status: 401,
      body: { error: { code: 'invalid_agent_token', message: 'no' }, request_id: 'r' },
    });
    const dataDir = makeFolder();
    const words = ENROLL.filter((word) => word !== '--json');
    const args = [...words, '--base-url', hub.url, '--data-dir', dataDir];
    const refused = await runCommand([...args, '--auth-token-stdin'], 'gwa_wrong');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(
      /^the hub refuses this device: 401 invalid_agent_token: no[^\n]*\n$/,
    );
    // All the same it is set up: another token is all that it lacks.
    expect(readFileSync(join(dataDir, 'agent.toml'), 'utf8')).toContain(hub.url);
    hub.intercept = null;
    expect((await runCommand([...args, '--auth-token-stdin'], 'gwa_right')).code).toBe(0);
    // An enrolled device stays enrolled, whatever another enrollment requests.
    const what = () => {
      const { agent_token, device_token } = JSON.parse(
        readFileSync(join(dataDir, 'tokens.json'), 'utf8'),
      );
      return [readFileSync(join(dataDir, 'agent.toml'), 'utf8'), agent_token, device_token];
    };
    const before = what();
    hub.intercept = () => ({
      status: 403,
      body: { error: { code: 'device_token_required', message: 'no' }, request_id: 'r' },
    });
    const moved = [...args, '--subscriber-id', 'bob', '--auth-token-stdin'];
    const kept = await runCommand(moved, 'gwa_other');
    expect(kept).toMatchObject({
      ...{ code: 4, stdout: expect.stringContaining('previous configuration') },
      stderr: expect.stringContaining('ask an admin to retire the device'),
    });
    expect(what()).toEqual(before);
    hub.intercept = null;
    const without = [...words, '--base-url', hub.url, '--data-dir', makeFolder()];
    const { code, stdout } = await runCommand(without);
    expect(code).toBe(0);
    expect(stdout).toContain('This agent has no token');
    expect(stdout).not.toContain('first contact');
    await hub.close();
  });

  test('ends an enrollment with 4 when no hub answers at the address, and accepts an older hub', async () => {
    const hub = await startHubDouble();
    const notFound = { status: 404, body: { error: { code: 'not_found', message: 'x' } } };
    const enrol = () =>
      runCommand(
        [...ENROLL, '--base-url', hub.url, '--data-dir', makeFolder(), '--auth-token-stdin'],
        'gwa_secret\n',
      );
    hub.intercept = () => notFound;
    expect(await enrol()).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/no device API at this address: check backend\.base_url/),
    });
    // The console's pages under a path of theirs.
    hub.intercept = ({ method }) =>
      method === 'POST' ? notFound : { status: 200, text: '<html>console</html>' };
    expect(await enrol()).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/this is no hub: check backend\.base_url/),
    });
    hub.intercept = ({ path }) => (path.endsWith('/enroll') ? notFound : null);
    const older = await enrol();
    expect(older).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(older.stdout)).toMatchObject({ device_token: 'not offered' });
    // A trouble that passes is no wrong address.
    const busy = { status: 503, body: { error: { code: 'unavailable', message: 'x' } } };
    hub.intercept = ({ method }) => (method === 'POST' ? notFound : busy);
    expect(await enrol()).toMatchObject({ code: 0 });
    await hub.close();
  });

  test('prints no secret that a failing hub or proxy repeats', async () => {
    const hub = await startHubDouble();
    hub.intercept = ({ headers }) => ({
      status: 503,
      body: {
        error: {
          code: 'in_trouble',
          message: `no postgres://a:planted@db for ${headers.authorization}\nand my-own-token\u001b[31m`,
        },
        request_id: 'r',
      },
    });
    const args = [...ENROLL, '--base-url', hub.url, '--data-dir', makeFolder()];
    const { stdout } = await runCommand([...args, '--auth-token-stdin'], 'my-own-token');
    expect(stdout).not.toMatch(/planted|my-own-token/);
    expect(JSON.parse(stdout).hub_error).toMatch(/^503 in_trouble: no postgres:[^\p{Cc}]*$/u);
    await hub.close();
  });

  test('scans without a hub in the wire format, twice with the same result', async () => {
    const dataDir = makeFolder();
    const [first, second] = [
      await runCommand(['scan', '--json', '--data-dir', dataDir]),
      await runCommand(['scan', '--json', '--data-dir', dataDir]),
    ];
    const { entities, problems, duration_ms } = JSON.parse(first.stdout);
    expect(entities.every((e: unknown) => Value.Check(WireEntity, e))).toBe(true);
    expect(Array.isArray(problems)).toBe(true);
    expect(duration_ms).toBeGreaterThan(0);
    expect(JSON.parse(second.stdout).entities).toEqual(entities);
    expect(existsSync(join(dataDir, 'agent.db'))).toBe(false);
  });

  test('lists processes without a service and with a running service', async () => {
    const dataDir = makeFolder();
    const alone = JSON.parse(
      (await runCommand(['processes', '--json', '--data-dir', dataDir])).stdout,
    );
    const own = alone.processes.find((p: { pid: number }) => p.pid === process.pid);
    expect(own).toMatchObject({
      name: 'node',
      decision: 'allow',
      override_id: null,
      protected: 'agent_itself',
    });
    const hub = await startHubDouble();
    writeConfig(dataDir, hub.url, 'monitor');
    await startAgent(dataDir);
    await until(async () => {
      const { stdout } = await runCommand(['processes', '--json', '--data-dir', dataDir]);
      return JSON.parse(stdout).processes.some((p: { pid: number }) => p.pid === process.pid);
    });
    await hub.close();
  });

  test('explains why a program may or may not run, with the ids of the console', async () => {
    const dataDir = makeFolder();
    const hub = await startHubDouble();
    const monitored = makeOverride({
      match: { name: 'node' },
      execution_policy: 'monitor',
      reason: 'for the report',
    });
    const idle = makeOverride({ match: { name: 'game' }, reason: 'no games' });
    hub.overrides = [monitored, idle];
    writeConfig(dataDir, hub.url, 'monitor');
    await startAgent(dataDir);
    const why = (what: string, ...more: string[]) =>
      runCommand(['why', what, '--data-dir', dataDir, ...more]);
    await until(async () => (await why('game')).code === 0);
    await until(async () => (await why(String(process.pid))).code === 0);
    const [own] = JSON.parse((await why(String(process.pid), '--json')).stdout).processes;
    expect(own).toMatchObject({
      pid: process.pid,
      decision: 'monitor',
      override_id: monitored.override_id,
      override: { reason: 'for the report', match: { name: 'node' }, in_force: true },
    });
    const { stdout } = await why(String(process.pid));
    expect(stdout).toMatch(/^node \(pid \d+\) \//);
    expect(stdout).toContain(`  decided      monitor, by ${monitored.override_id}\n`);
    expect(stdout).toContain('  reason       for the report\n');
    expect((await why(idle.override_id)).stdout).toMatch(
      /^Nothing runs of game\n(?:.*\n)*.*no games/,
    );
    await hub.close();
  });

  test.runIf(process.getuid?.() === 0)(
    'shows users only their own processes, and lets only root change anything',
    async () => {
      const dataDir = makeFolder();
      chmodSync(dataDir, 0o711);
      const hub = await startHubDouble();
      writeConfig(dataDir, hub.url, 'monitor');
      await startAgent(dataDir);
      const ask = (socket: string, path: string, key: string | null) =>
        new Promise<{ status: number; pids: number[] } | string>((resolve) => {
          const headers = key === null ? {} : { authorization: `Bearer ${key}` };
          const at = { socketPath: join(dataDir, socket), path, headers };
          http
            .get(at, (response) => {
              response.setEncoding('utf8');
              let text = '';
              response.on('data', (chunk: string) => {
                text += chunk;
              });
              response.on('end', () => {
                const { processes = [] } = JSON.parse(text);
                const pids = processes.map((process: { pid: number }) => process.pid);
                resolve({ status: response.statusCode ?? 0, pids });
              });
            })
            .on('error', (error: Error & { code?: string }) => resolve(error.code ?? ''));
        });
      expect(statSync(join(dataDir, 'status.sock')).mode & 0o777).toBe(0o666);
      expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600);
      const own = readFileSync(join(dataDir, 'people', '0'), 'utf8');
      const theirs = spawn('sleep', ['600'], { uid: 54_321, gid: 54_321, stdio: 'ignore' });
      onTestFinished(() => {
        theirs.kill('SIGKILL');
      });
      await until(async () => {
        const all = await ask('control.sock', '/processes', null);
        return typeof all !== 'string' && all.pids.includes(theirs.pid ?? 0);
      });
      const mine = await ask('status.sock', '/processes', own);
      expect(mine).toMatchObject({ status: 200, pids: expect.arrayContaining([process.pid]) });
      expect(mine).toMatchObject({ pids: expect.not.arrayContaining([theirs.pid]) });
      for (const key of [null, '0'.repeat(64)]) {
        expect(await ask('status.sock', '/processes', key)).toEqual({ status: 200, pids: [] });
      }
      for (const path of ['/queue', '/quarantine', '/off', '/scan']) {
        expect(await ask('status.sock', path, own)).toMatchObject({ status: 404 });
      }
      await hub.close();
    },
  );

  test.each([
    [['status'], 3, 'no agent runs on'],
    [['flush'], 3, 'no agent runs on'],
    [['run'], 1, 'no hub is configured'],
    [['nonsense'], 2, 'unknown command'],
    [['enroll', '--base-url', 'https://x'], 2, '--tenant-id'],
  ])('exits for %j with %i and a single line', async (args, exitCode, line) => {
    const data = args[0] === 'nonsense' ? [] : ['--data-dir', makeFolder()];
    const { code, stdout, stderr } = await runCommand([...args, ...data]);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('reports a wrong configuration in a single line with the key', async () => {
    const dataDir = makeFolder();
    writeFileSync(join(dataDir, 'agent.toml'), '[agent]\ndelta_interval = 5\n');
    for (const command of ['run', 'scan', 'status']) {
      const { code, stderr } = await runCommand([command, '--data-dir', dataDir]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^\S+agent\.toml: agent\.delta_interval must be [^\n]+\n$/);
    }
  });

  test.runIf(canBecomeNobody())(
    'claims neither an empty queue nor a change without a running service',
    async () => {
      const dataDir = makeFolder();
      chmodSync(dataDir, 0o711);
      expect((await runCommand(['off', '--data-dir', dataDir])).code).toBe(0);
      for (const command of ['queue', 'off', 'on']) {
        const refused = await runCommand([command, '--data-dir', dataDir], '', { uid: 54_321 });
        expect(refused).toEqual({
          ...{ code: 4, stdout: '' },
          stderr: 'this needs root, or the account that the agent runs under\n',
        });
      }
      expect(existsSync(join(dataDir, 'kill-switch'))).toBe(true);
    },
  );

  test('turns the kill switch on without a service, and doctor finds the missing parts', async () => {
    const dataDir = makeFolder();
    expect((await runCommand(['off', '--data-dir', dataDir])).code).toBe(0);
    expect(existsSync(join(dataDir, 'kill-switch'))).toBe(true);
    expect((await runCommand(['on', '--data-dir', dataDir])).code).toBe(0);
    expect(existsSync(join(dataDir, 'kill-switch'))).toBe(false);
    const doctor = await runCommand(['doctor', '--json', '--data-dir', dataDir]);
    expect(doctor.code).toBe(1);
    expect(doctor.stderr.trim()).toMatch(/checks failed: configuration, token/);
    expect(JSON.parse(doctor.stdout).checks.length).toBeGreaterThan(4);
  });
});

test.runIf(canBecomeNobody())(
  'runs every command under an account without a passwd entry',
  async () => {
    const stranger = { uid: 48_151, env: { HOME: undefined } };
    const dataDir = makeFolder();
    chownSync(dataDir, stranger.uid, stranger.uid);
    const scan = await runCommand(['scan', '--json', '--data-dir', dataDir], '', stranger);
    expect(scan.stderr).toBe('');
    expect(scan.code).toBe(0);
    // The user has no home, so the agent cannot create a data folder.
    const nowhere = await runCommand(
      ['enroll', ...ENROLL.slice(1, -1), '--base-url', 'http://localhost:9'],
      '',
      stranger,
    );
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^cannot make the data folder \/nonexistent.*\n$/),
    });
  },
);
