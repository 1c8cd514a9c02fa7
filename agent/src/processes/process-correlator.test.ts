// Processes are correlated with products: scripts behind interpreters, configured launches, and claims that a home may
// not make.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { describe, expect, test } from 'vitest';
import type { ScannedEntity } from '../discovery/scan/entity-assembler.ts';
import { isLaunchedAs } from './launch-matcher.ts';
import type { PackageOwners } from './package-owners.ts';
import { createPostureReporter, unguardedSwitches } from './posture-reporter.ts';
import { commandName, isInterpreter } from './process-arguments.ts';
import { createCorrelator } from './process-correlator.ts';
import type { RunningProcess } from './running-process.ts';

const launch = (command: string, token: string | null, owner: string | null = null) => ({
  command,
  token,
  owner,
});
const running = (
  line: string,
  over: { script?: string; directory?: string; owner?: string } = {},
) => {
  const words = line.split(' ');
  return {
    name: commandName(words[0] ?? ''),
    words,
    script: null,
    directory: null,
    owner: '1000',
    ...over,
  };
};
const home = (path: string) => path.replace(/^\/home\/a(?=\/)/, '~');

test.each([
  ['npx', '@scope/pkg', 'npm exec @scope/pkg@1.2.3'],
  ['npx', '@scope/pkg', 'node /home/a/.npm/_npx/1/node_modules/@scope/pkg/dist/index.js'],
  ['uvx', 'mcp-server-git', '/home/a/.local/bin/uv tool uvx mcp-server-git==1.0'],
  ['uvx', 'mcp-server-git', '/usr/bin/python3.13 /x/bin/mcp-server-git --repo y'],
  ['node', '~/weather/build/index.js', '/usr/bin/node /home/a/weather/build/index.js'],
  ['python3', 'acme.server', 'python3.12 -m acme.server'],
  ['docker', 'mcp/fetch', '/usr/bin/docker run -i --rm mcp/fetch:1.0'],
])('recognizes for %s with %s the process %s', (command, token, line) => {
  expect(isLaunchedAs(launch(command, token), running(line), home)).toBe(true);
});

test.each([
  ['npx', '@scope/pkg', 'node /srv/@scope/pkg-other/index.js'],
  ['npx', 'pkg', 'grep pkg'],
  ['node', 'server', 'node /x/server.js'],
  ['node', null, 'node /x/server.js'],
  ['bash', null, 'bash'],
])('does not recognize for %s with %s the process %s', (command, token, line) => {
  expect(isLaunchedAs(launch(command, token), running(line), home)).toBe(false);
});

test.each([
  ['node dist/index.js', { directory: '/home/a/app' }, true],
  ['node dist/index.js', { directory: '/home/a/two' }, false],
  ['node dist/index.js', {}, false],
  ['node dist/index.js', { directory: '/', script: '/home/a/app/dist/index.js' }, true],
  ['node dist/index.js', { directory: '/', script: '/home/a/app-more/dist/index.js' }, false],
])('correlates a relative launch of a project, %s in %j: %s', (line, place, expected) => {
  const relative = { ...launch('node', 'dist/index.js'), directory: '/home/a/app' };
  expect(isLaunchedAs(relative, running(line, place), home)).toBe(expected);
});

test.each([
  ['node C:\\TOOLS\\Files\\Index.js', 'Tools/files/index.js', {}],
  ['node dist\\index.js', 'dist/index.js', { directory: 'c:\\code\\APP' }],
  ['node dist/index.js', 'dist/index.js', { script: 'c:\\Code\\app\\dist\\index.js' }],
])('correlates a launch on Windows in another case: %s', (line, token, place) => {
  const relative = { ...launch('node', token), directory: 'C:\\code\\app' };
  const config = 'directory' in place || 'script' in place ? relative : launch('node', token);
  expect(isLaunchedAs(config, running(line, place), home, 'win32')).toBe(true);
  expect(isLaunchedAs(config, running(line, place), home, 'linux')).toBe(false);
});

