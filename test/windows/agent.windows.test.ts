// The agent on Windows, as far as Wine shows it: the bundle against a real hub. Each test continues on the machine of the
// test before. What Wine cannot show is listed in docs/reference/support-matrix.md.

import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { makeWindows } from '@gatewarden/agent/test/machines.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRelease } from '../../hub/src/features/devices/releases/index.ts';
import { publicKeyText, signRelease } from '../../installers/src/sign.ts';
import type { Build } from '../../installers/src/stage.ts';
import { packWindowsTar } from '../../installers/src/tar.ts';
import { type Answer, startTestHub, type TestHub } from '../support/hub.ts';
import { makeSigner, whyNoSigning } from './code-signing.ts';
import { type HubGate, openHubGate } from './hub-gate.ts';
import {
  installAgent,
  openWineMachine,
  PART_MODULES,
  PROGRAM_FOLDER,
  type WineMachine,
  type WineProgram,
  whyNoWindows,
} from './wine.ts';

const SID = 'S-1-5-21-1-2-3-1001';
const HOME_NAME = 'Zoë Müller (日本)';
const HOME = `Users/${HOME_NAME}`;
/** A project with a path of more than 260 characters. */
const DEEP_PROJECT = `${HOME}/code/${['a', 'b', 'c'].map((name) => name.repeat(80)).join('/')}`;
/** The home of the account that programs of the tests run under. */
const OWN_HOME = `users/${userInfo().username}`;
const CONFIG = 'C:\\ProgramData\\Gatewarden\\agent.toml';
const DATA = 'ProgramData/Gatewarden/agent';
const CURSOR = `${HOME}/.cursor/mcp.json`;
const REGISTRY_FILES = [
  ...['profiles', 'uninstall', 'uninstall32', 'person', 'upgrade', 'appx', 'packages', 'python'],
];
const reason = whyNoWindows();
if (reason !== null) process.stdout.write(`the Windows lane is skipped: ${reason}\n`);
const unsigned = whyNoSigning();
if (unsigned !== null) process.stdout.write(`the test of publishers is skipped: ${unsigned}\n`);

/** The key of the vendor, which signs releases. */
const vendor = generateKeyPairSync('ed25519');
let machine: WineMachine;
let hub: TestHub;
let gate: HubGate;
let service: WineProgram;
/** Configuration of Cursor before anything was changed. */
let cursorBefore: Buffer;

