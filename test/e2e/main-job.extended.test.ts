// The main job on real input: this machine's packages travel from a real agent to the hub and its console, a person
// blocks a program in Chromium, the real process ends; an alert outlives a hub that is away and a killed agent.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inOwnNamespace } from '@gatewarden/agent/test/namespace.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import {
  AGENT_MAIN,
  freePort,
  HUB_MAIN,
  jsonCommand,
  type Program,
  startProgram,
} from '../support/programs.ts';

const PROGRAM = `gw-demo-${process.pid}`;
const EMAIL = 'ada@example.com';
const PASSWORD = 'a long enough password';
const PICTURE = join(import.meta.dirname, '../../docs/pictures/console.png');

const folder = mkdtempSync(join(tmpdir(), 'gw-e2e-'));
const agentDir = join(folder, 'agent');
const demoBinary = join(folder, 'bin', PROGRAM);
const children = new Set<Program>();
let hubEnv: NodeJS.ProcessEnv;
let agentEnv: NodeJS.ProcessEnv;
let url: string;
let tenantId: string;
let hub: Program;
let agent: Program;
let browser: Browser;
let page: Page;

inOwnNamespace(
  import.meta.filename,
  () => {
    beforeAll(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      hubEnv = {
        HUB_DATA_DIR: join(folder, 'hub'),
        HUB_PORT: String(port),
        HUB_LOG_LEVEL: 'info',
        LLMGATEWAY_MANAGEMENT_API_ENABLED: 'true',
      };
      makeDemoProgram();
      // The demo's desktop entry is listed beside those of the machine.
      agentEnv = {
        XDG_DATA_DIRS: `${join(folder, 'share')}:/usr/local/share:/usr/share`,
        DBUS_SESSION_BUS_ADDRESS: '',
      };
      hub = await startHub();
      const { tenant_id } = await jsonCommand<{ tenant_id: string }>(
        HUB_MAIN,
        ['tenant', 'create', '--name', 'Analytical Engines'],
        hubEnv,
      );
      tenantId = tenant_id;
      const user = ['user', 'create', '--tenant', tenantId, '--email', EMAIL, '--role', 'Admin'];
      await jsonCommand(HUB_MAIN, [...user, '--password-stdin'], hubEnv, PASSWORD);
      await enrolAgent();
      agent = await startAgent();
      browser = await openChromium();
      page = await signedInPage();
    });

    afterAll(async () => {
      await browser?.close();
      for (const program of children) await program.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    });

    describe('the main job', () => {
      it('shows every package of this machine in the console, and none that it has not', async () => {
        await expect
          .poll(installedInConsole, { timeout: 120_000, interval: 1_000 })
          .toEqual(installedHere());
        await page.goto(`${url}/console/t/${tenantId}/devices`);
        await page.getByTestId('device-row').first().waitFor();
        expect(await page.getByTestId('device-row').count()).toBe(1);
      });

      it('ends the real process that a person blocks, with its activity and its alert on the page', async () => {
        const demo = startDemo();
        const alerts = await browser.contexts()[0]?.newPage();
        if (alerts === undefined) throw new Error('no browser context');
        await alerts.goto(`${url}/console/t/${tenantId}/activity/alerts`);
        await alerts.getByRole('heading', { level: 1 }).waitFor();
        expect(await alerts.getByTestId('alert-row').count()).toBe(0);

        await page.goto(`${url}/console/t/${tenantId}/inventory/all`);
        await page.getByRole('searchbox').or(page.getByLabel('Search apps')).first().fill(PROGRAM);
        const row = page.getByTestId('application-row').filter({ hasText: PROGRAM });
        await row.waitFor();
        await row.getByRole('link').first().click();
        await page.getByRole('radio', { name: 'Blocked', exact: true }).check();
        const preview = page.getByTestId('preview');
        await expect
          .poll(() => preview.getAttribute('data-state'), { timeout: 15_000 })
          .toBe('shown');
        expect(await preview.textContent()).toMatch(/1 device/);
        await page.getByLabel('Reason').fill('Made for this test');
        await savePicture();
        await page.getByTestId('decide-submit').click();

        await expect
          .poll(() => demo.exitCode ?? demo.signalCode, { timeout: 30_000 })
          .not.toBeNull();
        expect(demo.signalCode).toBe('SIGTERM');
        await alerts
          .getByTestId('alert-row')
          .filter({ hasText: PROGRAM })
          .waitFor({ timeout: 15_000 });
        await page.goto(`${url}/console/t/${tenantId}/activity/enforcement`);
        await page.getByTestId('activity-row').filter({ hasText: PROGRAM }).first().waitFor();
        const activity = await consoleItems<{ outcome: string; enforced: boolean }>('activity');
        expect(activity).toContainEqual(
          expect.objectContaining({ outcome: 'terminated', enforced: true }),
        );
        await alerts.close();
      });

      it('ends it again when it is started again', async () => {
        const demo = startDemo();
        await expect.poll(() => demo.signalCode, { timeout: 15_000 }).toBe('SIGTERM');
        await expect.poll(alertsOfDemo, { timeout: 15_000 }).toHaveLength(2);
      });

      it('keeps an alert over a stopped hub and a killed agent, and delivers it exactly once', async () => {
        children.delete(hub);
        expect(await hub.end('SIGTERM')).toBe(0);
        const demo = startDemo();
        await expect.poll(() => demo.signalCode, { timeout: 15_000 }).toBe('SIGTERM');
        await expect.poll(queuedAlerts, { timeout: 15_000 }).toBe(1);
        children.delete(agent);
        expect(await agent.end('SIGKILL')).toBe('SIGKILL');
        agent = await startAgent();
        expect(await queuedAlerts()).toBe(1);

        hub = await startHub();
        await expect.poll(queuedAlerts, { timeout: 90_000, interval: 500 }).toBe(0);
        const delivered = await alertsOfDemo();
        expect(delivered).toHaveLength(3);
        expect(delivered.filter((alert) => alert.queued)).toHaveLength(1);
        await page.goto(`${url}/console/t/${tenantId}/activity/alerts`);
        await page.getByTestId('alert-row').nth(2).waitFor();
        expect(await page.getByTestId('alert-row').count()).toBe(3);
      });
    });
  },
  'browser-extended',
);

