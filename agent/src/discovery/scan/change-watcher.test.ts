// The watcher detects changes of real files and stays out of excluded locations.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { plant } from '../../../test/trees.ts';
import { dpkg } from '../sources/dpkg.ts';
import { mcpConfig } from '../sources/mcp-config.ts';
import { type WatchedScan, watchChanges } from './change-watcher.ts';

const STATUS = 'var/lib/dpkg/status';

function makeMachine(settings = { personalHomes: true, browserProfiles: true }) {
  const root = makeFolder();
  plant(root, { [STATUS]: 'Package: a\n', 'home/ann/project/.mcp.json': '{}' });
  mkdirSync(join(root, 'home/bob'));
  const homeOf = (owner: string) => ({
    ...{ owner, path: join(root, 'home', owner) },
    ...{ uid: null, gid: null },
  });
  const scan: WatchedScan = {
    sources: [dpkg, mcpConfig],
    homes: [homeOf('ann'), homeOf('bob')],
    settings,
    reports: [
      {
        source: 'mcp_config',
        owner: 'ann',
        files: [join(root, 'home/ann/project/.mcp.json'), join(root, 'home/bob/planted')],
      },
    ],
    // Long after all of it was written.
    beganAtMs: Date.now() + 3_600_000,
  };
  return { root, scan, watch: watchChanges('linux', root) };
}

test('detects a replaced package database at the next check, once', async () => {
  const { root, scan, watch } = makeMachine();
  await watch.learn(scan);
  expect(await watch.findChanges()).toEqual([]);
  writeFileSync(join(root, `${STATUS}-new`), 'Package: b\n');
  renameSync(join(root, `${STATUS}-new`), join(root, STATUS));
  expect(await watch.findChanges()).toEqual([]);
  expect(await watch.findChanges()).toEqual([{ source: 'dpkg', owner: null }]);
  expect(await watch.findChanges()).toEqual([]);
});

test('detects a configuration whose folders appear step by step between checks', async () => {
  const { root, scan, watch } = makeMachine();
  await watch.learn(scan);
  for (const folder of ['.config', '.config/Code', '.config/Code/User']) {
    mkdirSync(join(root, 'home/bob', folder));
    for (let looks = 0; looks < 3; looks++) await watch.findChanges();
  }
  expect(await watch.findChanges()).toEqual([]);
  plant(root, { 'home/bob/.config/Code/User/mcp.json': '{"servers": {}}' });
  await watch.findChanges();
  expect(await watch.findChanges()).toEqual([{ source: 'mcp_config', owner: 'bob' }]);
  rmSync(join(root, 'home/bob/.config'), { recursive: true });
  await watch.findChanges();
  expect(await watch.findChanges()).toEqual([{ source: 'mcp_config', owner: 'bob' }]);
  plant(root, { 'home/bob/.config/Code/User/mcp.json': '{"servers": {}}' });
  await watch.findChanges();
  expect(await watch.findChanges()).toEqual([{ source: 'mcp_config', owner: 'bob' }]);
});

test.each([
  ['edited, where only the scan knew of it', 'home/ann/project/.mcp.json', 'ann'],
  ['created where clients read it', 'home/bob/.cursor/mcp.json', 'bob'],
  ['created in a folder where every file counts', 'home/bob/.continue/mcpServers/new.yaml', 'bob'],
])('detects a configuration %s', async (_, path, owner) => {
  const { root, scan, watch } = makeMachine();
  await watch.learn(scan);
  plant(root, { [path]: '{"mcpServers": {}}' });
  await watch.findChanges();
  expect(await watch.findChanges()).toEqual([{ source: 'mcp_config', owner }]);
  rmSync(join(root, path));
  await watch.findChanges();
  expect(await watch.findChanges()).toEqual([{ source: 'mcp_config', owner }]);
});

test.each([
  ['begun in a folder that is a project otherwise', 'home/ann/work/tool/.mcp.json', true],
  ['added to an existing folder', 'home/ann/project/.cursor/mcp.json', true],
  ['in a folder that is new where people keep theirs', 'home/ann/src/fresh/.mcp.json', true],
  ['in a folder that is new in the home', 'home/ann/fresh/.roo/mcp.json', true],
  ['without a reference to it', 'home/ann/work/tool/README.md', false],
  ['that is built there', 'home/ann/work/tool/dist/index.js', false],
])('detects a project %s', async (_, path, isNoticed) => {
  const { root, scan, watch } = makeMachine();
  const inAnn = (...paths: string[]) => paths.map((path) => join(root, 'home/ann', path));
  for (const folder of inAnn('work/tool', 'project/.cursor', 'src')) {
    mkdirSync(folder, { recursive: true });
  }
  const files = inAnn('project/.mcp.json', 'project/.cursor/mcp.json');
  const folders = inAnn('project', 'work', 'work/tool', 'src');
  // Folders outside of the home in a worker's report are ignored.
  folders.push(join(root, 'elsewhere'), join(root, 'home/ann/../bob'));
  const reports = [{ source: 'mcp_config', owner: 'ann', files, folders }];
  await watch.learn({ ...scan, reports });
  plant(root, { [path]: '{}', 'elsewhere/.mcp.json': '{}' });
  await watch.findChanges();
  const noticed = await watch.findChanges();
  expect(noticed).toEqual(isNoticed ? [{ source: 'mcp_config', owner: 'ann' }] : []);
  expect(await watch.findChanges()).toEqual([]);
});

test('keeps a change that happens during a scan', async () => {
  const { root, scan, watch } = makeMachine();
  await watch.learn({ ...scan, reports: [], beganAtMs: Date.now() });
  expect(await watch.findChanges()).toContainEqual({ source: 'dpkg', owner: null });
  appendFileSync(join(root, STATUS), 'more');
  // Another scan ran meanwhile and may have read it before.
  await watch.learn(scan);
  await watch.findChanges();
  expect(await watch.findChanges()).toEqual([{ source: 'dpkg', owner: null }]);
});

test('watches no excluded home and no link out of a home', async () => {
  const closed = makeMachine({ personalHomes: false, browserProfiles: true });
  await closed.watch.learn(closed.scan);
  plant(closed.root, { 'home/ann/project/.mcp.json': 'changed' });
  await closed.watch.findChanges();
  expect(await closed.watch.findChanges()).toEqual([]);

  const { root, scan, watch } = makeMachine();
  const elsewhere = join(root, 'elsewhere.json');
  writeFileSync(elsewhere, '1');
  mkdirSync(join(root, 'home/bob/.cursor'));
  symlinkSync(elsewhere, join(root, 'home/bob/.cursor/mcp.json'));
  await watch.learn(scan);
  // The target of a link, and another home in a worker's report, are not watched.
  appendFileSync(elsewhere, '2');
  plant(root, { 'home/bob/planted': '1' });
  await watch.findChanges();
  expect(await watch.findChanges()).toEqual([]);
});