describe.skipIf(reason !== null)('agent on Windows', () => {
  beforeAll(async () => {
    machine = await openWineMachine();
    hub = await startTestHub();
    gate = await openHubGate(hub.url);
    plantMachine();
    for (const name of REGISTRY_FILES) await machine.importRegistry(`C:\\registry\\${name}.reg`);
    cursorBefore = readFileSync(onDrive(CURSOR));
    if (unsigned === null) await plantSignedPrograms();
  });

  afterAll(async () => {
    await service?.kill();
    machine?.close();
    gate?.stop();
    await hub?.stop();
  });

  it('refuses to enroll where the folder of the configuration is a link', async () => {
    const target = onDrive('ProgramData/planted');
    mkdirSync(target);
    symlinkSync(target, onDrive('ProgramData/Gatewarden'));
    const { code, problem } = await enroll();
    expect(code).toBe(1);
    expect(problem).toContain('it is a link to C:\\ProgramData\\planted');
    expect(readdirSync(target)).toEqual([]);
    rmSync(onDrive('ProgramData/Gatewarden'));
  });

  it('enrolls with a hub, and takes the configuration folder from other users', async () => {
    mkdirSync(onDrive('ProgramData/Gatewarden'));
    chmodSync(onDrive('ProgramData/Gatewarden'), 0o777);
    const { code, problem } = await enroll();
    expect(code, problem).toBe(0);
    const file = onDrive('ProgramData/Gatewarden/agent.toml');
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(hub.agentToken);
    const settings =
      '[agent]\nallow_untested_platform = true\ndelta_interval = "1s"\nchange_interval = "1s"\ncrash_limit = 0';
    const update = `\n[update]\npublic_key = "${publicKeyText(vendor.privateKey)}"\n`;
    writeFileSync(file, (text.replace('[agent]', settings) + update).replaceAll('\n', '\r\n'));
    for (const folder of ['ProgramData/Gatewarden', DATA]) {
      expect(statSync(onDrive(folder)).mode & 0o002, folder).toBe(0);
    }
  });

  it('reports start, stop and failure of the service to the event log', async () => {
    const supervised = await machine.startSupervised(['--config', CONFIG]);
    await expect.poll(supervised.log).toContain('The Gatewarden agent 0.1.0 has started.');
    supervised.stop();
    await expect.poll(supervised.hasEnded).toBe(true);
    const stopped = 'The Gatewarden agent 0.1.0 has stopped: parent is gone.';
    expect(supervised.log()).toContain(stopped);
    const { problem } = await machine.agent(['run', '--config', 'C:\\missing.toml']);
    expect(problem).toContain('The Gatewarden agent failed: cannot read the configuration');
  });

  it('reports software of registry, browsers, editors and MCP clients', async () => {
    service = await startService();
    await expect
      .poll(appNames)
      .toEqual(
        expect.arrayContaining([
          ...['7-Zip 24.08 (x64)', 'Müller Büro', 'Old Tool', 'Cursor (User)', 'ChatGPT'],
          ...['Shopping Helper', 'uBlock Origin', 'GitHub.copilot', 'Claude Code', 'rich'],
          ...['gw-files', 'gw-notes', 'gw-desktop', 'gw-deep'].map(
            (name) => `node ${name}/index.js`,
          ),
        ]),
      );
    const devices = await list<{ platform: string }>('/devices');
    expect(devices).toMatchObject([{ platform: 'win32' }]);
  });

  it('notices an MCP server that was added, and reports the change', async () => {
    const servers = { notes: launchOf('gw-notes'), added: launchOf('gw-added') };
    plantFile(`${HOME}/AppData/Roaming/Code/User/mcp.json`, JSON.stringify({ servers }));
    await expect.poll(appNames).toContain('node gw-added/index.js');
  });

  it('lists processes without a child process, and reports unknown programs', async () => {
    const demo = machine.start('C:\\Tools\\gw-demo.exe', ['-n', '100000', '127.0.0.1']);
    await expect
      .poll(async () => (await processes()).find(({ name }) => name === 'gw-demo.exe'))
      .toMatchObject({ executable_path: 'C:\\Tools\\gw-demo.exe' });
    const unknown = async () =>
      (await list<{ name: string }>('/unknown-processes')).map(({ name }) => name);
    await expect.poll(unknown).toContain('gw-demo.exe');
    // The service itself, and the command that lists.
    await expect.poll(async () => (await nodeProcesses()).length).toBe(2);
    await demo.kill();
  });

  it('ends a blocked program, and nothing of Windows', async () => {
    await createOverride({ name: 'gw-demo.exe' }, 'block');
    await createOverride({ name: 'explorer.exe' }, 'block');
    const demo = machine.start('C:\\Tools\\gw-demo.exe', ['-n', '100000', '127.0.0.1']);
    await expect.poll(demo.hasEnded).toBe(true);
    const outcomes = async () =>
      (await list<{ outcome: string; process: { name: string } }>('/activity')).map(
        ({ outcome, process }) => `${process.name} ${outcome}`,
      );
    await expect.poll(outcomes).toContain('gw-demo.exe terminated');
    expect(await outcomes()).not.toContain('explorer.exe terminated');
  });

  it.skipIf(unsigned !== null)('ends programs of a publisher that Windows trusts', async () => {
    const start = (name: string) =>
      machine.start(`C:\\Tools\\${name}.exe`, ['-n', '100000', '127.0.0.1']);
    const [trusted, claimed, changed] = [
      start('gw-trusted'),
      start('gw-claimed'),
      start('gw-changed'),
    ];
    const publishers = async () =>
      Object.fromEntries(
        (await list<{ name: string; publisher: string | null }>('/unknown-processes')).map(
          ({ name, publisher }) => [name, publisher],
        ),
      );
    await expect.poll(publishers).toMatchObject({
      'gw-trusted.exe': 'Müller Software GmbH',
      'gw-claimed.exe': null,
      'gw-changed.exe': null,
    });
    const release = await createOverride({ publisher: 'Müller Software GmbH' }, 'block');
    await expect.poll(trusted.hasEnded).toBe(true);
    expect([claimed.hasEnded(), changed.hasEnded()]).toEqual([false, false]);
    await release();
    await Promise.all([claimed.kill(), changed.kill()]);
  });

  it('quarantines an MCP server, and restores its configuration byte for byte', async () => {
    const server = (await apps()).find(({ name }) => name === 'node gw-files/index.js');
    const release = await createOverride({ entity_id: server?.entity_id ?? '' }, 'quarantine');
    const cursor = () => readFileSync(onDrive(CURSOR), 'utf8');
    await expect.poll(cursor).not.toContain('gw-files');
    expect(cursor()).toContain('// mine\r\n');
    await release();
    await expect.poll(() => readFileSync(onDrive(CURSOR)).equals(cursorBefore)).toBe(true);
  });

  it('quarantines an MCP server of a project in a path of more than 260 characters', async () => {
    const file = onDrive(`${DEEP_PROJECT}/.cursor/mcp.json`);
    const before = readFileSync(file);
    const server = (await apps()).find(({ name }) => name === 'node gw-deep/index.js');
    const release = await createOverride({ entity_id: server?.entity_id ?? '' }, 'quarantine');
    await expect.poll(() => readFileSync(file, 'utf8')).not.toContain('gw-deep');
    await release();
    await expect.poll(() => readFileSync(file).equals(before)).toBe(true);
  });

  it('ends a blocked MCP server that was started with another case of its path', async () => {
    const servers = { own: launchOf('gw-own Ü') };
    plantFile(`${OWN_HOME}/.cursor/mcp.json`, JSON.stringify({ mcpServers: servers }));
    plantFile('Tools/gw-own Ü/index.js', 'setInterval(() => {}, 60_000);');
    const find = async () => (await apps()).find(({ name }) => name.includes('gw-own'));
    await expect.poll(find).toBeDefined();
    const args = ['c:\\TOOLS\\GW-OWN ü\\INDEX.js', '--text', '"日本" \\'];
    const process = machine.start('C:\\Tools\\node.exe', args);
    const release = await createOverride({ entity_id: (await find())?.entity_id ?? '' }, 'block');
    await expect.poll(process.hasEnded).toBe(true);
    await release();
  });

  it('quarantines a program that runs, and puts it back', async () => {
    const file = onDrive('Tools/gw-kept.exe');
    const before = readFileSync(file);
    const kept = machine.start('C:\\Tools\\gw-kept.exe', ['-n', '100000', '127.0.0.1']);
    const release = await createOverride({ name: 'gw-kept.exe' }, 'quarantine');
    await expect.poll(kept.hasEnded).toBe(true);
    await expect.poll(() => existsSync(file)).toBe(false);
    await release();
    await expect.poll(() => existsSync(file) && readFileSync(file).equals(before)).toBe(true);
  });

  it('delivers an alert once that was raised without the hub, over a kill of the service', async () => {
    await createOverride({ name: 'gw-later.exe' }, 'block');
    const rules = async () => (await status()).overrides;
    await expect.poll(rules).toBe(3);
    gate.close();
    const later = machine.start('C:\\Tools\\gw-later.exe', ['-n', '100000', '127.0.0.1']);
    await expect.poll(later.hasEnded).toBe(true);
    await expect.poll(async () => (await status()).alerts_queued).toBeGreaterThan(0);
    await service.kill();
    gate.open();
    service = await startService();
    const queued = async () =>
      (await list<{ queued: boolean; process: { name: string } | null }>('/alerts')).filter(
        (alert) => alert.process?.name === 'gw-later.exe',
      );
    await expect.poll(queued).toMatchObject([{ queued: true }]);
    await expect.poll(async () => (await status()).alerts_queued).toBe(0);
    expect(await queued()).toHaveLength(1);
    expect(await list('/devices')).toHaveLength(1);
  });

  it('downloads a signed release, starts it on trial, and keeps it when it is healthy', async () => {
    await service.kill();
    await offerRelease('0.2.0');
    service = await machine.startLauncher(['--config', CONFIG]);
    await machine.agent(['update', '--config', CONFIG]);
    const versions = async () =>
      (await list<{ agent_version: string }>('/devices')).map((device) => device.agent_version);
    await expect.poll(versions).toEqual(['0.2.0']);
    await expect.poll(() => existsSync(onDrive(`${DATA}/versions/trial`))).toBe(false);
  });

  it('returns to the version before, when a newer version ends by itself', async () => {
    await service.kill();
    await expect.poll(async () => (await nodeProcesses()).length).toBe(1);
    await stageVersion('0.3.0', 'process.exit(3);');
    writeFileSync(onDrive(`${DATA}/versions/previous`), '0.2.0\n');
    service = await machine.startLauncher(['--config', CONFIG]);
    const reasonFile = onDrive(`${DATA}/versions/bad/0.3.0`);
    expect(readFileSync(reasonFile, 'utf8')).toBe('it ended by itself with 3\n');
    expect(service.log()).toContain('agent 0.3.0 ended unexpectedly with exit code 3.');
    const alerts = async () =>
      (await list<{ code: string | null }>('/alerts')).map(({ code }) => code);
    await expect.poll(alerts).toContain('update_rolled_back');
  });

  it('uninstalls as the installer does: what was taken is restored, and nothing is left', async () => {
    const server = (await apps()).find(({ name }) => name === 'node gw-files/index.js');
    await createOverride({ entity_id: server?.entity_id ?? '' }, 'quarantine');
    await expect.poll(() => readFileSync(onDrive(CURSOR), 'utf8')).not.toContain('gw-files');
    await service.kill();
    const released = ['quarantine', '--release-all', '--config', CONFIG];
    const { code, problem } = await machine.agent(released);
    expect(code, problem).toBe(0);
    expect(readFileSync(onDrive(CURSOR)).equals(cursorBefore)).toBe(true);
    rmSync(onDrive('ProgramData/Gatewarden'), { recursive: true });
  });
});

