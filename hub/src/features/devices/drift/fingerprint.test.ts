// Launches that are equal for a reviewer have the same fingerprint on each device; other launches differ.
import { describe, expect, it } from 'vitest';
import { baselineOf, diffAgainstBaseline } from './baseline.ts';
import { fingerprintsOf, type ReportedLaunch } from './fingerprint.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

type Case = [string, string[], string[], string?];

const configured = (launch_hash: string, args: string[], command = 'npx'): ReportedLaunch => ({
  source: 'mcp_config',
  launch_hash,
  details: { configured: [{ transport: 'stdio', command, args, client: 'cursor' }] },
});
const NVM = (version: string) => [`~/.nvm/versions/node/v${version}/bin/node`, 'server.js'];
const VSCODE = (version: string) => [`~/.vscode/extensions/pub.files-tool-${version}/out/s.js`];
const launches = (launch: ReportedLaunch) => [...fingerprintsOf(launch).launches].sort();

describe('fingerprint of a configured server', () => {
  it.each([
    ['a folder of their own', ['-y', 'files', '~/Documents'], ['-y', 'files', '~/src/app']],
    ['a folder behind an option', ['files', '--dir=~/a'], ['files', '--dir=~/b/c']],
    ['a mount', ['-v', '~/a:/data', 'image'], ['-v', '~/b:/data', 'image'], 'docker'],
    ['a folder on Windows', ['files', '~\\Documents'], ['files', '~\\Desktop']],
    ['a port', ['files', '--port', '3000'], ['files', '--port', '3001']],
    ['what was cut out', ['files', '--key', '[cut]'], ['files', '--key', '[cut]']],
    ['a script in a folder of their own', ['~/a/s.js'], ['~/s.js'], 'node'],
    ['a secret behind a script', ['~/a/s.js', '[cut]'], ['~/b/s.js', '[cut]'], 'node'],
    ['a secret behind a package', ['-y', 'files', '[cut]'], ['-y', 'files', '[cut]']],
    ['a secret behind a project', ['run', 's.py', '[cut]'], ['run', 's.py', '[cut]'], 'uv'],
    ['a long way to a folder', ['files', '~//a/b/'], ['files', '~/c']],
    ['an interpreter of another version', NVM('20.11.0'), NVM('22.1.0'), 'env'],
    ['an extension of another version', VSCODE('1.2.3'), VSCODE('1.3.0-linux-x64'), 'node'],
    ['a variable of a container', ['-e', '[cut]'], ['-e', '[cut]'], 'docker'],
  ] as Case[])('ignores %s', (_, results, other, command) => {
    expect(launches(configured(A, results, command))).toEqual(
      launches(configured(B, other, command)),
    );
  });

  it.each([
    ['another program', ['-y', 'files'], ['-y', '--package=files', 'sh']],
    ['another version', ['files@1.0.0'], ['files@6.6.6']],
    ['another registry', ['files'], ['--registry=https://evil.example', 'files']],
    [
      'a server that a module runs',
      ['-m', 'mcp', 'run', '[cut]'],
      ['-m', 'mcp', 'run', '[cut]'],
      'python',
    ],
    ['a package of pip', ['-m', 'pip', '[cut]'], ['-m', 'pip', '[cut]'], 'python3'],
    [
      'a launcher as a module',
      ['-m', 'uv', 'run', '[cut]'],
      ['-m', 'uv', 'run', '[cut]'],
      'python',
    ],
    ['a script that is watched', ['-m', 'pdb', '~/a/s'], ['-m', 'pdb', '~/b/other'], 'python'],
    ['a version of its own', VSCODE('1.2.3'), VSCODE('6.6.6-evil'), 'node'],
    [
      'a package of a version manager',
      ['~/.local/share/mise/installs/npm-files/1.0.0/s.js'],
      ['~/.local/share/mise/installs/npm-files/6.6.6/s.js'],
      'node',
    ],
    [
      'a folder that looks like a home',
      [`/tmp/x${VSCODE('1.0.0')[0]}`],
      [`/tmp/x${VSCODE('2.0.0')[0]}`],
      'node',
    ],
    ['a module that was cut out', ['-m', '[cut]'], ['-m', '[cut]'], 'python3'],
    [
      'another extension',
      VSCODE('1.2.3'),
      ['~/.vscode/extensions/pub.evil-1.2.3/out/s.js'],
      'node',
    ],
    [
      'another program of a version',
      NVM('20.11.0'),
      ['~/.nvm/versions/node/v20.11.0/bin/x', 's'],
      'env',
    ],
    ['the whole home', ['files', '~/Documents'], ['files', '~/']],
    ['a folder of keys', ['files', '~/Documents'], ['files', '~/.ssh']],
    ['a folder of keys behind two slashes', ['files', '~/Documents'], ['files', '~//.ssh']],
    ['keys of macOS', ['files', '~/Documents'], ['files', '~/Library/Keychains']],
    ['settings on Windows', ['files', '~\\a'], ['files', '~\\AppData\\Roaming']],
    ['settings by their short name', ['files', '~\\a'], ['files', '~\\APPDAT~1\\x']],
    ['another file', ['files', '~/a/x.db'], ['files', '~/a/y.db']],
    ['another script', ['~/a/server'], ['~/a/other'], 'node'],
    [
      'another module before it',
      ['--require', '~/a', 's.js'],
      ['--require', '~/b', 's.js'],
      'node',
    ],
    ['a switch', ['files', '--read-only=1'], ['files', '--read-only=0']],
    ['root', ['run', '--user', '1000', 'x'], ['run', '--user', '0', 'x'], 'docker'],
    ['root with noughts', ['run', '--user', '1000', 'x'], ['run', '--user', '0000', 'x'], 'docker'],
    ['a way out of the home', ['files', '~/Documents'], ['files', '~/a/../../x']],
    ['the whole disk', ['files', '~/Documents'], ['files', '/']],
    ['code that was cut out', ['-c', '[cut]'], ['-c', '[cut]']],
    ['code in an option', ['--eval=[cut]'], ['--eval=[cut]']],
    ['code of a command line', ['/c', 'x', '[cut]'], ['/c', 'x', '[cut]'], 'cmd.exe'],
    ['a script whose path was cut out', ['-x', '[cut]'], ['-x', '[cut]'], 'bash'],
    ['a script of uv that was cut out', ['run', '[cut]'], ['run', '[cut]'], 'uv'],
    ['one behind an option', ['-u', 'X', 'node', '[cut]'], ['-u', 'X', 'node', '[cut]'], 'env'],
    ['one of a package', ['-y', 'tsx', '[cut]'], ['-y', 'tsx', '[cut]'], 'npx.cmd'],
    ['one of .NET', ['[cut]'], ['[cut]'], 'dotnet'],
    ['one of Go', ['run', '[cut]'], ['run', '[cut]'], 'go'],
    ['more than is reported', Array(24).fill('x'), Array(24).fill('x')],
  ] as Case[])('differs for %s', (_, results, other, command) => {
    const [first, second] = [configured(A, results, command), configured(B, other, command)];
    expect(launches(first)).not.toEqual(launches(second));
  });

  it('uses the hash of a launch without details', () => {
    const reported = (launch_hash: string): ReportedLaunch => ({
      source: 'mcp_config',
      launch_hash,
    });
    expect(launches(reported(A))).toHaveLength(1);
    expect(launches(reported(A))).not.toEqual(launches(reported(B)));
  });
});

