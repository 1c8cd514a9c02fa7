// A hub that cannot start prints a single clear line and exits with 1. Commands work beside a running hub and without a
// hub.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { cloneDatabase, emptyDatabase } from '../support/hub.ts';
import { freePort, HUB_MAIN, jsonCommand, runCommand, startProgram } from '../support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'gw-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = (over: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  HUB_PORT: '0',
  HUB_LOG_LEVEL: 'warn',
  ...over,
});

async function failure(
  args: string[],
  over: NodeJS.ProcessEnv,
  code: number = EXIT.negative,
): Promise<string> {
  const result = await runCommand(HUB_MAIN, args, env(over));
  expect(result.code).toBe(code);
  const lines = result.problem
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

describe('failing start', () => {
  it('rejects a port that is in use', async () => {
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    const line = await failure(['serve'], {
      HUB_DATA_DIR: join(folder, 'taken'),
      HUB_PORT: String(port),
    });
    expect(line).toBe(
      `hub: port ${port} on 127.0.0.1 is taken: stop what listens there, or set HUB_PORT to another`,
    );
    taken.close();
  });

  it('rejects a data folder of another PostgreSQL version', async () => {
    const dataDir = join(folder, 'old');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '16\n');
    expect(await failure(['serve'], { HUB_DATA_DIR: dataDir })).toMatch(
      /was created by PostgreSQL 16, but this hub includes 18/,
    );
  });

  it('rejects an invalid variable', async () => {
    const dataDir = join(folder, 'unused');
    const cases: [NodeJS.ProcessEnv, RegExp][] = [
      [{ HUB_PORT: 'eighty' }, /HUB_PORT must be a whole number/],
      [{ PUBLIC_BASE_URL: 'http://hub.example.com' }, /PUBLIC_BASE_URL must be an https origin/],
      [{ PUBLIC_BASE_URL: 'https://hub.example.com/path' }, /must be an origin only/],
      [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must begin with postgres/],
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, /HUB_MASTER_KEY/],
      [{ HUB_ALLOWED_PRIVATE_NETWORKS: '10.0.0.0/99' }, /is not a CIDR/],
      [{ HUB_MASTER_KEY: 'short' }, /32 bytes/],
    ];
    for (const [over, line] of cases) {
      expect(await failure(['serve'], { HUB_DATA_DIR: dataDir, ...over })).toMatch(line);
    }
  });

  it('rejects a database that does not exist', async () => {
    const over = { DATABASE_URL: 'postgres://127.0.0.1:1/x', HUB_MASTER_KEY: 'ab'.repeat(32) };
    const line = await failure(['serve'], over, EXIT.unreachable);
    expect(line).toMatch(/ECONNREFUSED/);
  });

  it('rejects an older database without a request to migrate, and a wrong master key', async () => {
    const databaseUrl = await cloneDatabase();
    const with_ = (key: string, over = {}) => ({
      DATABASE_URL: databaseUrl,
      HUB_MASTER_KEY: key.repeat(32),
      ...over,
    });
    await jsonCommand(HUB_MAIN, ['tenant', 'create', '--name', 'A'], env(with_('ab')));
    expect(await failure(['tenant', 'list'], with_('cd'))).toMatch(/master key does not open/);
    const empty = databaseUrl.replace(/\/test_\w+/, '/postgres');
    expect(
      await failure(['serve'], { DATABASE_URL: empty, HUB_MASTER_KEY: 'ab'.repeat(32) }),
    ).toMatch(/lacks \d+ migrations/);
  });

  it('rejects a command with wrong arguments', async () => {
    const over = { HUB_DATA_DIR: join(folder, 'cli') };
    expect(await failure(['tenant', 'create'], over, EXIT.usage)).toMatch(/--name/);
    expect(await failure(['token', 'agent', '--tenant', 'x', '--name', 'y'], over)).toMatch(
      /holds no installation/,
    );
    expect(existsSync(over.HUB_DATA_DIR)).toBe(false);
    await jsonCommand(HUB_MAIN, ['tenant', 'create', '--name', 'A'], env(over));
    expect(await failure(['token', 'agent', '--tenant', 'x', '--name', 'y'], over)).toMatch(
      /no tenant x/,
    );
    const user = ['user', 'create', '--tenant', 'x', '--email', 'a@b.c'];
    expect(await failure(user, over, EXIT.usage)).toMatch(/--password-stdin/);
  });
});