const onDrive = (path: string): string => join(machine.drive, path);

function plantFile(path: string, content: string | Buffer): void {
  mkdirSync(dirname(onDrive(path)), { recursive: true });
  writeFileSync(onDrive(path), content);
}

const enroll = () =>
  machine.agent(
    [
      ...['enroll', '--config', CONFIG, '--auth-token-stdin', '--base-url', gate.url],
      ...['--tenant-id', hub.tenantId, '--subscriber-id', 'ada@example.org'],
      ...['--enforcement', 'enforce'],
    ],
    hub.agentToken,
  );

const startService = (): Promise<WineProgram> => machine.startService(['--config', CONFIG]);

async function list<Item>(path: string): Promise<Item[]> {
  const answer: Answer = await hub.console('GET', `${path}?limit=200`);
  expect(answer.status, path).toBe(200);
  return answer.body.items as Item[];
}

interface App {
  name: string;
  entity_id: string;
}

const apps = (): Promise<App[]> => list<App>('/discovered-apps');
const appNames = async (): Promise<string[]> => (await apps()).map(({ name }) => name);

async function command<T>(...args: string[]): Promise<T> {
  const { code, out, problem } = await machine.agent([...args, '--json', '--config', CONFIG]);
  expect(code, problem).toBe(0);
  return JSON.parse(out) as T;
}

