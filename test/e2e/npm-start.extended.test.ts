// `npm start` on an empty folder, as for a newcomer: it prints the address and the sign-in, which works, and this machine
// is listed; Ctrl-C ends all programs, and the next start continues with the same data.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { openPage } from '../support/console.ts';
import { freePort } from '../support/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'gw-npm-start-'));
const running = new Set<ReturnType<typeof start>>();
let browser: Browser;
let port: number;

beforeAll(async () => {
  browser = await openChromium();
  port = await freePort();
});
afterAll(async () => {
  await browser?.close();
  for (const item of running) await item.interrupt();
  rmSync(folder, { recursive: true, force: true });
});

function start() {
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: ROOT,
    // A hub at the log level debug writes much while the other programs are still starting.
    env: {
      ...process.env,
      GATEWARDEN_DATA_DIR: folder,
      HUB_PORT: String(port),
      HUB_LOG_LEVEL: 'debug',
      GATEWAY_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString('utf8');
    });
  }
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  const program = {
    /** Returns the value that follows this word in the printed summary. */
    async readValue(word: string): Promise<string> {
      const line = new RegExp(`^ {2}${word} +(\\S+)$`, 'm');
      await expect
        .poll(() => (child.exitCode === null ? line.test(output) : output), { timeout: 120_000 })
        .toBe(true);
      return line.exec(output)?.[1] ?? '';
    },
    output: () => output,
    async interrupt() {
      running.delete(program);
      child.kill('SIGINT');
      return ended;
    },
  };
  running.add(program);
  return program;
}

it('prints how to sign in, shows this machine, shuts down in order and restarts with the same data', async () => {
  const first = start();
  const tenant = await first.readValue('Tenant');
  const { page, context } = await openPage(browser);
  await page.goto(`${await first.readValue('Console')}t/${tenant}/devices`);
  await page.getByRole('link', { name: /Sign in/ }).click();
  await page.getByLabel('E-mail').fill(await first.readValue('Sign in'));
  await page.getByLabel('Password').fill(await first.readValue('Password'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  const device = page.getByRole('link', { name: hostname() });
  await device.first().waitFor({ timeout: 120_000 });
  await context.close();
  expect(await first.interrupt()).toBe(0);
  expect(first.output()).toContain('Stopped. The data is kept');

  const second = start();
  expect(await second.readValue('Tenant')).toBe(tenant);
  const refused = gatewarden('uninstall', '--json');
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('it is running on') });
  expect(await second.interrupt()).toBe(0);

  // Every file of the product is removed, which is checked and printed; other files stay.
  const others = join(folder, 'thesis.txt');
  writeFileSync(others, 'mine');
  const { status, stdout } = gatewarden('uninstall', '--yes', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    removed: true,
    looked_at: expect.arrayContaining([{ what: folder, state: 'yours' }]),
  });
  expect([status, readdirSync(folder)]).toEqual([0, ['thesis.txt']]);
  rmSync(others);
  expect(gatewarden('uninstall', '--yes').stdout).toContain(`gone    ${folder}\n`);
});

it('passes commands on to the programs, and rejects an unknown command', () => {
  expect(gatewarden('hub', 'help').stdout).toContain('Run and administer the Gatewarden hub');
  expect(gatewarden('agent', '--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(gatewarden('--help').stdout).toContain('Usage: gatewarden [command]');
  expect(gatewarden('start', 'again')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('unknown command "start again"'),
  });
});

it('removes nothing from a folder where start never ran, or that has other files', () => {
  const others = mkdtempSync(join(tmpdir(), 'gw-others-'));
  mkdirSync(join(others, 'hub'));
  writeFileSync(join(others, 'demo.json'), '{"name":"mine"}');
  const away = uninstallFrom({ GATEWARDEN_DATA_DIR: others });
  expect([away.status, away.stdout]).toEqual([0, expect.stringContaining(`yours   ${others}\n`)]);
  expect(readdirSync(others).sort()).toEqual(['demo.json', 'hub']);
  rmSync(others, { recursive: true });
  for (const GATEWARDEN_DATA_DIR of ['.', homedir(), '/']) {
    const refused = uninstallFrom({ GATEWARDEN_DATA_DIR });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('cannot be /')]);
  }
  const database = uninstallFrom({ DATABASE_URL: 'postgres://db.example/x' });
  expect(database).toMatchObject({ status: 1, stderr: expect.stringContaining('DATABASE_URL') });
});

/** Runs the command as `npx gatewarden` does. */
const gatewarden = (...words: string[]) => run(words, {});
const uninstallFrom = (env: Record<string, string>) => run(['uninstall', '--yes'], env);

function run(words: readonly string[], env: Record<string, string>) {
  return spawnSync(process.execPath, ['scripts/gatewarden.mjs', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, GATEWARDEN_DATA_DIR: folder, ...env },
  });
}
