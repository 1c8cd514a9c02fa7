// Relative launches belong to their project: a project is the same product in any location, and another project is
// another product.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { plant, scanTree } from '../../../test/trees.ts';
import type { ScannedEntity } from '../scan/entity-assembler.ts';
import { mcpConfig } from './mcp-config.ts';

const PLACEHOLDER = { workspace: `\${workspaceFolder}`, plugin: `\${CLAUDE_PLUGIN_ROOT}` };

/** Launches of the project's own code. */
const RELATIVE: [string, object][] = [
  ['a script', { command: 'node', args: ['dist/index.js'] }],
  [
    'a script below a variable',
    { command: 'node', args: [`${PLACEHOLDER.workspace}/dist/index.js`] },
  ],
  [
    'a script with options before it',
    { command: 'node', args: ['--import', 'tsx', './src/server.ts'] },
  ],
  ['a script of Python’s environment', { command: '.venv/bin/python', args: ['server.py'] }],
  ['a module', { command: 'python', args: ['-m', 'server.main'] }],
  ['a script of npm', { command: 'npm', args: ['start'] }],
  ['a script of npm by its name', { command: 'npm', args: ['run', 'mcp:dev'] }],
  ['a script of pnpm', { command: 'pnpm', args: ['mcp'] }],
  ['a program', { command: './run.sh', args: [] }],
  ['a program of another interpreter', { command: 'julia', args: ['src/server.jl'] }],
  ['a task of Laravel', { command: 'php', args: ['artisan', 'mcp:start'] }],
  ['a task of Rails', { command: 'bin/rails', args: ['mcp:start'] }],
  ['a target of make', { command: 'make', args: ['mcp'] }],
  ['a program of the environment', { command: 'uv', args: ['run', 'acme-server'] }],
  ['a script by uv', { command: 'uv', args: ['run', 'server.py'] }],
  ['a program of poetry', { command: 'poetry', args: ['run', 'acme-server'] }],
  ['a script behind wrappers', { command: 'npx', args: ['cross-env', 'A=b', 'node', 'server.js'] }],
  ['a script in a shell', { command: 'bash', args: ['-c', 'cd build && node server.js'] }],
  ['code', { command: 'node', args: ['-e', 'require("./server.js")'] }],
  ['a service of Compose', { command: 'docker', args: ['compose', 'run', '--rm', 'mcp'] }],
  [
    'a script in a container',
    { command: 'docker', args: ['run', '-v', '.:/app', 'node:22', 'node', '/app/a.js'] },
  ],
];

async function scanProject(
  server: object,
  files: Record<string, unknown>,
  folder: string,
): Promise<ScannedEntity> {
  const root = makeFolder();
  const at = (path: string) => `home/alice/${folder}/${path}`;
  plant(root, {
    [at('.cursor/mcp.json')]: { mcpServers: { local: server } },
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [at(path), content])),
  });
  const { entities, problems } = await scanTree([mcpConfig], root, { people: ['alice'] });
  expect(problems).toEqual([]);
  expect(entities).toHaveLength(1);
  return entities[0] as ScannedEntity;
}

const idOf = ({ wire }: ScannedEntity) => wire.entity_id;
const hashOf = ({ wire }: ScannedEntity) => (wire as WireEntity).launch_hash;

test.each(RELATIVE)('identifies %s in two projects as two products', async (_, server) => {
  const first = await scanProject(server, {}, 'src/demo');
  const two = await scanProject(server, {}, 'src/two');
  expect(idOf(first)).not.toBe(idOf(two));
  expect(hashOf(first)).not.toBe(hashOf(two));
});

const git = (url: string) => ({
  '.git/config': `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`,
});

test.each<[string, Record<string, unknown>]>([
  ['package.json', { 'package.json': { name: '@acme/notes' } }],
  ['pyproject.toml', { 'pyproject.toml': '[project]\nname = "acme-notes"\n' }],
  ['pyproject.toml of Poetry', { 'pyproject.toml': '[tool.poetry]\nname = "acme-notes"\n' }],
  ['Cargo.toml', { 'Cargo.toml': '[package]\nname = "acme-notes"\n' }],
  ['composer.json', { 'composer.json': { name: 'acme/notes' } }],
  ['go.mod', { 'go.mod': 'module example.com/acme/notes\n' }],
  ['the repository', git('https://github.com/acme/notes.git')],
])('identifies a project with %s in another folder as the same product', async (_, files) => {
  for (const [, server] of RELATIVE) {
    const first = await scanProject(server, files, 'src/demo');
    const two = await scanProject(server, files, 'code/elsewhere');
    expect(idOf(first)).toBe(idOf(two));
    expect(hashOf(first)).toBe(hashOf(two));
  }
});

