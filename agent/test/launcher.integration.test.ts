// The launcher of the packages starts scripts instead of programs: it selects a version, and returns to an earlier
// version.
import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openVersions } from '../src/update/installed-versions.ts';
import { AGENT_VERSION } from '../src/version.ts';
import { makeFolder, runCommand, startAgent, until, writeConfig } from './agent-process.ts';
import { readServiceSettings } from './service-settings.ts';

const LAUNCHER = join(import.meta.dirname, '../../installers/linux/gatewarden');

interface Machine {
  folder: string;
  launcher: string;
  versions: string;
  /** Lines that the programs wrote, in order. */
  output(): string[];
  /** A version that came from the hub; `does` is what its program does when it is run. */
  add(version: string, does?: string): void;
}

/** The launcher in a folder of its own, with so many seconds for a trial. */
function aMachine(installed: string, patience = 2): Machine {
  const folder = realpathSync(makeFolder());
  const [home, versions] = [join(folder, 'home'), join(folder, 'versions')];
  const launcher = join(folder, 'gatewarden');
  const text = readFileSync(LAUNCHER, 'utf8')
    .replace(/^home=.*$/m, `home=${home}`)
    .replace(/^versions=.*$/m, `versions=${versions}`)
    .replace(/^patience=.*$/m, `patience=${patience}`);
  writeFileSync(launcher, text, { mode: 0o755 });
  mkdirSync(versions);
  const log = join(folder, 'output');
  const put = (at: string, version: string, does: string) => {
    mkdirSync(join(at, 'bin'), { recursive: true });
    mkdirSync(join(at, 'app'));
    writeFileSync(join(at, 'version'), `${version}\n`);
    writeFileSync(join(at, 'app/main.js'), '');
    const script = `#!/bin/sh\nwhile [ "\${1#--}" != "$1" ]; do shift; done\nshift\necho "${version} $*" >>${log}\n${does}\n`;
    writeFileSync(join(at, 'bin/node'), script, { mode: 0o755 });
  };
  put(home, installed, '');
  return {
    ...{ folder, launcher, versions },
    output: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    add: (version, does = '') => put(join(versions, version), version, does),
  };
}

const runs = (machine: Machine, ...args: string[]) =>
  execFileSync(machine.launcher, args, { stdio: ['ignore', 'ignore', 'ignore'] });

/** A version on trial that is well does this. */
const IS_WELL = 'rm -f "$GATEWARDEN_VERSIONS/trial" "$GATEWARDEN_VERSIONS/tries"';

test('prefers a newer version from the hub over the installed version', () => {
  const machine = aMachine('0.3.0');
  runs(machine, 'status');
  machine.add('0.2.0');
  machine.add('0.10.0');
  for (const version of ['0.2.0', '0.10.0', 'gone']) {
    execFileSync('ln', ['-sfn', version, join(machine.versions, 'current')]);
    runs(machine, 'status', '--json');
  }
  expect(machine.output()).toEqual([
    '0.3.0 status',
    '0.3.0 status --json',
    '0.10.0 status --json',
    '0.3.0 status --json',
  ]);
});

test('gives the service settings that save memory, and commands none', () => {
  const machine = aMachine('0.1.0');
  const { flags, env } = readServiceSettings();
  const node = join(machine.folder, 'home/bin/node');
  writeFileSync(node, '#!/bin/sh\necho "$*"\nenv | grep ^MALLOC_ | sort\n', { mode: 0o755 });
  const [service, command] = ['run', 'status'].map((word) =>
    execFileSync(machine.launcher, [word], { encoding: 'utf8' }).trim().split('\n'),
  );
  const main = join(machine.folder, 'home/app/main.js');
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  expect(service).toEqual([`${flags.join(' ')} ${main} run`, ...variables.sort()]);
  expect(variables).toHaveLength(3);
  expect(command).toEqual([`${main} status`]);
});

test('keeps a version that reports healthy', () => {
  const machine = aMachine('0.1.0');
  machine.add('0.2.0', IS_WELL);
  openVersions(machine.versions).swap('0.2.0', '0.1.0');
  runs(machine, 'run', '--config', 'x');
  runs(machine, 'run');
  expect(machine.output()).toEqual(['0.2.0 run --config x', '0.2.0 run']);
  expect(readdirSync(machine.versions).sort()).toEqual(['0.2.0', 'current']);
});

test('runs commands with the previous version during a trial, because the new version may hang', () => {
  const machine = aMachine('0.1.0');
  machine.add('0.2.0');
  const hangs = 'case "$1" in run) ;; *) exec sleep 4 ;; esac';
  machine.add('0.3.0', hangs);
  const versions = openVersions(machine.versions);
  versions.swap('0.2.0', '0.1.0');
  runs(machine, 'off');
  versions.confirm('0.2.0');
  runs(machine, 'status');
  versions.swap('0.3.0', '0.2.0');
  runs(machine, 'off');
  expect(machine.output()).toEqual(['0.1.0 off', '0.2.0 status', '0.2.0 off']);
});

