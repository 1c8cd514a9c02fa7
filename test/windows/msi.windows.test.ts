// The Windows Installer packages of a machine and of a user: their tables, and silent installations under Wine with an
// upgrade and an uninstallation.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentScope } from '../../agent/src/config/agent-scope.ts';
import {
  ENROLL_PROPERTIES,
  packMsi,
  RUN_KEY,
  RUN_VALUE,
  UPGRADE_CODES,
} from '../../installers/src/msi.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
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

const PROGRAM_NAME = `C:\\${PROGRAM_FOLDER.replaceAll('/', '\\')}\\bin\\node.exe`;
const PROFILE_LIST = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';
const VERSIONS = ['0.1.0', '0.1.1'] as const;

/** Builds a package; returns its path. */
async function buildMsi(
  folder: string,
  version: (typeof VERSIONS)[number],
  scope: AgentScope,
): Promise<string> {
  const platform = { os: 'win32', arch: 'x64' } as const;
  const target = { version, platform, epoch: 1_700_000_000, updateKey: null };
  const options = { parts: PART_MODULES, scope };
  const file = await packMsi(join(folder, `${scope}-${version}`), folder, target, options);
  if (file === null) throw new Error('wixl is missing');
  return file;
}

/** Builds both versions of a scope's package before the tests. Returns readers of the first, and the paths of both. */
function usePackages(scope: AgentScope) {
  let folder: string;
  const files: string[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gw-msi-'));
    for (const version of VERSIONS) files.push(await buildMsi(folder, version, scope));
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (...args: string[]) => execFileSync('msiinfo', args, { encoding: 'utf8' });
  const table = (name: string): string[][] =>
    read('export', files[0] ?? '', name)
      .split(/\r?\n/)
      .slice(3)
      .map((line) => line.split('\t'));
  return {
    files,
    table,
    summary: () => read('suminfo', files[0] ?? ''),
    property: (name: string) => table('Property').find(([key]) => key === name)?.[1],
    sequence: () =>
      new Map(table('InstallExecuteSequence').map(([action, , at]) => [action, Number(at)])),
  };
}

/** Opens a Wine machine that keeps running between the tests. */
async function openMachine(): Promise<WineMachine> {
  const windows = await openWineMachine();
  // Services do not inherit the environment of this process, and Node rejects Wine's version of Windows.
  const variables = 'HKLM\\System\\CurrentControlSet\\Control\\Session Manager\\Environment';
  const value = ['/v', 'NODE_SKIP_PLATFORM_CHECK', '/d', '1', '/f'];
  await windows.run('reg', ['add', variables, ...value]);
  windows.restart();
  // Wine stops its services when the last program ends.
  windows.start(PROGRAM_NAME, ['-e', 'setInterval(() => {}, 60_000)']);
  return windows;
}

const onWindows = (file: string | undefined) => `Z:${file?.replaceAll('/', '\\')}`;
const propertiesOf = (settings: Record<string, string>) =>
  Object.entries(settings).map(([name, value]) => `${name}=${value}`);

describe.skipIf(reason !== null)('the MSI of the agent', () => {
  const { files, table, property, sequence: readSequence } = usePackages('machine');

  test('keeps the upgrade code and takes the settings as secure properties', () => {
    expect(property('UpgradeCode')).toBe(`{${UPGRADE_CODES.machine}}`);
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
    const sequence = readSequence();
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
      windows = await openMachine();
    }, 300_000);
    // The server of the prefix ends with all of its programs.
    afterAll(() => windows.close());

    const installed = () => join(windows.drive, 'Program Files/Gatewarden');
    const data = () => join(windows.drive, 'ProgramData/Gatewarden');
    const msiexec = (...args: string[]) => windows.run('msiexec', [...args, '/qn']);
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
      const settings = propertiesOf(SETTINGS);
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
      // Device management repeats its command with a token that the hub no longer accepts.
      const settings = propertiesOf({ ...SETTINGS, TENANT_ID: randomUUID() });
      expect((await msiexec('/i', onWindows(files[1]), ...settings)).code).toBe(0);
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

describe.skipIf(reason !== null)('the MSI of a user', () => {
  const { files, table, summary, property, sequence } = usePackages('user');

  test('has an upgrade code of its own, and needs no administrator', () => {
    expect(property('UpgradeCode')).toBe(`{${UPGRADE_CODES.user}}`);
    expect(property('ALLUSERS')).toBe(undefined);
    // Bit 3 of the word count: the package is installed without elevated privileges.
    expect(Number(/Source: (\d+)/.exec(summary())?.[1]) & 8).toBe(8);
    expect(property('SecureCustomProperties')?.split(';')).toEqual(
      expect.arrayContaining(Object.keys(ENROLL_PROPERTIES)),
    );
  });

  test('installs below the profile, without a service, and starts the agent at sign-in', () => {
    const folders = new Map(table('Directory').map(([id, parent]) => [id, parent]));
    expect(folders.get('INSTALLDIR')).toBe('ProgramsFolder');
    expect(folders.get('ProgramsFolder')).toBe('LocalAppDataFolder');
    expect(table('ServiceInstall').flat().filter(Boolean)).toEqual([]);
    const launcher = '"[INSTALLDIR]bin\\node.exe" "[INSTALLDIR]app\\launcher.js"';
    const values = table('Registry').map((row) => row.slice(1, 5));
    expect(values.filter((row) => row.length === 4)).toEqual([
      ['1', RUN_KEY, RUN_VALUE, `${launcher} run --background`],
    ]);
  });

  test('runs every action with the rights of the user, and stops the agent before its files are removed', () => {
    const types = table('CustomAction').map(([, type]) => Number(type));
    expect(types.filter((type) => type & 0x800)).toEqual([]);
    const order = [
      'StopAgent',
      'RemoveAgent',
      'RemoveFiles',
      'InstallFiles',
      'Enroll',
      'StartAgent',
    ];
    const positions = order.map((action) => sequence().get(action) ?? 0);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  describe('under Wine', () => {
    let windows: WineMachine;
    let hub: TestHub;
    let local: string;
    beforeAll(async () => {
      windows = await openMachine();
      hub = await startTestHub();
      local = join(windows.drive, 'users', userInfo().username, 'AppData/Local');
    }, 300_000);
    // The server of the prefix ends with all of its programs.
    afterAll(async () => {
      windows?.close();
      await hub?.stop();
    });

    const data = () => join(local, 'Gatewarden');
    const program = () => join(local, 'Programs/Gatewarden');
    const node = () =>
      `C:\\users\\${userInfo().username}\\AppData\\Local\\Programs\\Gatewarden\\bin\\node.exe`;
    const agent = (...args: string[]) =>
      windows.run(node(), [node().replace('bin\\node.exe', 'app\\main.js'), ...args]);
    const msiexec = (...args: string[]) => windows.run('msiexec', [...args, '/qn']);
    const settings = () =>
      propertiesOf({
        BASE_URL: hub.url,
        TENANT_ID: hub.tenantId,
        SUBSCRIBER_ID: 'ada@acme.example',
        AUTH_TOKEN: hub.agentToken,
      });
    const readLog = () =>
      globSync('logs/*', { cwd: data() })
        .map((file) => readFileSync(join(data(), file), 'utf8'))
        .join('');
    const countStarts = () => readLog().split('"event":"ready"').length - 1;
    /** Plants a profile with an MCP server from a package of this name. */
    const plantServer = (user: string, name: string) => {
      const folder = join(windows.drive, 'users', user, '.cursor');
      mkdirSync(folder, { recursive: true });
      const server = { command: 'node', args: [`C:\\Tools\\${name}\\index.js`] };
      writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { [name]: server } }));
    };
    const list = async (path: string): Promise<Record<string, unknown>[]> =>
      (await hub.console('GET', path)).body.items;
    /** Windows sets this property for the removal of the installed version in an upgrade, and Wine does not. */
    const markInstalledAsUpgraded = () => {
      const [cached = ''] = globSync('windows/Installer/*.msi', { cwd: windows.drive });
      const query =
        "INSERT INTO `Property` (`Property`, `Value`) VALUES ('UPGRADINGPRODUCTCODE', '{NEW}')";
      execFileSync('msibuild', [join(windows.drive, cached), '-q', query]);
    };
    const readRunKey = () => windows.run('reg', ['query', `HKCU\\${RUN_KEY}`, '/v', RUN_VALUE]);
    const MACHINE_SERVICE = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\gatewarden-agent';

    test('does not install beside the agent of the machine', async () => {
      await windows.run('reg', ['add', MACHINE_SERVICE, '/f']);
      expect((await msiexec('/i', onWindows(files[0]), ...settings())).code).not.toBe(0);
      expect(existsSync(join(program(), 'app'))).toBe(false);
      expect(await list('/devices')).toEqual([]);
      await windows.run('reg', ['delete', MACHINE_SERVICE, '/f']);
    });

    test('installs silently, enrolls, and runs the agent without a service', async () => {
      plantServer(userInfo().username, 'gw-own');
      plantServer('bob', 'gw-foreign');
      const bob = `HKLM\\${PROFILE_LIST}\\S-1-5-21-1-2-3-1002`;
      await windows.run('reg', [
        'add',
        bob,
        '/v',
        'ProfileImagePath',
        '/d',
        'C:\\users\\bob',
        '/f',
      ]);
      expect((await msiexec('/i', onWindows(files[0]), ...settings())).code).toBe(0);
      expect(readFileSync(join(data(), 'agent.toml'), 'utf8')).not.toContain(hub.agentToken);
      await expect.poll(countStarts).toBe(1);
      expect((await readRunKey()).out).toContain('run --background');
      expect(existsSync(join(windows.drive, 'ProgramData/Gatewarden'))).toBe(false);
      expect((await agent('status', '--json')).out).toContain('"agent_version":"0.1.0"');
    });

    test('reports the device and the home of its user to the hub, and no other home', async () => {
      await expect
        .poll(() => list('/devices'))
        .toMatchObject([{ platform: 'win32', agent_version: '0.1.0' }]);
      const readApps = async () => (await list('/discovered-apps')).map(({ name }) => name);
      await expect.poll(readApps).toContain('node gw-own/index.js');
      expect(await readApps()).not.toContain('node gw-foreign/index.js');
    });

    test('starts no second agent, and none beside the agent of the machine', async () => {
      const second = await agent('run');
      expect(second.code).not.toBe(0);
      await windows.run('reg', ['add', MACHINE_SERVICE, '/f']);
      const beside = await agent('run');
      expect(beside.code).toBe(1);
      expect(beside.problem).toContain('the service gatewarden-agent serves all users');
      expect(beside.problem.trim().split('\n')).toHaveLength(1);
      await windows.run('reg', ['delete', MACHINE_SERVICE, '/f']);
      expect(countStarts()).toBe(1);
    });

    test('replaces the installed version, keeps the identity, and starts the new version', async () => {
      markInstalledAsUpgraded();
      const identity = readFileSync(join(data(), 'device.json'), 'utf8');
      expect((await msiexec('/i', onWindows(files[1]))).code).toBe(0);
      expect(readFileSync(join(program(), 'version'), 'utf8').trim()).toBe('0.1.1');
      expect(readFileSync(join(data(), 'device.json'), 'utf8')).toBe(identity);
      await expect.poll(countStarts).toBe(2);
      expect(readLog()).toContain('"reason":"parent is gone"');
      await expect
        .poll(() => list('/devices'))
        .toMatchObject([{ platform: 'win32', agent_version: '0.1.1' }]);
    });

    test('leaves nothing behind', async () => {
      expect((await msiexec('/x', onWindows(files[1]))).code).toBe(0);
      expect(existsSync(program())).toBe(false);
      expect(existsSync(data())).toBe(false);
      expect((await readRunKey()).code).not.toBe(0);
    });
  });
});
