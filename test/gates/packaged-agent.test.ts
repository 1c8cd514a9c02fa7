// The agent as packages bring it, not as its source runs: each of its programs starts, and so does each library that is
// loaded only where it is needed.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleAgent } from '@gatewarden/installers/src/bundle.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'gw-bundle-'));
const home = join(folder, 'home');
const app = join(folder, 'agent/app');
/** One server in each form of file that clients keep. */
const CONFIGURATIONS = {
  '.cursor/mcp.json': '{ "mcpServers": { "a": { "command": "npx", "args": ["-y", "gw-plain"] } } }',
  '.kiro/settings/mcp.json':
    '{ // mine\n "mcpServers": { "b": { "command": "npx", "args": ["-y", "gw-commented"] }, }, }',
  '.codex/config.toml': '[mcp_servers.c]\ncommand = "npx"\nargs = ["-y", "gw-toml"]\n',
  '.config/goose/config.yaml': 'extensions:\n  d:\n    cmd: npx\n    args: [-y, gw-yaml]\n',
};

beforeAll(async () => {
  await bundleAgent(join(folder, 'agent'), {
    version: '1.2.3',
    platform: { os: 'linux', arch: process.arch as 'x64' | 'arm64' },
    updateKey: null,
  });
  for (const [path, text] of Object.entries(CONFIGURATIONS)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it finds servers in every form of configuration', async () => {
  const found = await runProgram('scan-worker', {
    ...{ platform: 'linux', root: '/', machine: false, sources: ['mcp_config'], become: null },
    homes: [{ owner: '4711', path: home, uid: null, gid: null }],
    ...{ others: [], env: {}, settings: { personalHomes: true, browserProfiles: true } },
  });
  for (const name of ['gw-plain', 'gw-commented', 'gw-toml', 'gw-yaml']) {
    expect(found).toContain(name);
  }
});

test('it edits configurations in every form', async () => {
  const wanted = { member: 'new', value: { url: 'https://hub.example.com/mcp' } };
  const containers = { json: ['mcpServers'], toml: ['mcp_servers'], yaml: ['extensions'] };
  for (const path of Object.keys(CONFIGURATIONS)) {
    const ending = path.slice(path.lastIndexOf('.') + 1) as keyof typeof containers;
    const file = join(home, path);
    const container = containers[ending];
    const job = {
      ...{ op: 'seek', file, home, become: null },
      files: [{ file, container, sign: 'file', wanted: [wanted] }],
    };
    expect([path, JSON.parse(await runProgram('edit-worker', job))]).toEqual([
      path,
      { is: 'found', files: [{ state: 'there', wanted: ['none'] }] },
    ]);
  }
});

test('its command line starts', async () => {
  const { stdout } = await run(process.execPath, [join(app, 'main.js'), '--version']);
  expect(stdout).toBe('1.2.3\n');
});

/** What a program says to a job on its standard input. */
async function runProgram(program: string, job: object): Promise<string> {
  const running = run(process.execPath, [join(app, `${program}.js`)]);
  running.child.stdin?.end(JSON.stringify(job));
  return (await running).stdout;
}
