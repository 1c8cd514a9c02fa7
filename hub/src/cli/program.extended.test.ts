// The hub's program as a user runs it: exit codes, JSON documents, tables, and its end with npm.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { afterAll, expect, it } from 'vitest';
import { HUB_MAIN, jsonCommand, runCommand } from '../../../test/support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'gw-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { HUB_DATA_DIR: join(folder, 'hub'), HUB_PORT: '0' };
const nowhere = { ...env, HUB_DATA_DIR: join(folder, 'nowhere') };
const run = (...words: string[]) => runCommand(HUB_MAIN, words, env);

it.each<[string, string[], number, RegExp]>([
  ['an unknown command', ['tenat', 'list'], EXIT.usage, /unknown command 'tenat' \(Did you mean/],
  ['an unknown option', ['device', 'list', '--platfrom'], EXIT.usage, /Did you mean --platform/],
  ['a wrong choice', ['policy', 'set', '--name', 'x', '--action', 'stop'], EXIT.usage, /Allowed/],
  ['a dump without a tenant', ['dump'], EXIT.usage, /either --tenant TENANT or --url/],
  ['a dump without a key', ['dump', '--url', 'http://127.0.0.1:1'], EXIT.usage, /_MANAGEMENT_KEY/],
  ['an incomplete init', ['init', '--tenant', 'A'], EXIT.usage, /--password-stdin are required/],
  ['a list without an installation', ['device', 'list'], EXIT.negative, /holds no installation/],
])('ends %s with its exit code, a line and a JSON document', async (_, words, code, message) => {
  const result = await runCommand(HUB_MAIN, [...words, '--json'], {
    ...nowhere,
    ...(words.includes('dump') && !words.includes('--url')
      ? { DATABASE_URL: 'postgres://127.0.0.1:1/x', HUB_MASTER_KEY: 'ab'.repeat(32) }
      : {}),
  });
  expect(result.code).toBe(code);
  expect(result.problem.trim().split('\n')).toEqual([expect.stringMatching(message)]);
  const { error } = JSON.parse(result.out) as { error: { code: string; message: string } };
  expect(error.code).toBe(code === EXIT.usage ? 'usage' : 'negative');
  expect(error.message).toMatch(message);
  expect(existsSync(nowhere.HUB_DATA_DIR)).toBe(false);
});

it('creates an installation with init, lists it as a table, and refuses a second init', async () => {
  const init = ['init', '--tenant', 'Acme', '--email', 'ada@acme.example', '--password-stdin'];
  const created = await jsonCommand<{ tenant_id: string; console_url: string }>(
    HUB_MAIN,
    init,
    env,
    'correct horse battery\n',
  );
  expect(created.console_url).toMatch(/\/console\/$/);
  const { out } = await run('tenant', 'list');
  const [header = '', row = '', end] = out.split('\n');
  expect(header).toMatch(/^TENANT +NAME +STATE +CREATED$/);
  expect(row).toMatch(new RegExp(`^${created.tenant_id} +Acme +active +\\d{4}-`));
  expect(end).toBe('');
  const again = await runCommand(HUB_MAIN, [...init, '--json'], env, 'correct horse battery\n');
  expect(again.code).toBe(EXIT.refused);
  expect(JSON.parse(again.out)).toMatchObject({ error: { code: 'already_exists' } });
  expect((await run('device', 'list')).out).toBe('No devices.\n');
  const missing = await run('device', 'show', 'laptop', '--json');
  expect(missing.code).toBe(EXIT.negative);
  const unconfirmed = await run('tenant', 'suspend', '--tenant', 'Acme');
  expect([unconfirmed.code, unconfirmed.out]).toEqual([EXIT.usage, '']);
});

it('ends the hub with SIGTERM to npm', async () => {
  const child = spawn('npm', ['run', 'hub', '--', 'serve'], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (part: Buffer) => {
    log += String(part);
  });
  await expect.poll(() => log).toContain('"event":"ready"');
  const closed = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGTERM');
  // The pipe closes when the hub has ended, too.
  await closed;
  expect(log).toContain('"event":"stopped"');
});