const processes = async () =>
  (await command<{ processes: { name: string; executable_path: string }[] }>('processes'))
    .processes;
const nodeProcesses = async () => (await processes()).filter(({ name }) => name === 'node.exe');
const status = () => command<{ overrides: number; alerts_queued: number }>('status');

/** Builds a release as the vendor does, and adds it to the hub for all devices. */
async function offerRelease(version: string): Promise<void> {
  const folder = onDrive('release');
  mkdirSync(folder);
  const platform = { os: 'win32', arch: 'x64' } as const;
  const key = vendor.privateKey;
  const build: Build = { version, platform, epoch: 0, updateKey: publicKeyText(key) };
  const file = await packWindowsTar(folder, folder, build, { parts: PART_MODULES, fast: true });
  const machineKind = { version, platform: platform.os, arch: platform.arch };
  const { manifest, signature } = signRelease(file, machineKind, folder, {
    ...{ key, channel: 'stable', minimumVersion: '0.1.0', days: 1 },
  });
  const release = { file, manifest, signature, percent: 100, publicKey: null };
  await addRelease(hub.context.database.db, release, [hub.tenantId]);
}

/** Puts a version where the updater does, as the next to start on trial. `main`: its program instead of the agent's. */
async function stageVersion(version: string, main?: string): Promise<void> {
  const folder = onDrive(`${DATA}/versions/${version}`);
  await installAgent(folder, version);
  if (main !== undefined) writeFileSync(join(folder, 'app/main.js'), main);
  for (const name of ['current', 'trial']) {
    writeFileSync(onDrive(`${DATA}/versions/${name}`), `${version}\n`);
  }
}