test('retries a killed version, and returns to a working previous version', () => {
  const machine = aMachine('0.1.0');
  machine.add(
    '0.2.0',
    `[ -e "$GATEWARDEN_VERSIONS/once" ] || { : >"$GATEWARDEN_VERSIONS/once"; kill -KILL $$; }\n${IS_WELL}`,
  );
  const versions = openVersions(machine.versions);
  versions.swap('0.2.0', '0.1.0');
  runs(machine, 'run');
  expect(machine.output()).toEqual(['0.2.0 run', '0.2.0 run']);
  expect(versions.bad()).toEqual([]);
  machine.add('0.3.0', 'kill -KILL $$');
  versions.swap('0.3.0', '0.2.0');
  runs(machine, 'run');
  expect(machine.output().slice(2)).toEqual([...Array(5).fill('0.3.0 run'), '0.2.0 run']);
  expect(versions.bad().map((failure) => failure.version)).toEqual(['0.3.0']);
});

test.each([
  ['throws', 'exit 1', /ended by itself with 1/],
  ['ends too early', 'exit 0', /ended by itself with 0/],
  ['cannot be started', 'exec /nowhere', /ended by itself with 127/],
  ['hangs', 'exec sleep 600', /said nothing good for 2 seconds/],
])(
  'returns to the previous version with the same arguments from a version that %s, for good',
  (_, does, why) => {
    const machine = aMachine('0.1.0');
    machine.add('0.2.0', IS_WELL);
    const versions = openVersions(machine.versions);
    versions.swap('0.2.0', '0.1.0');
    runs(machine, 'run');
    machine.add('0.3.0', does);
    versions.swap('0.3.0', '0.2.0');
    runs(machine, 'run', '--config', 'a b');
    expect(machine.output().slice(1)).toEqual(['0.3.0 run --config a b', '0.2.0 run --config a b']);
    const [bad] = versions.bad();
    expect(bad?.version).toBe('0.3.0');
    expect(bad?.reason).toMatch(why);
    runs(machine, 'run');
    expect(machine.output().at(-1)).toBe('0.2.0 run');
    versions.clean('0.2.0');
    expect(existsSync(join(machine.versions, '0.3.0'))).toBe(false);
    expect(versions.bad()).toHaveLength(1);
  },
);

test('returns to the previous version when no state can be written', () => {
  const machine = aMachine('0.1.0');
  machine.add('0.2.0', 'exit 1');
  openVersions(machine.versions).swap('0.2.0', '0.1.0');
  // A full disk has no room for a folder.
  writeFileSync(join(machine.versions, 'bad'), '');
  runs(machine, 'run');
  runs(machine, 'run');
  expect(machine.output()).toEqual(['0.2.0 run', '0.1.0 run', '0.1.0 run']);
});

test.each(['1x', '08', '$(id)', '99999999999999999999', ''])(
  'starts the agent with an invalid retry count (%j)',
  (tries) => {
    const machine = aMachine('0.1.0');
    machine.add('0.2.0', IS_WELL);
    openVersions(machine.versions).swap('0.2.0', '0.1.0');
    writeFileSync(join(machine.versions, 'tries'), tries);
    runs(machine, 'run');
    expect(machine.output()).toEqual(['0.2.0 run']);
  },
);

test('gives up a version that repeatedly ends together with its machine', () => {
  const machine = aMachine('0.1.0');
  machine.add('0.2.0', 'exit 1');
  openVersions(machine.versions).swap('0.2.0', '0.1.0');
  writeFileSync(join(machine.versions, 'tries'), '5\n');
  runs(machine, 'run');
  expect(machine.output()).toEqual(['0.1.0 run']);
});

test('continues a trial after a stop, whose signal reaches the service', async () => {
  const machine = aMachine('0.1.0', 60);
  machine.add('0.2.0', 'trap "exit 0" TERM; while :; do sleep 0.1; done');
  const versions = openVersions(machine.versions);
  versions.swap('0.2.0', '0.1.0');
  const child = spawn(machine.launcher, ['run'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await until(() => machine.output().length === 1);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(versions.bad()).toEqual([]);
  expect(readFileSync(join(machine.versions, 'trial'), 'utf8')).toBe('0.2.0\n');
});

test('keeps the old version after an interrupted swap', () => {
  const machine = aMachine('0.1.0');
  machine.add('0.2.0', 'exit 1');
  // Each state that a power cut can leave, in the order of the writes.
  runs(machine, 'run');
  writeFileSync(join(machine.versions, 'trial'), '0.2.0\n');
  runs(machine, 'run');
  symlinkSync('0.2.0', join(machine.versions, 'current.new'));
  runs(machine, 'run');
  expect(machine.output()).toEqual(['0.1.0 run', '0.1.0 run', '0.1.0 run']);
});

test('accepts no successor during a trial, because only a healthy version is a fallback', async () => {
  const dataDir = makeFolder();
  const vendor = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
  const config = writeConfig(dataDir, 'http://127.0.0.1:9', 'monitor');
  appendFileSync(config, `[update]\npublic_key = "${vendor.toString('base64')}"\n`);
  const versions = join(dataDir, 'versions');
  mkdirSync(versions);
  openVersions(versions).swap(AGENT_VERSION, '0.0.1');
  const agent = await startAgent(dataDir, {
    GATEWARDEN_LAUNCHER: LAUNCHER,
    GATEWARDEN_VERSIONS: versions,
    GATEWARDEN_TRIAL_SECONDS: '3600',
  });
  const ask = () => runCommand(['update', '--data-dir', dataDir]);
  expect(await ask()).toMatchObject({
    code: 1,
    stderr: `no updates: ${AGENT_VERSION} is on trial\n`,
  });
  openVersions(versions).confirm(AGENT_VERSION);
  expect(await ask()).toMatchObject({ code: 0 });
  await agent.end('SIGTERM');
});
