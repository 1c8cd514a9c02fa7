// The dpkg database is parsed: a small test database, and this machine's in comparison with dpkg-query.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { contextOf, FIXED_CLOCK } from '../../../test/trees.ts';
import { openPackageOwners } from '../../processes/package-owners.ts';
import { scan } from '../scan/in-process-scan.ts';

import { dpkg, publisherOf } from './dpkg.ts';
import { parseStanzas, readDpkgDatabase } from './lib/dpkg-database.ts';

const STATUS = `Package: dpkg
Essential: yes
Status: install ok installed
Priority: required
Section: admin
Maintainer: Dpkg Developers <debian-dpkg@lists.debian.org>
Architecture: amd64
Version: 1.21
Description: manager
 Status: install ok installed in a continuation line

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 2

Package: fresh
Status: install reinstreq half-installed
Architecture: amd64
Version: 2

Package: half
Status: install ok half-configured
Architecture: amd64
Version: 2

Package: libx
Status: install ok installed
Architecture: i386
Multi-Arch: same
Version: 1:3-4

Package: tool
Status: hold ok installed
Priority: optional
Architecture: all
Version: 5
`;

function put(root: string, path: string, text = '', mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
}

function makeRoot(): string {
  const root = makeFolder();
  put(root, 'var/lib/dpkg/status', STATUS);
  put(
    root,
    'var/lib/dpkg/info/tool.list',
    '/.\n/bin\n/bin/tool\n/usr/bin/alias\n/usr/share/tool\n/usr/lib/tool/helper\n',
  );
  put(root, 'var/lib/dpkg/info/libx:i386.list', '/.\n');
  put(root, 'usr/bin/tool', 'x', 0o755);
  put(root, 'usr/lib/tool/helper', 'x', 0o755);
  symlinkSync('usr/bin', join(root, 'bin'));
  symlinkSync('tool', join(root, 'usr/bin/alias'));
  return root;
}

const scanRoot = (root: string) => scan([dpkg], contextOf(root), FIXED_CLOCK);

test('lists only installed packages, by the real paths of a merged /usr', async () => {
  const root = makeRoot();
  const { entities, coverage, problems } = await scanRoot(root);
  const byName = new Map(entities.map((e) => [e.wire.name, e.wire]));
  // In the midst of an upgrade its files are there: it is not gone.
  expect([...byName.keys()].sort()).toEqual(['dpkg', 'half', 'libx', 'tool']);
  expect(byName.get('tool')).toMatchObject({ version: '5', executables: ['/usr/bin/tool'] });
  expect(byName.get('dpkg')).toMatchObject({
    publisher: 'Dpkg Developers',
    details: { essential: true },
  });
  expect(coverage).toEqual([
    { source: 'dpkg', owner: null, state: 'read', entities: 4, reason: null },
  ]);
  expect(problems).toEqual([]);
  expect((await scanRoot(root)).entities).toEqual(entities);
});

test('names only a foreign architecture', () => {
  const keys = readDpkgDatabase(makeRoot())?.packages.map((p) => p.key);
  expect(keys).toEqual(['dpkg', 'half', 'libx:i386', 'tool']);
});

test('reports absent without dpkg, and unreadable for a damaged database', async () => {
  const root = makeFolder();
  expect((await scanRoot(root)).coverage[0]).toMatchObject({ state: 'absent', entities: 0 });
});

test('finds the owner of any file by its real path', () => {
  const owners = openPackageOwners(makeRoot());
  const found = owners.find(['/usr/bin/tool', '/usr/lib/tool/helper', '/tmp/tool', '/usr/bin/to']);
  expect(found.get('/usr/bin/tool')?.map((o) => o.entity.name)).toEqual(['tool']);
  expect(found.get('/usr/lib/tool/helper')).toHaveLength(1);
  expect(found.get('/tmp/tool')).toEqual([]);
  expect(found.get('/usr/bin/to')).toEqual([]);
});

test('assigns a diverted file to its package, and the file in its place to the other package', async () => {
  const root = makeRoot();
  put(root, 'var/lib/dpkg/info/half.list', '/.\n/bin/tool\n');
  const moved = '/bin/tool\n/usr/bin/tool.half\nhalf\n/usr/bin/other\n/usr/bin/other.real\n:\n';
  put(root, 'var/lib/dpkg/diversions', moved);
  put(root, 'usr/bin/tool.half', 'x', 0o755);
  const owners = openPackageOwners(root).find(['/usr/bin/tool', '/usr/bin/tool.half']);
  const names = [...owners].map(([path, of]) => [path, of.map((owner) => owner.entity.name)]);
  expect(names).toEqual([
    ['/usr/bin/tool', ['half']],
    ['/usr/bin/tool.half', ['tool']],
  ]);
  const { entities } = await scanRoot(root);
  const programs = new Map(entities.map(({ wire }) => [wire.name, wire.executables]));
  expect(programs.get('half')).toEqual(['/usr/bin/tool']);
  expect(programs.get('tool')).toEqual(['/usr/bin/tool.half']);
});

test('keeps an essential package essential during its upgrade', () => {
  for (const state of ['unpacked', 'triggers-awaited', 'triggers-pending', 'half-configured']) {
    const root = makeRoot();
    put(root, 'var/lib/dpkg/status', STATUS.replace('install ok installed', `install ok ${state}`));
    put(root, 'var/lib/dpkg/info/dpkg.list', '/.\n/usr/bin/dpkg\n');
    const [owner] = openPackageOwners(root).find(['/usr/bin/dpkg']).get('/usr/bin/dpkg') ?? [];
    expect(owner?.vital).toBe(true);
  }
});

test('parses stanzas without prototype fields, and any text without throwing', () => {
  expect(parseStanzas('__proto__: x\n\n: y\nPackage: p\n\n\n')).toHaveLength(1);
  expect(publisherOf('"A, B" <a@b.c>')).toBe('A, B');
  expect(publisherOf('<only@mail>')).toBeNull();
});

test.runIf(existsSync('/usr/bin/dpkg-query'))('agrees with dpkg-query on this machine', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own format
  const format = '${Package}\t${Version}\t${Architecture}\t${db:Status-Status}\n';
  const text = execFileSync('dpkg-query', ['-W', '-f', format], { encoding: 'utf8' });
  const expected = text
    .split('\n')
    .filter((line) => line.endsWith('\tinstalled'))
    .map((line) => line.slice(0, -'\tinstalled'.length));
  const ours = readDpkgDatabase('/')?.packages.map(
    (p) => `${p.name}\t${p.version}\t${p.architecture}`,
  );
  expect(ours?.sort()).toEqual(expected.sort());
});
