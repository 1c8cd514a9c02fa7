// A scan is taken as the service takes it, with real child processes that run as the owner of the home when the tests
// run as root. A faulty child affects its own report only.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { plant } from '../../../test/trees.ts';
import type { Home } from '../homes/home-list.ts';
import { mcpConfig } from '../sources/mcp-config.ts';
import { type MachineResult, scanMachine } from './machine-scan.ts';
import { WORKER_LIMITS } from './worker/worker-limits.ts';
import { runWorkerReports } from './worker/worker-pool.ts';
import type { Job } from './worker/worker-protocol.ts';

const SOMEBODY = 54_321;
const SETTINGS = { personalHomes: true, browserProfiles: true };
const isRoot = process.getuid?.() === 0;

function makeHome(owner: string, uid: number): { root: string; home: Home } {
  const root = makeFolder();
  chmodSync(root, 0o755);
  const path = join(root, 'home', owner);
  mkdirSync(path, { recursive: true });
  return { root, home: { owner, path, uid, gid: uid } };
}

const scan = (root: string, homes: Home[], more = {}) =>
  scanMachine({
    sources: ['mcp_config', 'chrome'],
    env: { PATH: '/usr/bin', PLANTED: 'secret' },
    settings: SETTINGS,
    dataDir: null,
    root,
    homes,
    ...more,
  });