test('gives a repository the same identity over https, ssh and with user info', async () => {
  const ids = [];
  for (const url of [
    'https://github.com/acme/notes.git',
    'https://someone:secret@github.com/acme/notes',
    'git@github.com:acme/notes.git',
    'ssh://git@github.com/acme/notes.git',
  ]) {
    ids.push(idOf(await scanProject({ command: 'npm', args: ['start'] }, git(url), 'src/demo')));
  }
  expect(new Set(ids).size).toBe(1);
});

test('gives a worktree the identity of its repository', async () => {
  const server = { command: 'npm', args: ['start'] };
  const remote = git('https://github.com/acme/notes')['.git/config'];
  const worktree = await scanProject(
    server,
    { '.git': 'gitdir: /home/alice/src/demo/main/.git/worktrees/x\n', 'main/.git/config': remote },
    'src/demo',
  );
  const clone = await scanProject(server, { '.git/config': remote }, 'src/two');
  expect(idOf(worktree)).toBe(idOf(clone));
});

test('distinguishes projects with the same manifest name by nothing else', async () => {
  const server = { command: 'node', args: ['server.js'] };
  const named = (name: string) => ({ 'package.json': { name } });
  const ids = [
    idOf(await scanProject(server, named('notes'), 'src/demo')),
    idOf(await scanProject(server, named('mail'), 'src/demo')),
    idOf(await scanProject(server, { 'package.json': '{broken' }, 'src/demo')),
  ];
  expect(new Set(ids).size).toBe(3);
});

test('identifies a launch by the directory that it names', async () => {
  const idIn = async (server: object) => idOf(await scanProject(server, {}, 'src/demo'));
  const folders = await Promise.all([
    idIn({ command: 'npm', args: ['--prefix', 'alpha', 'start'] }),
    idIn({ command: 'npm', args: ['--prefix', 'beta', 'start'] }),
    idIn({ command: 'npm', args: ['start'], cwd: './gamma' }),
    idIn({ command: 'npm', args: ['start'] }),
  ]);
  expect(new Set(folders).size).toBe(4);
  const same = await Promise.all([
    idIn({ command: 'npm', args: ['--prefix', 'alpha', 'start'] }),
    idIn({ command: 'npm', args: ['start'], cwd: 'alpha' }),
    idIn({ command: 'npm', args: ['start'], cwd: `${PLACEHOLDER.workspace}/alpha` }),
    idIn({ command: 'npm', args: ['start'], cwd: '/home/alice/src/demo/alpha' }),
    idIn({ command: 'sh', args: ['-c', 'cd alpha && npm start'] }),
  ]);
  expect(new Set(same).size).toBe(1);
});

test.each([
  ['npx', ['-y', '@acme/notes']],
  ['node', ['/opt/acme/server.js']],
  ['node', ['node_modules/@acme/notes/dist/index.js']],
  ['docker', ['run', 'ghcr.io/acme/notes']],
  ['/opt/acme/notes', []],
])('identifies %s %j as the same product in all projects', async (command, args) => {
  const first = await scanProject({ command, args }, {}, 'src/demo');
  const two = await scanProject({ command, args }, {}, 'src/two');
  expect(idOf(first)).toBe(idOf(two));
  expect(hashOf(first)).toBe(hashOf(two));
});

test('identifies the script of a plug-in by the plug-in', async () => {
  const scanPlugin = async (name: string) => {
    const root = makeFolder();
    const folder = `home/alice/.claude/plugins/cache/market/${name}/1.0.0`;
    plant(root, {
      [`${folder}/.claude-plugin/plugin.json`]: { name },
      [`${folder}/.mcp.json`]: {
        mcpServers: { own: { command: 'node', args: [`${PLACEHOLDER.plugin}/server.js`] } },
      },
    });
    const { entities } = await scanTree([mcpConfig], root, { people: ['alice'] });
    return idOf(entities[0] as ScannedEntity);
  };
  expect(await scanPlugin('alpha')).not.toBe(await scanPlugin('beta'));
});

test('recognizes the process of a relative launch in its project only', async () => {
  const { launches } = await scanProject(
    { command: 'node', args: ['dist/index.js'] },
    {},
    'src/demo',
  );
  expect(launches).toMatchObject([
    { command: 'node', token: 'dist/index.js', directory: '/home/alice/src/demo', owner: 'alice' },
  ]);
});