describe('commands', () => {
  it('runs commands without a hub and beside a hub, and leaves its database running', async () => {
    const over = env({ HUB_DATA_DIR: join(folder, 'beside'), HUB_LOG_LEVEL: 'info' });
    const first = await jsonCommand<{ tenant_id: string }>(
      HUB_MAIN,
      ['tenant', 'create', '--name', 'Before'],
      over,
    );
    const hub = await startProgram(HUB_MAIN, ['serve'], over);
    await jsonCommand(HUB_MAIN, ['tenant', 'create', '--name', 'Beside'], over);
    const { tenants } = await jsonCommand<{ tenants: { name: string; tenant_id: string }[] }>(
      HUB_MAIN,
      ['tenant', 'list'],
      over,
    );
    expect(tenants.map((tenant) => tenant.name)).toEqual(['Before', 'Beside']);
    expect(tenants[0]?.tenant_id).toBe(first.tenant_id);
    const { ok, checks } = await jsonCommand<{ ok: boolean; checks: unknown[] }>(
      HUB_MAIN,
      ['doctor'],
      over,
    );
    expect([ok, checks.length]).toEqual([true, 7]);
    const ready = hub.lines.find((line) => line.includes('"event":"ready"')) ?? '{}';
    const { url } = JSON.parse(ready) as { url: string };
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await hub.end('SIGTERM')).toBe(0);
  });

  it('reports only that an empty database is empty', async () => {
    const { code, out } = await runCommand(
      HUB_MAIN,
      ['doctor', '--json'],
      env({ DATABASE_URL: await emptyDatabase(), HUB_MASTER_KEY: 'ab'.repeat(32) }),
    );
    expect(code).toBe(1);
    const { checks } = JSON.parse(out) as { checks: { name: string; detail: string }[] };
    const details = Object.fromEntries(checks.map(({ name, detail }) => [name, detail]));
    expect(details).toMatchObject({
      schema: 'none, the database is empty: run migrate, or restore',
      'row security': 'not looked at: the database is empty',
      'master key': 'not looked at: the database is empty',
      'audit trail': 'not looked at: the database is empty',
      durability: 'acknowledged means on disk',
    });
  });

  it('creates users and tokens and migrates, each with a JSON document', async () => {
    const over = env({ HUB_DATA_DIR: join(folder, 'beside') });
    const { migrated } = await jsonCommand<{ migrated: string[] }>(HUB_MAIN, ['migrate'], over);
    expect(migrated).toEqual([]);
    const { tenant_id: tenant } = await jsonCommand<{ tenant_id: string }>(
      HUB_MAIN,
      ['tenant', 'create', '--name', 'C', '--id', '01900000-0000-7000-8000-00000000000A'],
      over,
    );
    expect(tenant).toBe('01900000-0000-7000-8000-00000000000a');
    const user = [
      'user',
      'create',
      '--tenant',
      tenant,
      '--email',
      'u@example.com',
      '--password-stdin',
    ];
    const { user_id } = await jsonCommand<{ user_id: string }>(
      HUB_MAIN,
      user,
      over,
      'long enough\n',
    );
    const { users } = await jsonCommand<{ users: { user_id: string; role: string }[] }>(
      HUB_MAIN,
      ['user', 'list', '--tenant', tenant],
      over,
    );
    expect(users).toEqual([
      expect.objectContaining({ user_id, role: 'Member', email: 'u@example.com' }),
    ]);
    const disabled = ['user', 'disable', '--tenant', tenant, '--user', user_id];
    expect(await jsonCommand(HUB_MAIN, disabled, over)).toEqual({ user_id, disabled: true });
    const selected = ['--tenant', tenant, '--user', user_id];
    expect(await jsonCommand(HUB_MAIN, ['user', 'enable', ...selected], over)).toEqual({
      user_id,
      disabled: false,
    });
    const change = ['user', 'change', ...selected, '--role', 'admin'];
    expect(await jsonCommand(HUB_MAIN, change, over)).toMatchObject({ user_id, role: 'Admin' });
    const agent = [
      'token',
      'agent',
      '--tenant',
      tenant,
      '--name',
      'n',
      '--expires-in',
      '30d',
      '--enrol-only',
    ];
    const { token, token_id } = await jsonCommand<{ token: string; token_id: string }>(
      HUB_MAIN,
      agent,
      over,
    );
    expect(token).toMatch(/^gwa_[0-9A-Za-z]{46}$/);
    const revoke = ['token', 'revoke', '--token-id', token_id, '--yes'];
    expect(await jsonCommand(HUB_MAIN, revoke, over)).toEqual({ token_id, revoked: true });
  });
});