test("applies a home's entries to processes of its own user only", () => {
  const at = (owner: string | null, user: string) =>
    isLaunchedAs(launch('sshd', '/x', owner), running('sshd /x', { owner: user }), home);
  expect([at('1000', '1000'), at('1000', '0'), at(null, '0')]).toEqual([true, false, true]);
});

describe('claims of a home', () => {
  const process = (executablePath: string, uid: number): RunningProcess => ({
    pid: 2 ** 30,
    ppid: 1,
    uid,
    name: executablePath.replace(/.*\//, ''),
    executablePath,
    startTicks: '1',
    startedAt: null,
    kernelThread: false,
  });
  const owned = {
    entity_id: 'package',
    kind: 'package' as const,
    name: 'p',
    version: '1',
    publisher: null,
  };
  const packages: PackageOwners = {
    readable: () => true,
    find: (paths) =>
      new Map(
        paths.map((path) => [
          path,
          path.startsWith('/usr/bin/') ? [{ entity: owned, vital: false, listed: path }] : [],
        ]),
      ),
  };
  const claim = (path: string, owner: string | null): ScannedEntity => ({
    wire: {
      entity_id: 'claimed',
      kind: 'mcp_server',
      source: 'mcp_config',
      name: 'x',
    } as WireEntity,
    owners: [owner],
    key: 'x',
    executables: [{ path, owner }],
    launches: [],
    entries: [],
  });
  const homes = [{ owner: '1000', path: '/home/a', uid: 1000, gid: 1000 }];

  test.each([
    ['/usr/bin/postgres', '1000', 1000, false],
    ['/usr/bin/postgres', null, 1000, true],
    ['/opt/corp/tool', '1000', 0, false],
    ['/opt/corp/tool', '1000', 1000, true],
    ['/home/a/bin/tool', '1000', 0, true],
  ])('evaluates a claim of %s by the home of %s, run by %i: %s', (path, owner, uid, claims) => {
    const correlator = createCorrelator('linux', packages, homes);
    correlator.applyScan([claim(path, owner)]);
    const [found] = correlator.correlate([process(path, uid)]);
    expect(found?.entities.some((entity) => entity.entity_id === 'claimed')).toBe(claims);
  });

  test('correlates a restored program that a scan missed during quarantine', () => {
    const unseen = { ...claim('/opt/corp/tool', null), executables: [] };
    const correlator = createCorrelator('linux', packages, homes);
    const claimed = () => correlator.correlate([process('/opt/corp/tool', 0)])[0]?.entities.length;
    correlator.applyScan([unseen], [{ path: '/opt/corp/tool', entityIds: ['claimed', 'gone'] }]);
    expect(claimed()).toBe(1);
    correlator.applyScan([unseen], [{ path: '/opt/corp/tool', entityIds: ['another'] }]);
    expect(claimed()).toBe(0);
    correlator.applyScan([claim('/opt/corp/tool', '1000')], []);
    expect(claimed()).toBe(0);
  });

  test.each([
    ['/snap/notes/42/usr/lib/notes/notes', ['snap', 'menu']],
    ['/snap/notes/x1/bin/helper', ['snap', 'menu']],
    ['/var/lib/snapd/snap/notes/42/bin/notes', ['snap', 'menu']],
    ['/snap/notes-other/42/bin/notes', []],
    ['/home/a/snap/notes/42/bin/notes', []],
    ['/snap/core22/1/usr/bin/notes', []],
    ['/snap/bin/notes', []],
  ])('correlates %s with the Snaps %j', (path, expected) => {
    const found = (id: string, wire: object, key: string): ScannedEntity => ({
      ...claim('/nothing', null),
      wire: { entity_id: id, kind: 'application', name: id, ...wire } as WireEntity,
      key,
      executables: [],
    });
    const menu = '/var/lib/snapd/desktop/applications/notes_app.desktop';
    const correlator = createCorrelator('linux', packages, homes);
    correlator.applyScan([
      found('snap', { source: 'snap', details: { type: 'app' } }, 'notes'),
      found('base', { source: 'snap', details: { type: 'base' } }, 'core22'),
      found('menu', { source: 'desktop_entry', install_path: menu }, 'notes_app'),
    ]);
    const [correlated] = correlator.correlate([process(path, 1000)]);
    expect(correlated?.entities.map((entity) => entity.entity_id)).toEqual(expected);
  });

  test.each([
    ['/app/bin/notes', 1000, 'org.acme.Notes', ['machine', 'home', 'menu']],
    ['/app/bin/notes', 1001, 'org.acme.Notes', ['machine', 'menu']],
    ['/app/bin/notes', 1000, 'org.acme.No\\x2dtes', ['dashed']],
    ['/app/bin/notes', 1000, 'org.acme.Other', []],
    ['/opt/bin/notes', 1000, 'org.acme.Notes', []],
  ])('correlates %s of %i in the scope of %s with the Flatpaks', (path, uid, scope, expected) => {
    const found = (id: string, source: string, key: string, owner: string | null) => ({
      ...claim('/nothing', owner),
      wire: {
        ...{ entity_id: id, kind: 'application', name: id, source },
        ...(source === 'flatpak' ? {} : { details: { flatpak: 'org.acme.Notes' } }),
      } as WireEntity,
      key,
      executables: [],
    });
    const slice = '0::/user.slice/user@1000.service/app.slice';
    const cgroup = () => `${slice}/app-flatpak-${scope}-4242.scope\n`;
    const correlator = createCorrelator('linux', packages, homes, undefined, cgroup);
    correlator.applyScan([
      found('machine', 'flatpak', 'org.acme.Notes', null),
      found('home', 'flatpak', 'org.acme.Notes', '1000'),
      found('menu', 'desktop_entry', 'org.acme.Notes', null),
      found('dashed', 'flatpak', 'org.acme.No-tes', null),
    ]);
    const [correlated] = correlator.correlate([process(path, uid)]);
    expect(correlated?.entities.map((entity) => entity.entity_id)).toEqual(expected);
  });
});

test('recognizes interpreters with and without a version', () => {
  for (const name of ['python3', 'python3.13', 'node', 'bash', 'dash', 'ruby3.1', 'perl', 'java']) {
    expect(isInterpreter(name)).toBe(true);
  }
  for (const name of [
    'chrome',
    'nodejs-helper',
    'pythonista',
    'cash-register',
    'ssh',
    'fish-bowl',
  ]) {
    expect(isInterpreter(name)).toBe(false);
  }
});

test.each([
  ['claude --dangerously-skip-permissions', ['--dangerously-skip-permissions']],
  ['claude --permission-mode bypassPermissions', ['bypassPermissions']],
  ['codex --sandbox=danger-full-access --full-auto', ['danger-full-access', '--full-auto']],
  ['gemini --approval-mode yolo', ['approval-mode=yolo']],
  ['gemini -p yolo --yolo=false', []],
  ['aider --yes-always --message secret', ['--yes-always']],
  ['claude -p danger-full-access-is-bad', []],
])('detects in %s: %j', (line, switches) => {
  expect(unguardedSwitches(line.split(' '))).toEqual(switches);
});

test('reports an assistant without safeguards once while it runs', async () => {
  const reported: string[] = [];
  const reporter = createPostureReporter(async (_, outcome) => {
    reported.push(outcome);
  });
  const launch = { process: { pid: 1, startTicks: '1' } as RunningProcess, switches: ['--yolo'] };
  await reporter.report([launch]);
  await reporter.report([launch]);
  expect(reported).toEqual(['unguarded:--yolo']);
  await reporter.report([]);
  await reporter.report([launch]);
  expect(reported).toHaveLength(2);
});
