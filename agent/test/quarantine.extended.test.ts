// Quarantine runs end to end in namespaces of the test: entries of MCP servers, their processes, programs, and programs
// of a package.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { expect, onTestFinished, test } from 'vitest';
import { notifyDesktop } from '../src/enforcement/desktop-notifier.ts';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';
import { bindOwnMachine, PERSON } from './own-machine.ts';
import { isRoot } from './root.ts';

const NAME = `gw-server-${process.pid}`;
const CONFIG = `{
  // what I use
  "mcpServers": {
    "mine": { "command": "node", "args": ["~/${NAME}/start.js"], "env": { "KEY": "planted-secret" } }, // mine
    "other": { "command": "x" }
  }
}
`;

async function start(dataDir: string, hub: HubDouble) {
  writeConfig(dataDir, hub.url);
  const agent = await startAgent(dataDir);
  await until(() => agent.log().includes('"scanned"') && agent.log().includes('the hub answers'));
  return agent;
}

const quarantined = async (dataDir: string) => {
  const { stdout } = await runCommand(['quarantine', '--json', '--data-dir', dataDir]);
  return JSON.parse(stdout).quarantined as { path: string; kind: string; kept: string | null }[];
};

inOwnNamespace(import.meta.filename, () => {
  test.runIf(isRoot)(
    'removes an MCP server from its configuration, keeps it out, and restores it byte for byte',
    async () => {
      const home = bindOwnMachine();
      const file = join(home, '.cursor/mcp.json');
      const script = join(home, NAME, 'start.js');
      const node = join(makeFolder(), 'node');
      for (const path of [file, script]) mkdirSync(dirname(path), { recursive: true });
      writeFileSync(script, 'setInterval(() => {}, 1e6)');
      const write = () => {
        writeFileSync(file, CONFIG);
        chmodSync(file, 0o600);
        for (const path of [dirname(file), file]) chownSync(path, PERSON, PERSON);
      };
      write();
      chmodSync(dirname(node), 0o755);
      copyFileSync(process.execPath, node);
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      const agent = await start(dataDir, hub);
      const found = () =>
        hub.batches
          .flatMap((b) => b.entities)
          .find((e) => e.kind === 'mcp_server' && e.name.includes(NAME));
      await until(() => found() !== undefined);
      const server = spawn(node, [script], { uid: PERSON, gid: PERSON, stdio: 'ignore', cwd: '/' });
      const bystander = spawn(node, ['-e', 'setInterval(() => {}, 1e6)', NAME], {
        stdio: 'ignore',
      });
      onTestFinished(() => {
        server.kill('SIGKILL');
        bystander.kill('SIGKILL');
      });
      const { entity_id = '' } = found() ?? {};
      const override: WireOverride = makeOverride({
        match: { entity_id },
        execution_policy: 'quarantine',
      });
      hub.overrides.push(override);
      const isOut = () => !readFileSync(file, 'utf8').includes(NAME);
      await until(() => isOut() && hasEnded(server) && hub.alerts.length > 1);
      expect(hasEnded(bystander)).toBe(false);
      expect(readFileSync(file, 'utf8')).toContain('// mine');
      expect(lstatSync(file)).toMatchObject({ uid: PERSON, gid: PERSON });
      expect(lstatSync(file).mode & 0o777).toBe(0o600);
      const outcomes = () => hub.activity.map((event) => event.outcome);
      await until(() => outcomes().filter((outcome) => outcome === 'quarantined').length === 2);
      expect(JSON.stringify([hub.activity, hub.alerts, hub.batches])).not.toContain(
        'planted-secret',
      );
      expect(await quarantined(dataDir)).toMatchObject([{ kind: 'mcp_server', path: file }]);

      // A user who writes the entry back sees it taken out again.
      write();
      await until(isOut);

      // The emergency stop gives everything back; its end takes it again.
      hub.ceiling = 'monitor';
      await until(() => readFileSync(file, 'utf8') === CONFIG && outcomes().includes('released'));
      hub.ceiling = 'enforce';
      await until(isOut);

      // The kill switch works the same, with a service and without it.
      expect((await runCommand(['off', '--data-dir', dataDir])).code).toBe(0);
      await until(() => readFileSync(file, 'utf8') === CONFIG);
      expect((await runCommand(['on', '--data-dir', dataDir])).code).toBe(0);
      await until(isOut);
      expect(await agent.end('SIGKILL')).toBe('SIGKILL');
      expect((await runCommand(['off', '--data-dir', dataDir])).code).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(CONFIG);
      expect(await quarantined(dataDir)).toEqual([]);
      expect((await runCommand(['on', '--data-dir', dataDir])).code).toBe(0);

      // Taken once more, and given back when the decision is withdrawn.
      await start(dataDir, hub);
      await until(isOut);
      hub.overrides.splice(0, 1, { ...override, revision: 2, deleted: true });
      await until(() => readFileSync(file, 'utf8') === CONFIG);
      expect(hub.violations).toEqual([]);
      await hub.close();
    },
  );

  test.runIf(isRoot)('raises a single alert for an entry that cannot be removed', async () => {
    const home = bindOwnMachine();
    const file = join(home, '.config/goose/config.yaml');
    // The other entry alone proves nothing without this entry.
    const text = `extensions:\n  mine: &mine {cmd: node, args: [~/${NAME}/stuck.js]}\n  same: *mine\n`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    for (const path of [file, dirname(file), dirname(dirname(file))])
      chownSync(path, PERSON, PERSON);
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    hub.overrides.push(
      makeOverride({
        match: { name: 'node stuck.js' },
        execution_policy: 'quarantine',
        severity: 'critical',
      }),
    );
    const agent = await start(dataDir, hub);
    const failed = () => hub.alerts.filter((alert) => alert.outcome === 'failed');
    await until(() => failed().length > 0);
    expect(failed()).toMatchObject([
      {
        action: 'quarantine',
        severity: 'critical',
        message: expect.stringContaining('goose/config.yaml'),
      },
    ]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    // Written again it is tried again, and still the same trouble.
    const tried = () => agent.log().split('could not be taken into quarantine').length;
    const before = tried();
    writeFileSync(file, text);
    await until(() => tried() > before);
    expect(failed()).toHaveLength(1);
    expect(hub.violations).toEqual([]);
    await hub.close();
  });

  test('moves a program aside while its override is in force', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    const folder = makeFolder();
    const first = startHarmless(folder, 'gw-quarantined');
    const path = join(folder, 'gw-quarantined');
    const second = spawn(path, ['600'], { stdio: 'ignore' });
    const before = { ...lstatSync(path), bytes: readFileSync(path, 'hex') };
    await start(dataDir, hub);
    const policy = { execution_policy: 'quarantine' as const };
    const override = makeOverride({ match: { name: 'gw-quarantined' }, ...policy });
    hub.overrides.push(override);
    await until(() => hasEnded(first) && hasEnded(second) && !existsSync(path));
    await until(() => hub.alerts.length === 2);
    expect(hub.alerts.map((alert) => [alert.action, alert.outcome])).toEqual([
      ['quarantine', 'quarantined'],
      ['quarantine', 'quarantined'],
    ]);
    expect(await quarantined(dataDir)).toMatchObject([{ kind: 'program', path }]);
    // Expired, by the hub's own time.
    const soon = new Date(Date.now() + 1500).toISOString();
    hub.overrides.splice(0, 1, { ...override, revision: 2, expires_at: soon });
    await until(() => existsSync(path));
    const { mode, uid, gid, mtimeMs } = lstatSync(path);
    expect({ mode, uid, gid, mtimeMs }).toEqual({
      mode: before.mode,
      uid: before.uid,
      gid: before.gid,
      mtimeMs: before.mtimeMs,
    });
    expect(readFileSync(path, 'hex')).toBe(before.bytes);
    await until(() => hub.activity.some((event) => event.outcome === 'released'));
    expect(hub.violations).toEqual([]);
    await hub.close();
  });

  test.runIf(isRoot && existsSync('/usr/bin/dpkg-deb'))(
    'diverts a packaged program that is upgraded meanwhile, and restores the upgraded version',
    async () => {
      bindOwnMachine();
      const folder = makeFolder();
      const name = `gw-package-${process.pid}`;
      const path = `/opt/${name}/${name}`;
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/opt']);
      const build = (version: string) => {
        const tree = join(folder, version);
        mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
        mkdirSync(join(tree, dirname(path)), { recursive: true });
        copyFileSync('/usr/bin/sleep', join(tree, path));
        writeFileSync(
          join(tree, 'DEBIAN/control'),
          `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: x <x@example.org>\nDescription: x\n`,
        );
        writeFileSync(join(tree, dirname(path), 'version'), version);
        const file = `${tree}.deb`;
        execFileSync('dpkg-deb', ['--build', '--root-owner-group', tree, file]);
        execFileSync('dpkg', ['-i', file]);
      };
      build('1');
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      await start(dataDir, hub);
      const running = spawn(path, ['600'], { stdio: 'ignore' });
      const override = makeOverride({ match: { name }, execution_policy: 'quarantine' });
      hub.overrides.push(override);
      await until(() => hasEnded(running) && !existsSync(path));
      await until(async () => (await quarantined(dataDir)).length === 1);
      const listed = () => execFileSync('dpkg-divert', ['--list', path], { encoding: 'utf8' });
      expect(listed()).toContain('local diversion');
      build('2');
      expect(existsSync(path)).toBe(false);
      hub.overrides.splice(0, 1, { ...override, revision: 2, execution_policy: 'allow' });
      await until(() => existsSync(path) && listed() === '');
      expect(execFileSync('dpkg', ['-V', name], { encoding: 'utf8' })).toBe('');
      expect(await quarantined(dataDir)).toEqual([]);
      await hub.close();
    },
  );

  test('quarantines nothing in monitor mode, and reports once what enforcement would have quarantined', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    const folder = makeFolder();
    const running = startHarmless(folder, 'gw-spared');
    hub.overrides.push(
      makeOverride({ match: { name: 'gw-spared' }, execution_policy: 'quarantine' }),
    );
    writeConfig(dataDir, hub.url, 'monitor');
    await startAgent(dataDir);
    await until(() => hub.activity.length > 0);
    expect(hub.activity).toMatchObject([
      { decision: 'quarantine', outcome: 'reported', enforced: false },
    ]);
    expect([hasEnded(running), existsSync(join(folder, 'gw-spared'))]).toEqual([false, true]);
    await hub.close();
  });

  test.runIf(isRoot)("shows a notification as its user, on that user's own bus", async () => {
    bindOwnMachine();
    const folder = makeFolder();
    chmodSync(folder, 0o777);
    const outputFile = join(folder, 'output');
    for (const over of ['/usr/local/bin', '/run']) {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', over]);
      onTestFinished(() => {
        execFileSync('umount', ['--lazy', over]);
      });
    }
    const program = '/usr/local/bin/notify-send';
    writeFileSync(
      program,
      `#!/bin/sh\n(id -u; id -G; printf '%s\\n' "$@"; env) > ${outputFile}.new\nmv ${outputFile}.new ${outputFile}\n`,
    );
    chmodSync(program, 0o755);
    const notify = notifyDesktop([{ owner: '1', path: '/home', uid: PERSON, gid: PERSON }]);
    const bus = `/run/user/${PERSON}/bus`;
    mkdirSync(dirname(bus), { recursive: true });
    const server = createServer().listen(bus);
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    // A bus that is another's is no bus of theirs.
    notify(PERSON, 'not shown', '');
    chownSync(bus, PERSON, PERSON);
    notify(PERSON, 'title', '<b>text</b>');
    await until(() => existsSync(outputFile));
    const lines = readFileSync(outputFile, 'utf8').split('\n');
    expect(lines.slice(0, 2)).toEqual([String(PERSON), String(PERSON)]);
    expect(lines).toContain('title');
    expect(lines).toContain('&lt;b&gt;text&lt;/b&gt;');
    expect(lines).toContain(`DBUS_SESSION_BUS_ADDRESS=unix:path=${bus}`);
    expect(lines.some((line) => line.startsWith('HOME='))).toBe(false);
  });

  test('shows a warning once for a start, to its user only', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    hub.overrides.push(
      makeOverride({ match: { name: 'gw-warned' }, execution_policy: 'warn', reason: 'ask Bob' }),
    );
    await start(dataDir, hub);
    const both = [
      startHarmless(makeFolder(), 'gw-warned'),
      startHarmless(makeFolder(), 'gw-warned'),
    ];
    await until(() => hub.activity.filter((event) => event.outcome === 'warned').length === 2);
    expect(both.some(hasEnded)).toBe(false);
    expect(hub.alerts).toEqual([]);
    const own = join(dataDir, 'people', String(process.getuid?.()));
    expect(lstatSync(own).mode & 0o777).toBe(0o400);
    const ask = (key: string | null) =>
      new Promise<{ notices: unknown[] }>((resolve, reject) => {
        const headers = key === null ? {} : { authorization: `Bearer ${key}` };
        const at = { socketPath: join(dataDir, 'status.sock'), path: '/notices', headers };
        http
          .get(at, (response) => {
            response.setEncoding('utf8');
            let text = '';
            response.on('data', (chunk) => {
              text += chunk;
            });
            response.on('end', () => resolve(JSON.parse(text)));
          })
          .on('error', reject);
      });
    expect((await ask(readFileSync(own, 'utf8'))).notices).toMatchObject([
      { kind: 'warned', application_name: 'gw-warned', reason: 'ask Bob' },
    ]);
    expect((await ask(null)).notices).toEqual([]);
    expect((await ask('0'.repeat(64))).notices).toEqual([]);
    await hub.close();
  });

  test.runIf(isRoot)(
    'keeps a host program when a program of another mount namespace has the same path',
    async () => {
      bindOwnMachine();
      const folder = makeFolder();
      const [here, there] = [join(folder, 'gw-twin'), join(folder, 'of-container')];
      for (const path of [here, there]) copyFileSync('/usr/bin/sleep', path);
      const hub = await startHubDouble();
      const dataDir = makeFolder();
      await start(dataDir, hub);
      const command = `mount --bind ${there} ${here} && exec ${here} 600`;
      const contained = spawn('unshare', ['--mount', 'sh', '-c', command], { stdio: 'ignore' });
      onTestFinished(() => {
        contained.kill('SIGKILL');
      });
      hub.overrides.push(
        makeOverride({ match: { name: 'gw-twin' }, execution_policy: 'quarantine' }),
      );
      await until(() => hasEnded(contained) && hub.alerts.length === 1);
      expect(hub.alerts.map((alert) => alert.outcome)).toEqual(['terminated']);
      expect(existsSync(here)).toBe(true);
      expect(await quarantined(dataDir)).toEqual([]);
      await hub.close();
    },
  );
});