/** Creates a policy of the whole tenant; returns its removal. */
async function createOverride(
  match: Record<string, string>,
  policy: string,
): Promise<() => Promise<void>> {
  const created = await hub.console('POST', '/overrides', {
    body: {
      ...{ match, approval_status: 'blocked', execution_policy: policy, reason: 'tried' },
      scope: { kind: 'tenant' },
    },
  });
  expect(created.status).toBe(201);
  return async () => {
    const path = `/overrides/${created.body.override.override_id}`;
    const removed = await hub.console('DELETE', path, { headers: { 'if-match': '"1"' } });
    expect(removed.status).toBe(200);
  };
}

/** Returns a text in the encoding of many programs of Windows. */
const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

const launchOf = (name: string) => ({ command: 'node', args: [`C:\\Tools\\${name}\\index.js`] });

/** Plants the machine of the discovery tests, three MCP configurations, and unknown programs. */
function plantMachine(): void {
  makeWindows(machine.drive, SID, HOME_NAME);
  const mine = (name: string) =>
    `{\n  // mine\n  "mcpServers": {\n    "mine": ${JSON.stringify(launchOf(name))},\n    "other": { "url": "https://mcp.example.org/" }\n  }\n}\n`;
  const crlf = (text: string) => text.replaceAll('\n', '\r\n');
  plantFile(CURSOR, crlf(mine('gw-files')));
  plantFile(
    `${HOME}/AppData/Roaming/Claude/claude_desktop_config.json`,
    utf16(crlf(mine('gw-desktop'))),
  );
  plantFile(
    `${HOME}/AppData/Roaming/Code/User/mcp.json`,
    JSON.stringify({ servers: { notes: launchOf('gw-notes') } }),
  );
  plantFile(
    `${DEEP_PROJECT}/.cursor/mcp.json`,
    JSON.stringify({ mcpServers: { deep: launchOf('gw-deep') } }),
  );
  plantFile(`${DEEP_PROJECT}/.git/HEAD`, 'ref');
  plantFile(
    'registry/profiles.reg',
    utf16(
      `Windows Registry Editor Version 5.00\r\n\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList\\${SID}]\r\n"ProfileImagePath"="C:\\\\Users\\\\${HOME_NAME}"\r\n`,
    ),
  );
  mkdirSync(onDrive('Tools'), { recursive: true });
  cpSync(onDrive(`${PROGRAM_FOLDER}/bin/node.exe`), onDrive('Tools/node.exe'));
  for (const name of ['gw-demo', 'gw-kept', 'gw-later']) {
    cpSync(onDrive('windows/system32/ping.exe'), onDrive(`Tools/${name}.exe`));
  }
}

/**
 * Plants a program of a trusted publisher, a program with a self-made certificate in the same name, and a program that was
 * changed after it was signed.
 */
async function plantSignedPrograms(): Promise<void> {
  const makeIn = (folder: string) => {
    mkdirSync(onDrive(folder), { recursive: true });
    return makeSigner(onDrive(folder), 'Müller Software GmbH');
  };
  const [trusted, claimed] = [makeIn('signing/trusted'), makeIn('signing/claimed')];
  for (const [name, signer] of Object.entries({ trusted, claimed, changed: trusted })) {
    const file = onDrive(`Tools/gw-${name}.exe`);
    cpSync(onDrive('windows/system32/ping.exe'), file);
    signer.sign(file);
  }
  const changed = readFileSync(onDrive('Tools/gw-changed.exe'));
  // A byte of the DOS program, which Windows never runs.
  changed.writeUInt8(changed.readUInt8(0x4e) ^ 1, 0x4e);
  writeFileSync(onDrive('Tools/gw-changed.exe'), changed);
  await machine.importRegistry('C:\\signing\\trusted\\trust.reg');
}