test('starts a single child for machine and home, and reads five formats, a broken file, a FIFO and a link to /etc/shadow', async () => {
  const { root, home } = makeHome('me', process.getuid?.() ?? 0);
  plant(home.path, {
    '.cursor/mcp.json': { mcpServers: { a: { command: 'npx', args: ['-y', 'json'] } } },
    '.config/Code/User/mcp.json':
      '\ufeff{"servers": {"b": {"command": "npx", "args": ["jsonc",],},},} // x',
    '.codex/config.toml':
      '[mcp_servers.c]\ncommand = "npx"\nargs = ["toml", "--api-key", "planted"]\n',
    '.continue/config.yaml': 'mcpServers:\n  - {name: d, command: npx, args: [yaml-list]}\n',
    '.config/goose/config.yaml':
      'extensions:\n  e: {cmd: npx, args: [yaml-map], envs: {K: planted}}\n',
    '.gemini/settings.json': '{"mcpServers": {"broken": {"command": "planted"',
  });
  mkdirSync(join(home.path, '.lmstudio'));
  execFileSync('mkfifo', [join(home.path, '.lmstudio/mcp.json')]);
  mkdirSync(join(home.path, '.copilot'));
  symlinkSync('/etc/shadow', join(home.path, '.copilot/mcp-config.json'));
  const { entities, coverage, problems } = await scan(root, [home]);
  expect(entities.map((e) => e.wire.name).sort()).toEqual([
    'json',
    'jsonc',
    'toml',
    'yaml-list',
    'yaml-map',
  ]);
  expect(problems.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual([
    '~/.copilot/mcp-config.json: a link leads out of the home',
    '~/.gemini/settings.json: it does not parse: line 1',
    '~/.lmstudio/mcp.json: not a regular file',
  ]);
  expect(coverage).toMatchObject([
    { source: 'mcp_config', owner: null, state: 'absent' },
    { source: 'mcp_config', owner: 'me', state: 'unreadable', entities: 5 },
    { source: 'chrome', owner: 'me', state: 'absent' },
  ]);
  expect(JSON.stringify({ entities, problems })).not.toContain('planted');
});

test('returns the previous scan when readers report the same, and a new scan after any change', async () => {
  const { root, home } = makeHome('me', process.getuid?.() ?? 0);
  const other = makeHome('bob', isRoot ? SOMEBODY : (process.getuid?.() ?? 0)).home;
  const server = (...args: string[]) => ({ mcpServers: { a: { command: 'npx', args } } });
  plant(home.path, { '.cursor/mcp.json': server('first') });
  plant(other.path, { '.cursor/mcp.json': server('two') });
  if (isRoot) execFileSync('chown', ['-R', `${SOMEBODY}:${SOMEBODY}`, other.path]);
  chmodSync(join(other.path, '../..'), 0o755);
  const homes = [home, other];
  const first = await scan(root, homes);
  expect(first).toMatchObject({
    isSame: false,
    fingerprint: { workers: { length: isRoot ? 2 : 1 } },
  });
  const again = await scan(root, homes, { before: first });
  expect(again).toMatchObject({ isSame: true, coverage: first.coverage, kept: first.kept });
  expect(again.entities).toBe(first.entities);
  expect(again.startedAt.getTime()).toBeGreaterThan(first.startedAt.getTime());

  const expectNew = async (before: MachineResult, withHomes = homes, more = {}) => {
    const now = await scan(root, withHomes, { ...more, before });
    const { entities, coverage, problems, kept } = await scan(root, withHomes, more);
    expect(now).toMatchObject({ isSame: false, entities, coverage, problems, kept });
    expect(await scan(root, withHomes, { ...more, before: now })).toMatchObject({ isSame: true });
    return now;
  };
  plant(other.path, { '.cursor/mcp.json': server('three') });
  const changed = await expectNew(again);
  expect(changed.entities.map((entity) => entity.wire.name).sort()).toEqual(['first', 'three']);
  plant(home.path, { '.cursor/mcp.json': server('first', 'more') });
  const longer = await expectNew(changed);
  plant(home.path, { '.cursor/mcp.json': server('first') });
  const shorter = await expectNew(longer);
  // Homes and discovery settings are part of the fingerprint.
  const fewer = await expectNew(shorter, [home]);
  const settings = { personalHomes: false, browserProfiles: false };
  await expectNew(fewer, [home], { settings });
});

test('reads an unchanged package database once, and again after dpkg changes it or on a full scan', async () => {
  const { root, home } = makeHome('me', process.getuid?.() ?? 0);
  const stanza = (name: string) =>
    `Package: ${name}\nStatus: install ok installed\nVersion: 1\nArchitecture: amd64\n\n`;
  plant(root, {
    'var/lib/dpkg/status': stanza('dpkg') + stanza('tool'),
    'var/lib/dpkg/info/tool.list': '/usr/bin/tool\n',
    'usr/bin/tool': 'x',
    'usr/bin/other': 'x',
  });
  plant(home.path, { '.cursor/mcp.json': { mcpServers: { a: { command: 'npx', args: ['a'] } } } });
  for (const name of ['tool', 'other']) chmodSync(join(root, 'usr/bin', name), 0o755);
  const sources = ['dpkg', 'mcp_config'];
  const rescan = (before: MachineResult | null, isFullRead = false) =>
    scan(root, [home], { sources, before, isFullRead });
  const programs = ({ entities }: MachineResult) =>
    entities.flatMap(({ wire }) => (wire.name === 'tool' ? wire.executables : []));
  const first = await rescan(null);
  expect(programs(first)).toEqual(['/usr/bin/tool']);
  expect(await rescan(first)).toMatchObject({ isSame: true, entities: first.entities });

  // A change that dpkg never makes: only a complete read detects it.
  writeFileSync(join(root, 'var/lib/dpkg/info/tool.list'), '/usr/bin/other\n');
  expect(await rescan(first)).toMatchObject({ isSame: true });
  const whole = await rescan(first, true);
  expect(programs(whole)).toEqual(['/usr/bin/other']);

  const expectNew = async (before: MachineResult) => {
    const now = await rescan(before);
    expect(now).toMatchObject({ isSame: false, entities: (await rescan(null)).entities });
    expect(await rescan(now)).toMatchObject({ isSame: true });
    return now;
  };
  rmSync(join(root, 'usr/bin/other'));
  const without = await expectNew(whole);
  expect(programs(without)).toEqual([]);
  plant(root, { 'var/lib/dpkg/status': stanza('dpkg') });
  const less = await expectNew(without);
  // Sources without a stamp are read as usual.
  plant(home.path, { '.cursor/mcp.json': { mcpServers: { a: { command: 'npx', args: ['b'] } } } });
  const other = await expectNew(less);

  // Without a package manager there is a file for each package, and many of them.
  const many = Array.from({ length: 200 }, (_, at) => [
    `var/lib/dpkg/status.d/p${at}`,
    stanza(`p${at}`),
  ]);
  plant(root, Object.fromEntries(many));
  expect((await expectNew(other)).entities.length).toBeGreaterThan(200);
  rmSync(join(root, 'var/lib/dpkg/status.d'), { recursive: true });

  // A failed read is repeated, whether anything changed or not.
  rmSync(join(root, 'var/lib/dpkg/status'));
  mkdirSync(join(root, 'var/lib/dpkg/status.d/odd'), { recursive: true });
  const odd = await rescan(other);
  expect(odd.coverage).toMatchObject([{ source: 'dpkg', state: 'unreadable' }, {}, {}]);
  expect(odd.fingerprint).toBeNull();
});

test('never treats a truncated report as unchanged', async () => {
  const { root, home } = makeHome('me', process.getuid?.() ?? 0);
  const limits = { ...WORKER_LIMITS, totalMs: 1 };
  const cut = await scan(root, [home], { limits });
  expect(cut.fingerprint).toBeNull();
  expect(await scan(root, [home], { limits, before: cut })).toMatchObject({ isSame: false });
  const ends = AbortSignal.abort();
  const whole = await scan(root, [home]);
  const stopped = await scan(root, [home], { before: whole, signal: ends });
  expect(stopped).toMatchObject({ isSame: false, fingerprint: null });
});

test.skipIf(!isRoot)(
  'lists ten thousand extensions of a home without hiding its other entries',
  async () => {
    const { root, home } = makeHome('fills', SOMEBODY);
    const letters = (at: number) =>
      [...at.toString(16).padStart(32, '0')].map(
        (digit) => 'abcdefghijklmnop'[parseInt(digit, 16)],
      );
    const extension = (at: number) => [
      letters(at).join(''),
      { location: 1, manifest: { name: `x${at}`, version: '1', permissions: ['p'.repeat(1500)] } },
    ];
    const settings = Object.fromEntries(Array.from({ length: 10_500 }, (_, at) => extension(at)));
    plant(home.path, {
      '.config/google-chrome/Default/Preferences': { extensions: { settings } },
      '.vscode/extensions/acme.tool-1.0.0/package.json': {
        ...{ publisher: 'acme', name: 'tool', version: '1.0.0' },
      },
      [`${'d'.repeat(200)}/AGENTS.md`]: 'text',
    });
    execFileSync('chown', ['-R', `${SOMEBODY}:${SOMEBODY}`, home.path]);
    const { entities, coverage } = await scan(root, [home], {
      sources: ['chrome', 'firefox', 'vscode', 'instruction_file'],
    });
    const ofHome = Object.fromEntries(
      coverage.filter((row) => row.owner === 'fills').map((row) => [row.source, row]),
    );
    expect(ofHome.chrome).toMatchObject({ state: 'unparsed', reason: 'more than can be reported' });
    expect(ofHome.vscode?.state).toBe('read');
    expect(ofHome.instruction_file?.state).toBe('read');
    const sources = Map.groupBy(entities, (entity) => entity.wire.source);
    expect(sources.get('chrome')?.length).toBeGreaterThan(5000);
    expect(sources.get('vscode')?.length).toBe(1);
    expect(sources.get('instruction_file')?.length).toBe(1);
  },
);

test('leaves out a file whose report would be too large, and reads the rest of the home', async () => {
  const { root, home } = makeHome('me', process.getuid?.() ?? 0);
  const hosts = Array.from({ length: 5000 }, (_, at) => `https://${'h'.repeat(50)}${at}.example/*`);
  plant(home.path, {
    '.cursor/mcp.json': {
      mcpServers: { odd: { command: 'x'.repeat(20_000) }, a: { command: 'npx', args: ['whole'] } },
    },
    [`.config/google-chrome/Default/Extensions/${'a'.repeat(32)}/1.0_0/manifest.json`]: {
      name: 'many hosts',
      version: '1.0',
      host_permissions: hosts,
    },
    [`.config/google-chrome/Default/Extensions/${'b'.repeat(32)}/1.0_0/manifest.json`]: {
      name: 'plain',
      version: '1.0',
    },
  });
  const { entities, coverage, problems } = await scan(root, [home]);
  expect(entities.map((e) => e.wire.name)).toEqual(expect.arrayContaining(['whole', 'plain']));
  // A long command has a short key and name: its server is reported.
  expect(entities.filter((e) => e.wire.kind === 'mcp_server')).toHaveLength(2);
  expect(coverage.filter((row) => row.owner === 'me').map((row) => row.state)).toEqual([
    'read',
    'unparsed',
  ]);
  expect(problems).toEqual([
    expect.objectContaining({ source: 'chrome', reason: 'larger than can be reported' }),
  ]);
});

describe.runIf(isRoot)('scans as root', () => {
  test("reads another user's home as that user", async () => {
    const { root, home } = makeHome('alice', SOMEBODY);
    plant(home.path, {
      '.cursor/mcp.json': { mcpServers: { a: { command: 'npx', args: ['theirs'] } } },
      '.gemini/settings.json': { mcpServers: { b: { command: 'npx', args: ['of-root'] } } },
    });
    // Root's own file in that home: who reads as root would see it.
    chmodSync(join(home.path, '.gemini/settings.json'), 0o600);
    chownSync(home.path, SOMEBODY, SOMEBODY);
    const { entities, problems } = await scan(root, [home]);
    expect(entities.map((e) => e.wire.name)).toEqual(['theirs']);
    expect(problems).toMatchObject([{ path: '~/.gemini/settings.json', reason: 'EACCES' }]);
  });

  test('reports a closed home as unreadable, and reads the next home', async () => {
    const { root, home } = makeHome('alice', SOMEBODY);
    plant(home.path, { '.gemini/settings.json': {} });
    chmodSync(home.path, 0o700);
    const other: Home = { ...home, owner: 'bob', path: join(root, 'home/bob'), uid: SOMEBODY + 1 };
    plant(other.path, {
      '.cursor/mcp.json': { mcpServers: { a: { command: 'npx', args: ['theirs'] } } },
    });
    const { entities, coverage } = await scan(root, [home, other]);
    expect(entities.map((e) => e.wire.name)).toEqual(['theirs']);
    const states = coverage.filter((row) => row.source === 'mcp_config').map((row) => row.state);
    expect(states).toEqual(['absent', 'unreadable', 'read']);
  });
});

test('reports a home that was never used as absent', async () => {
  const { root, home } = makeHome('service', SOMEBODY);
  plant(home.path, { '.bashrc': 'x', '.profile': 'x' });
  const { coverage } = await scan(root, [home]);
  expect(coverage.filter((row) => row.owner === 'service').map((row) => row.state)).toEqual([
    'absent',
    'absent',
  ]);
});

test('starts no child for an excluded home, and reports it as skipped', async () => {
  const { root, home } = makeHome('alice', SOMEBODY);
  plant(home.path, { '.cursor/mcp.json': { mcpServers: { a: { command: 'npx', args: ['x'] } } } });
  const settings = { personalHomes: false, browserProfiles: false };
  const { entities, coverage } = await scan(root, [home], { settings });
  expect(entities).toEqual([]);
  expect(coverage.filter((row) => row.owner === 'alice').map((row) => row.state)).toEqual([
    'skipped',
    'skipped',
  ]);
});

describe('scan child', () => {
  const found = (result: object) =>
    JSON.stringify({
      is: 'found',
      sighting: { kind: 'mcp_server', key: 'k', name: 'n', ...result },
    });
  const report = (more: object) =>
    JSON.stringify({
      is: 'report',
      source: 'mcp_config',
      owner: 'alice',
      state: 'read',
      reason: null,
      problems: [],
      ...more,
    });
  const writesLines = (...lines: string[]) =>
    `process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`;

  async function runFake(script: string, limits = WORKER_LIMITS, unread = 0) {
    const program = join(makeFolder(), 'fake.mjs');
    // Reads its job first: writing to a child that has ended fails, and then it is not heard.
    writeFileSync(program, `for await (const _ of process.stdin);\n${script}`);
    const job: Job = {
      platform: 'linux',
      root: '/',
      machine: false,
      homes: [{ owner: 'alice', path: '/nowhere', uid: null, gid: null }],
      others: [],
      sources: null,
      env: {},
      settings: SETTINGS,
      stamps: false,
      become: null,
    };
    const { reports } = await runWorkerReports(job, [mcpConfig], { program, limits, unread });
    const [only, ...more] = reports;
    expect(more).toEqual([]);
    return only;
  }

  test('accepts the report of a well-behaved child', async () => {
    expect(await runFake(writesLines(found({}), report({})))).toMatchObject({
      owner: 'alice',
      state: 'read',
      found: [{ key: 'k' }],
    });
  });

  test.each([
    ['ends with an error', 'process.exit(3)', 'unreadable'],
    ['ends before its report is complete', writesLines(found({})), 'unreadable'],
    ['kills itself', 'process.kill(process.pid, "SIGKILL")', 'unreadable'],
    ['writes an invalid line', writesLines('hello'), 'unreadable'],
    ['reports another user', writesLines(report({ owner: 'bob' })), 'unreadable'],
    ['reports the machine', writesLines(report({ owner: null })), 'unreadable'],
    ['reports another source', writesLines(report({ source: 'dpkg' })), 'unreadable'],
    [
      'reports a home as empty that it was not assigned',
      writesLines(JSON.stringify({ is: 'unused_home', owner: 'alice' })),
      'unreadable',
    ],
    ['makes up a kind', writesLines(found({ kind: 'planet' }), report({})), 'unreadable'],
    ['makes up a hash', writesLines(found({ launchHash: 'x' }), report({})), 'unreadable'],
    ['hangs', 'setInterval(() => {}, 1000)', 'timed_out'],
    ['hangs and ignores signals', 'process.on("SIGTERM", () => {}); for (;;);', 'timed_out'],
    [
      'never ends a line',
      'const t = "x".repeat(65536); const write = () => process.stdout.write(t, write); write()',
      'unreadable',
    ],
    [
      'never ends to find',
      `const t = ${JSON.stringify(`${found({})}\n`)}.repeat(100); const write = () => process.stdout.write(t, write); write()`,
      'unreadable',
    ],
  ])('loses only the report of a child that %s', async (_, script, state) => {
    const limits = { ...WORKER_LIMITS, silentMs: 1500, maxFound: 1000 };
    expect(await runFake(script, limits)).toMatchObject({ owner: 'alice', state, found: [] });
    // However long the same output was expected, a limit still applies.
    const unread = await runFake(script, limits, 300_000);
    expect(unread).toMatchObject({ owner: 'alice', state, found: [] });
  });

  test("gives the child nothing of the agent's environment", async () => {
    const script = `process.stdout.write(JSON.stringify({is:'report',source:'mcp_config',owner:'alice',state:'read',reason:JSON.stringify(process.env),problems:[]})+'\\n')`;
    const environment = JSON.parse((await runFake(script))?.reason ?? '{}');
    // How it is to use its memory and its threads, and nothing else.
    expect(Object.keys(environment).filter((name) => !/^(MALLOC|UV)_/.test(name))).toEqual([]);
  });
});
