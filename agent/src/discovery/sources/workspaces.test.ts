// MCP servers in workspace files (`*.code-workspace`) are found where editors store and remember them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { byName, plant, scanTree } from '../../../test/trees.ts';
import { skills } from './instructions.ts';
import { mcpConfig } from './mcp-config.ts';

const HOME = 'home/alice';
const npx = (pkg: string) => ({ command: 'npx', args: ['-y', pkg] });

test('finds servers in remembered workspaces, in projects, beside them and in the home itself', async () => {
  const root = makeFolder();
  plant(root, {
    [`${HOME}/.config/Code/User/workspaceStorage/1/workspace.json`]: {
      workspace: 'file:///home/alice/deep/er/than/a/walk/goes/far.code-workspace',
    },
    // `Save workspace as` writes comments and a superfluous comma.
    [`${HOME}/deep/er/than/a/walk/goes/far.code-workspace`]:
      '\ufeff{ // mine\n "folders": [{"path": "../x"}],\n "settings": {"mcp": {"servers": {"far": {"command": "npx", "args": ["-y", "far-pkg"]},}}},\n}',
    [`${HOME}/Projects/both.code-workspace`]: {
      folders: [],
      settings: { 'mcp.servers': { dotted: npx('dotted-pkg') } },
    },
    [`${HOME}/top.code-workspace`]: { mcp: { servers: { top: npx('top-pkg') }, inputs: [] } },
    [`${HOME}/code/app/AGENTS.md`]: 'x',
    [`${HOME}/code/app/app.code-workspace`]: {
      settings: {
        mcp: { servers: { env: { ...npx('env-pkg'), env: { KEY: 'planted-secret' } } } },
      },
    },
  });
  const result = await scanTree([mcpConfig], root, { people: ['alice'] });
  expect(result.problems).toEqual([]);
  const found = byName(result);
  expect([...found.keys()].sort()).toEqual(['dotted-pkg', 'env-pkg', 'far-pkg', 'top-pkg']);
  expect(found.get('env-pkg')).toMatchObject({
    install_path: '~/code/app/app.code-workspace',
    details: { configured: [{ client: 'vscode', scope: 'project', env: ['KEY'] }] },
  });
  const containers = result.entities.flatMap((entity) =>
    entity.entries.map((entry) => entry.container),
  );
  expect(containers.map((container) => container.join('/')).sort()).toEqual([
    'mcp/servers',
    'settings/mcp.servers',
    'settings/mcp/servers',
    'settings/mcp/servers',
  ]);
  expect(JSON.stringify(result)).not.toContain('planted');
});

test('reports broken, missing or outside workspaces without harm', async () => {
  const root = makeFolder();
  plant(root, {
    'srv/out.code-workspace': { settings: { mcp: { servers: { out: npx('planted-pkg') } } } },
    [`${HOME}/.config/Code/User/workspaceStorage/1/workspace.json`]: {
      workspace: 'file:///srv/out.code-workspace',
    },
    [`${HOME}/broken.code-workspace`]: '{"settings": {"mcp": "planted-secret',
    [`${HOME}/list.code-workspace`]: [1],
    [`${HOME}/shapes.code-workspace`]: { settings: ['planted'], mcp: { servers: 'planted' } },
    [`${HOME}/deep.code-workspace`]: '['.repeat(200_000),
    [`${HOME}/folder.code-workspace/x`]: '',
  });
  symlinkSync('../../srv/out.code-workspace', join(root, HOME, 'linked.code-workspace'));
  execFileSync('mkfifo', [join(root, HOME, 'fifo.code-workspace')]);
  const result = await scanTree([mcpConfig], root, { people: ['alice'] });
  expect(result.entities).toEqual([]);
  expect(JSON.stringify(result)).not.toContain('planted');
  const problemFiles = new Set(result.problems.map((problem) => problem.path.split('/').at(-1)));
  for (const name of ['broken', 'list', 'deep', 'linked', 'fifo']) {
    expect(problemFiles).toContain(`${name}.code-workspace`);
  }
});

test('reports folders that a walk did not reach, and still finds remembered workspaces', async () => {
  const root = makeFolder();
  const folders = Array.from({ length: 3200 }, (_, at) => `${HOME}/code/n${at}`);
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  const server = { mcpServers: { far: npx('far-pkg') } };
  plant(root, {
    [`${HOME}/code/zz/.mcp.json`]: server,
    [`${HOME}/workspace/zz/.mcp.json`]: { mcpServers: { beyond: npx('beyond-pkg') } },
    [`${HOME}/.claude.json`]: { projects: { '/home/alice/code/zz': {} } },
  });
  const result = await scanTree([mcpConfig, skills], root, { people: ['alice'] });
  expect([...byName(result).keys()]).toEqual(['far-pkg']);
  expect(result.problems.map((problem) => [problem.source, problem.path])).toEqual([
    ['mcp_config', '~'],
    ['skill', '~'],
  ]);
  expect(result.problems[0]?.reason).toMatch(/^more than 3000 folders/);
});
