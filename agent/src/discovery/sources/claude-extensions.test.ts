// Claude Desktop extensions are found on three systems in its own layout; hostile extensions cause no harm and leak
// nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { entityId } from '@gatewarden/shared/identity.ts';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { byName, plant, put, scanTree } from '../../../test/trees.ts';
import { claudeExtensions } from './claude-extensions.ts';

/** An extension for Node, with settings that the user enters. */
const NODE = {
  dxt_version: '0.1',
  name: 'files',
  display_name: 'Files',
  version: '1.2.3',
  author: { name: 'Acme', email: 'planted@example.org' },
  server: {
    type: 'node',
    entry_point: 'dist/index.js',
    mcp_config: {
      command: 'node',
      args: [
        `\${__dirname}/dist/index.js`,
        '--root',
        `\${user_config.folder}`,
        `--api-key=\${user_config.key}`,
      ],
      env: { FILES_KEY: `\${user_config.key}`, MODE: 'planted' },
    },
  },
  user_config: { key: { type: 'string', sensitive: true, default: 'planted-default' } },
};
/** An extension with a program of its own, for each system. */
const BINARY = {
  manifest_version: '0.3',
  name: 'tool',
  version: '2.0',
  author: 'Acme',
  server: {
    type: 'binary',
    entry_point: 'server/tool',
    mcp_config: {
      command: `\${__dirname}/server/tool`,
      args: ['stdio'],
      platform_overrides: { win32: { command: `\${__dirname}/server/tool.exe`, args: ['--win'] } },
    },
  },
};
const UV = { name: 'script', version: '1', server: { type: 'uv', entry_point: 'src/server.py' } };

const configured = (wire: { details?: object | null } | undefined) =>
  (wire?.details as { configured: Record<string, unknown>[] } | undefined)?.configured[0];

test.each([
  ['linux', 'home/alice/.config/Claude', '~/.config/Claude'],
  [
    'darwin',
    'Users/alice/Library/Application Support/Claude',
    '~/Library/Application Support/Claude',
  ],
  ['win32', 'Users/alice/AppData/Roaming/Claude', '~\\AppData\\Roaming\\Claude'],
  [
    'win32',
    'Users/alice/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude',
    '~\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude',
  ],
] as const)('finds extensions on %s in %s', async (platform, base, shown) => {
  const root = makeFolder();
  plant(root, {
    [`${base}/Claude Extensions/ant.dir.acme.files/manifest.json`]: NODE,
    [`${base}/Claude Extensions/local.dxt.acme.tool/manifest.json`]: `\ufeff${JSON.stringify(BINARY)}`,
    [`${base}/Claude Extensions/local.mcpb.acme.script/manifest.json`]: UV,
    [`${base}/Claude Extensions Settings/ant.dir.acme.files.json`]: {
      isEnabled: false,
      userConfig: { key: 'planted-entered' },
    },
  });
  for (const name of ['tool', 'tool.exe']) {
    put(root, `${base}/Claude Extensions/local.dxt.acme.tool/server/${name}`, 'x', 0o755);
  }
  const result = await scanTree([claudeExtensions], root, { platform, people: ['alice'] });
  expect(result.problems).toEqual([]);
  const found = byName(result);
  const at = (id: string) =>
    [shown, 'Claude Extensions', id].join(platform === 'win32' ? '\\' : '/');
  expect(found.get('Files')).toMatchObject({
    kind: 'mcp_server',
    version: '1.2.3',
    publisher: 'Acme',
    install_path: at('ant.dir.acme.files'),
    entity_id: entityId(platform, 'mcp_server', 'claude_extension', 'ant.dir.acme.files'),
    executables: [],
    launch_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(configured(found.get('Files'))).toMatchObject({
    client: 'claude-desktop',
    scope: 'extension',
    command: 'node',
    args: ['./dist/index.js', '--root', `\${user_config.folder}`, '--api-key=[cut]'],
    env: ['FILES_KEY', 'MODE'],
    disabled: true,
  });
  const windows = platform === 'win32';
  expect(configured(found.get('tool'))).toMatchObject({ args: [windows ? '--win' : 'stdio'] });
  expect(found.get('tool')?.executables).toHaveLength(1);
  expect(configured(found.get('script'))).toMatchObject({ command: 'uv' });
  const launches = result.entities.flatMap((entity) => entity.launches);
  expect(launches.map((launch) => launch.command).sort()).toEqual(['node', 'tool', 'uv']);
  expect(JSON.stringify(result.entities.map((entity) => entity.wire))).not.toContain('planted');
});

test('survives a hostile home without leaking a secret', async () => {
  const root = makeFolder();
  const folder = 'home/alice/.config/Claude/Claude Extensions';
  const server = (config: unknown) => ({ name: 'x', version: '1', server: { mcp_config: config } });
  plant(root, {
    [`${folder}/ghp_AbCdEfGhIjKlMnOpQrStUvWxYz012345/manifest.json`]: NODE,
    [`${folder}/broken/manifest.json`]: '{"planted-secret": ',
    [`${folder}/list/manifest.json`]: [NODE],
    [`${folder}/empty/manifest.json`]: {},
    [`${folder}/odd/manifest.json`]: { name: 5, version: {}, author: [], server: 'planted-secret' },
    [`${folder}/shapes/manifest.json`]: server({
      command: [],
      args: { planted: 1 },
      env: 'planted',
    }),
    [`${folder}/overrides/manifest.json`]: server({ platform_overrides: { linux: ['planted'] } }),
    [`${folder}/__proto__x/manifest.json`]: server({
      platform_overrides: { __proto__: { command: 'x' } },
    }),
    [`${folder}/out/manifest.json`]: server({ command: `\${__dirname}/../../../../../../bin/out` }),
    [`${folder}/complete/manifest.json`]: {
      ...server({
        command: 'node',
        args: [`\${__dirname}/a.js`, '--token', 'planted-a', 'https://u:planted@h/?k=planted-b'],
        env: { ghp_AbCdEfGhIjKlMnOpQrStUvWxYz012345: 'x' },
      }),
      version: 'ghp_AbCdEfGhIjKlMnOpQrStUvWxYz012345',
      display_name: 'token=planted-c',
    },
  });
  put(root, 'bin/out', 'x', 0o755);
  mkdirSync(join(root, folder, 'fifo'));
  execFileSync('mkfifo', [join(root, folder, 'fifo/manifest.json')]);
  mkdirSync(join(root, folder, 'shadow'));
  symlinkSync('/etc/shadow', join(root, folder, 'shadow/manifest.json'));
  symlinkSync('/etc', join(root, folder, 'etc'));
  const result = await scanTree([claudeExtensions], root, { people: ['alice'] });
  const sent = JSON.stringify([result.entities.map((entity) => entity.wire), result.coverage]);
  expect(sent).not.toMatch(/planted|ghp_|root:/);
  expect(result.entities.flatMap((entity) => entity.executables)).toEqual([]);
  expect(result.coverage.find((row) => row.owner === 'alice')?.state).toMatch(/un(read|pars)/);
  const problemFolders = result.problems.map((problem) => problem.path.split('/').at(-2)).sort();
  expect(problemFolders).toEqual(expect.arrayContaining(['broken', 'fifo', 'list', 'shadow']));
});
