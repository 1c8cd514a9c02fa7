// The Windows Installer package: its tables, and a silent installation under Wine with the service, an upgrade and an
// uninstallation.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENROLL_PROPERTIES, packMsi, UPGRADE_CODE } from '../../installers/src/msi.ts';
import {
  openWineMachine,
  PART_MODULES,
  PROGRAM_FOLDER,
  type WineMachine,
  whyNoWindows,
} from './wine.ts';

const reason = whyNoPackage();
if (reason !== null) process.stderr.write(`skipped: the MSI is not tested, because ${reason}\n`);

function whyNoPackage(): string | null {
  const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;
  const missing = ['wixl', 'msibuild', 'msiinfo'].filter(isMissing);
  if (missing.length === 0) return whyNoWindows();
  return `${missing.join(', ')} is missing (apt-get install wixl msitools)`;
}

const SETTINGS = {
  BASE_URL: 'http://127.0.0.1:9',
  TENANT_ID: '11111111-1111-4111-8111-111111111111',
  SUBSCRIBER_ID: 'ada@acme.example',
  AUTH_TOKEN: 'gwa_enrollment',
  ENFORCEMENT: 'monitor',
};

describe.skipIf(reason !== null)('the MSI of the agent', () => {
  let folder: string;
  const files: string[] = [];
  const build = async (version: string) => {
    const platform = { os: 'win32', arch: 'x64' } as const;
    const target = { version, platform, epoch: 1_700_000_000, updateKey: null };
    const file = await packMsi(join(folder, version), folder, target, PART_MODULES);
    if (file === null) throw new Error('wixl is missing');
    files.push(file);
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gw-msi-'));
    await build('0.1.0');
    await build('0.1.1');
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const table = (name: string): string[][] =>
    execFileSync('msiinfo', ['export', files[0] ?? '', name], { encoding: 'utf8' })
      .split(/\r?\n/)
      .slice(3)
      .map((line) => line.split('\t'));
  const property = (name: string) => table('Property').find(([key]) => key === name)?.[1];

  test('keeps the upgrade code and takes the settings as secure properties', () => {
    expect(property('UpgradeCode')).toBe(`{${UPGRADE_CODE}}`);
    expect(property('SecureCustomProperties')?.split(';')).toEqual(
      expect.arrayContaining(Object.keys(ENROLL_PROPERTIES)),
    );
    expect(property('MsiHiddenProperties')).toBe('AUTH_TOKEN;PROXY;ENROLL_OPTIONS');
  });

  test('registers an automatic service that runs the installed agent', () => {
    const [service] = table('ServiceInstall');
    expect(service?.slice(1, 6)).toEqual(['gatewarden-agent', 'Gatewarden agent', '16', '2', '1']);
    expect(service?.[10]).toContain('"[INSTALLDIR]app\\launcher.js" run --service --config');
  });

  test('registers the source of events with a message file of Windows', () => {
    const values = table('Registry').map((row) => row.slice(1, 5));
    const key = 'SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\Gatewarden';
    const file = '[System64Folder]EventCreate.exe';
    expect(values).toContainEqual(['2', key, 'EventMessageFile', file]);
    expect(values).toContainEqual(['2', key, 'TypesSupported', '#7']);
  });

  test('enrolls after the files are installed, with a hidden command line', () => {
    const sequence = new Map(
      table('InstallExecuteSequence').map(([action, , at]) => [action, Number(at)]),
    );
    const order = ['SetSC', 'RemoveExistingProducts', 'InstallFiles', 'InstallServices', 'Enroll'];
    const positions = order.map((action) => sequence.get(action) ?? 0);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(sequence.get('StartService')).toBeGreaterThan(sequence.get('Enroll') ?? Infinity);
    const enroll = table('CustomAction').find(([action]) => action === 'Enroll');
    expect(Number(enroll?.[1]) & 0x2000).toBe(0x2000);
  });

  describe('under Wine', () => {
    let windows: WineMachine;
    beforeAll(async () => {
      windows = await openWineMachine();
      // Services do not inherit the environment of this process, and Node rejects Wine's version of Windows.
      const variables = 'HKLM\\System\\CurrentControlSet\\Control\\Session Manager\\Environment';
      const value = ['/v', 'NODE_SKIP_PLATFORM_CHECK', '/d', '1', '/f'];
      await windows.run('reg', ['add', variables, ...value]);
      windows.restart();
      // Wine stops its services when the last program ends.
      const node = `C:\\${PROGRAM_FOLDER.replaceAll('/', '\\')}\\bin\\node.exe`;
      windows.start(node, ['-e', 'setInterval(() => {}, 60_000)']);
    }, 300_000);
    // The server of the prefix ends with all of its programs.
    afterAll(() => windows.close());

    const installed = () => join(windows.drive, 'Program Files/Gatewarden');
    const data = () => join(windows.drive, 'ProgramData/Gatewarden');
    const msiexec = (...args: string[]) => windows.run('msiexec', [...args, '/qn']);
    const onWindows = (file: string | undefined) => `Z:${file?.replaceAll('/', '\\')}`;
    const countStarts = () => {
      const logs = globSync('agent/logs/*', { cwd: data() });
      const text = logs.map((file) => readFileSync(join(data(), file), 'utf8')).join('');
      return text.split('"event":"ready"').length - 1;
    };
    const serviceState = async () => {
      const { out } = await windows.run('sc', ['query', 'gatewarden-agent']);
      return /STATE\s+: \d+\s+(\w+)/.exec(out)?.[1];
    };

    test('installs silently, enrolls and runs the service', async () => {
      const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
      expect((await msiexec('/i', onWindows(files[0]), ...settings)).code).toBe(0);
      const config = readFileSync(join(data(), 'agent.toml'), 'utf8');
      expect(config).toContain(`subscriber_id = "${SETTINGS.SUBSCRIBER_ID}"`);
      expect(config).toContain('enforcement = "monitor"');
      expect(config).not.toContain(SETTINGS.AUTH_TOKEN);
      await expect.poll(serviceState).toBe('RUNNING');
      await expect.poll(countStarts).toBe(1);
    });

    test('stops the service in order and starts it again', async () => {
      await windows.run('sc', ['stop', 'gatewarden-agent']);
      await expect.poll(serviceState).toBe('STOPPED');
      await windows.run('sc', ['start', 'gatewarden-agent']);
      await expect.poll(serviceState).toBe('RUNNING');
      await expect.poll(countStarts).toBe(2);
    });

    test('replaces the installed version and keeps its configuration', async () => {
      expect((await msiexec('/i', onWindows(files[1]))).code).toBe(0);
      expect(readFileSync(join(installed(), 'version'), 'utf8').trim()).toBe('0.1.1');
      expect(readFileSync(join(data(), 'agent.toml'), 'utf8')).toContain(SETTINGS.TENANT_ID);
      await expect.poll(serviceState).toBe('RUNNING');
    });

    test('removes the program and the service, and keeps the identity', async () => {
      expect((await msiexec('/x', onWindows(files[1]))).code).toBe(0);
      expect(existsSync(join(installed(), 'app'))).toBe(false);
      expect(existsSync(join(data(), 'agent/device.json'))).toBe(true);
      await expect.poll(serviceState).toBe(undefined);
    });
  });
});
