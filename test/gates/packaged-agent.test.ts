// The agent as packages contain it: each of its programs starts, and so does each library that is loaded on demand. A
// bundle without the file of a library fails the check.
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleAgent } from '@gatewarden/installers/src/bundle.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'gw-bundle-'));
const home = join(folder, 'home');
const app = join(folder, 'agent/app');
/** A server in each format of configuration files of clients, by path. */
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

const SERVERS = ['gw-plain', 'gw-commented', 'gw-toml', 'gw-yaml'];

/** Returns the servers that the packaged scan reports. */
async function discoverServers(programs = app): Promise<string[]> {
  const output = await runProgram(programs, 'scan-worker', {
    ...{ platform: 'linux', root: '/', machine: false, sources: ['mcp_config'], become: null },
    homes: [{ owner: '4711', path: home, uid: null, gid: null }],
    ...{ others: [], env: {}, settings: { personalHomes: true, browserProfiles: true } },
  });
  return SERVERS.filter((name) => output.includes(name));
}

test('discovers servers in every format of configuration', async () => {
  expect(await discoverServers()).toEqual(SERVERS);
});

test('rejects a bundle without the file of a library', async () => {
  const planted = join(folder, 'planted/app');
  cpSync(join(folder, 'agent'), join(folder, 'planted'), { recursive: true });
  const toml = readdirSync(planted).filter(
    (name) =>
      name.endsWith('.js') && readFileSync(join(planted, name), 'utf8').includes('TomlError'),
  );
  expect(toml).not.toEqual([]);
  for (const name of toml) rmSync(join(planted, name));
  expect(await discoverServers(planted).catch(() => [])).not.toEqual(SERVERS);
});

test('edits configurations in every format', async () => {
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
    expect([path, JSON.parse(await runProgram(app, 'edit-worker', job))]).toEqual([
      path,
      { is: 'found', files: [{ state: 'there', wanted: ['none'] }] },
    ]);
  }
});

test('prints its version on the command line', async () => {
  const { stdout } = await run(process.execPath, [join(app, 'main.js'), '--version']);
  expect(stdout).toBe('1.2.3\n');
});

/** Returns the output of a program of the bundle for a job on its standard input. */
async function runProgram(programs: string, program: string, job: object): Promise<string> {
  const running = run(process.execPath, [join(programs, `${program}.js`)]);
  running.child.stdin?.end(JSON.stringify(job));
  return (await running).stdout;
}