it('ignores the version of the command itself', () => {
  const command = (version: string) => NVM(version)[0];
  expect(launches(configured(A, ['s.js'], command('20.11.0')))).toEqual(
    launches(configured(B, ['s.js'], command('22.0.1'))),
  );
});

it('matches a seen hash, however an agent reports the launch', () => {
  const baseline = baselineOf([configured(A, ['-y', 'files'])]);
  const retold = (hash: string) => fingerprintsOf(configured(hash, ['files', '--otherwise']));
  expect(diffAgainstBaseline(retold(A), baseline)).toBeNull();
  expect(diffAgainstBaseline(retold(B), baseline)).toMatchObject({ launchChanged: true });
  // A device with several launches does not report each hash.
  const shown = {
    configured: [
      { command: 'npx', args: ['x'] },
      { command: 'npx', args: ['y'] },
    ],
  };
  const more = { ...configured(A, []), details: shown };
  expect(diffAgainstBaseline(fingerprintsOf(more), baseline)).toMatchObject({
    launchChanged: true,
  });
  const cut = { ...configured(A, ['x']), details: { ...shown, cut: true } };
  expect(diffAgainstBaseline(fingerprintsOf(cut), baseline)).toMatchObject({ launchChanged: true });
  const both = { ...configured(A, ['x']), instances: [{ launch_hash: A }, { launch_hash: B }] };
  expect(diffAgainstBaseline(fingerprintsOf(both), baseline)).toMatchObject({
    launchChanged: true,
  });
});

it('uses the hashes of launches that the device left out', () => {
  const reported = configured(A, ['-y', 'files', '~/docs']);
  const instances = [{ launch_hash: A }, { launch_hash: B }];
  const { configured: shown } = reported.details as { configured: unknown[] };
  const cut = { ...reported, instances, details: { configured: shown, cut: true } };
  expect(launches({ ...reported, instances })).toEqual(launches(reported));
  expect(launches(cut)).toHaveLength(3);
});

it('uses the hash of each instance for programs with a fixed launch', () => {
  const reported: ReportedLaunch = {
    source: 'skill',
    launch_hash: A,
    instances: [{ launch_hash: A }, { launch_hash: B }, { launch_hash: null }],
  };
  expect(launches(reported)).toHaveLength(2);
  expect(launches({ source: 'dpkg', launch_hash: null })).toEqual([]);
});

it('includes each permission separately', () => {
  const instances = [{ permissions: ['tabs', 'cookies'] }, { permissions: ['tabs'] }, {}];
  const { permissions } = fingerprintsOf({ source: 'chrome', instances });
  expect([...permissions.values()].sort()).toEqual(['cookies', 'tabs']);
});

describe('baseline', () => {
  it('contains each launch and its hash once', () => {
    const baseline = baselineOf([configured(A, ['files', '~/a']), configured(B, ['files', '~/b'])]);
    // Both launches are equal and have hashes of their own.
    expect([...baseline]).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{32}$/)));
    const [launch = ''] = launches(configured(A, ['files', '~/c']));
    expect(baseline.has(launch)).toBe(true);
    expect(baselineOf([])).toEqual(new Set());
  });

  it('covers a device with any number of launches and permissions as it was reviewed', () => {
    const item = (i: number) => ({ launch_hash: `${i}`.padStart(64, '0'), permissions: [`p${i}`] });
    const loud = { source: 'skill', instances: Array.from({ length: 1_100 }, (_, i) => item(i)) };
    const louder = { ...loud, instances: [...loud.instances, item(1_100)] };
    const reviewed = baselineOf([loud]);
    expect(diffAgainstBaseline(fingerprintsOf(loud), reviewed)).toBeNull();
    expect(diffAgainstBaseline(fingerprintsOf(louder), reviewed)).toEqual({
      launchChanged: true,
      newPermissions: ['p1100'],
    });
  });
});