async function startHub(): Promise<Program> {
  const program = await startProgram(HUB_MAIN, ['serve'], hubEnv);
  children.add(program);
  return program;
}

async function startAgent(): Promise<Program> {
  const program = await startProgram(AGENT_MAIN, ['run', '--data-dir', agentDir], agentEnv);
  children.add(program);
  return program;
}

async function enrolAgent(): Promise<void> {
  const { token } = await jsonCommand<{ token: string }>(
    HUB_MAIN,
    ['token', 'agent', '--tenant', tenantId, '--name', 'e2e'],
    hubEnv,
  );
  const args = ['enroll', '--base-url', url, '--tenant-id', tenantId, '--subscriber-id', 'ada'];
  const config = join(agentDir, 'agent.toml');
  mkdirSync(agentDir, { recursive: true, mode: 0o700 });
  await jsonCommand(
    AGENT_MAIN,
    [
      ...args,
      '--auth-token-stdin',
      '--data-dir',
      agentDir,
      '--config',
      config,
      '--enforcement',
      'enforce',
    ],
    agentEnv,
    token,
  );
  // A person who waits for a test wants the next poll soon.
  const toml = readFileSync(config, 'utf8').replace('[agent]', '[agent]\ndelta_interval = "1s"');
  writeFileSync(config, toml, { mode: 0o600 });
}

/** A harmless program of our own: a copy of `sleep`, known to the desktop as an application. */
function makeDemoProgram(): void {
  mkdirSync(join(folder, 'bin'));
  copyFileSync('/usr/bin/sleep', demoBinary);
  chmodSync(demoBinary, 0o755);
  const applications = join(folder, 'share/applications');
  mkdirSync(applications, { recursive: true });
  writeFileSync(
    join(applications, `${PROGRAM}.desktop`),
    `[Desktop Entry]\nType=Application\nName=${PROGRAM}\nExec=${demoBinary} %U\n`,
  );
}

function startDemo() {
  const demo = spawn(demoBinary, ['600'], { stdio: 'ignore' });
  children.add({
    child: demo,
    lines: [],
    ended: Promise.resolve(null),
    async end(signal) {
      demo.kill(signal);
      return null;
    },
  });
  return demo;
}

async function signedInPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const opened = await context.newPage();
  await opened.goto(`${url}/`);
  await opened.getByRole('link', { name: /sign in/i }).click();
  await opened.getByLabel('E-mail').fill(EMAIL);
  await opened.getByLabel('Password').fill(PASSWORD);
  await opened.getByRole('button', { name: 'Sign in' }).click();
  await opened.waitForURL(/\/console\/t\//);
  return opened;
}

/** All items of a console list, with the person's own session, as the pages ask for them. */
async function consoleItems<Item>(list: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const separator = list.includes('?') ? '&' : '?';
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const answer = await page.request.get(
      `${url}/console/api/v1/tenants/${tenantId}/${list}${separator}limit=200${after}`,
    );
    expect(answer.status()).toBe(200);
    const body = (await answer.json()) as { items: Item[]; next_cursor: string | null };
    items.push(...body.items);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return items;
}

async function installedInConsole(): Promise<string[]> {
  const packages = await consoleItems<{
    name: string;
    source: string;
    versions: { version: string }[];
  }>('discovered-apps?kind=package');
  return packages
    .filter((app) => app.source === 'dpkg')
    .map((app) => `${app.name} ${app.versions[0]?.version}`)
    .sort();
}

function installedHere(): string[] {
  const format = '$' + '{Package} $' + '{Version} $' + '{db:Status-Status}\n';
  return execFileSync('dpkg-query', ['-W', '-f', format], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.endsWith(' installed'))
    .map((line) => line.replace(/ installed$/, ''))
    .sort();
}

async function alertsOfDemo(): Promise<{ queued: boolean }[]> {
  const alerts = await consoleItems<{ queued: boolean; process: { name: string } | null }>(
    'alerts',
  );
  return alerts.filter((alert) => alert.process?.name === PROGRAM);
}

async function queuedAlerts(): Promise<number> {
  const status = await jsonCommand<{ alerts_queued: number }>(
    AGENT_MAIN,
    ['status', '--data-dir', agentDir],
    agentEnv,
  );
  return status.alerts_queued;
}

/** The picture in the README is made here; a plain run leaves the tree as it is. */
async function savePicture(): Promise<void> {
  if (process.env.GATEWARDEN_PICTURES !== '1') return;
  await page.evaluate(
    `scrollBy(0, document.querySelector('.gw-decide').getBoundingClientRect().top - 140)`,
  );
  // Transitions do not run in a page behind another page.
  await page.bringToFront();
  await page.screenshot({ path: PICTURE, animations: 'disabled', caret: 'hide' });
}
