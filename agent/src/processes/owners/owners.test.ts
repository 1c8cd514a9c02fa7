// Package owners of running programs are found with each package manager, in current, old and hostile layouts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { BASH_RPM, makeNdb, makeRpmHeader, putRpmSqlite } from '../../../test/formats.ts';
import { plant, put, scanTree } from '../../../test/trees.ts';
import type { Source } from '../../discovery/source-contract.ts';
import { apk } from '../../discovery/sources/apk.ts';
import { pacman } from '../../discovery/sources/pacman.ts';
import { rpm } from '../../discovery/sources/rpm.ts';
import { openPackageOwners } from '../package-owners.ts';

/** `name version`, with a star for what nothing works without. */
function ownersIn(root: string, ...paths: string[]): Record<string, string[]> {
  const owners = openPackageOwners(root);
  const found = owners.find(paths);
  expect(owners.readable()).toBe(true);
  return Object.fromEntries(
    [...found].map(([path, of]) => [
      path,
      of.map(({ entity, vital }) => `${entity.name} ${entity.version}${vital ? ' *' : ''}`),
    ]),
  );
}

/** A decision about a discovered entity applies to its processes. */
async function expectSingleId(source: Source, root: string, path: string): Promise<void> {
  const [owner] = openPackageOwners(root).find([path]).get(path) ?? [];
  const { entities } = await scanTree([source], root);
  const found = entities.find(({ wire }) => wire.name === owner?.entity.name)?.wire;
  expect(owner?.entity).toMatchObject({
    entity_id: found?.entity_id,
    version: found?.version,
    publisher: found?.publisher,
  });
  // No package manager but dpkg supports a diversion.
  expect(owner?.listed).toBeNull();
}

function expectUnreadable(root: string): void {
  const owners = openPackageOwners(root);
  expect(owners.find(['/usr/bin/tool']).get('/usr/bin/tool')).toEqual([]);
  expect(owners.readable()).toBe(false);
}

const pacmanPackage = (name: string, version: string, files: string, more = '') => ({
  [`var/lib/pacman/local/${name}-${version}/desc`]: `%NAME%\n${name}\n\n%VERSION%\n${version}\n\n%BASE%\n${name}\n\n%ARCH%\nx86_64\n\n%PACKAGER%\nA Person <a@b.c>\n\n${more}`,
  [`var/lib/pacman/local/${name}-${version}/files`]: files,
});

describe('pacman', () => {
  const make = () => {
    const root = makeFolder();
    plant(root, {
      'var/lib/pacman/local/ALPM_DB_VERSION': '9\n',
      ...pacmanPackage(
        'tool',
        '1:2.0-1',
        '%FILES%\nusr/\nusr/bin/\nusr/bin/tool\nusr/lib/tool/\nusr/lib/tool/helper\n\n%BACKUP%\netc/tool.conf\td41d8cd98f00b204e9800998ecf8427e\n',
        '%REASON%\n1\n\n%VALIDATION%\npgp\n\n%XDATA%\npkgtype=pkg\n\n',
      ),
      ...pacmanPackage('coreutils', '9.7-1', '%FILES%\nusr/bin/\nusr/bin/sleep\n'),
      // A group of others, from before there was %XDATA%.
      'var/lib/pacman/local/meta-1-1/desc': '%NAME%\nmeta\n\n%VERSION%\n1-1\n\n',
      ...pacmanPackage('old', '1-1', '%FILES%\nusr/sbin/\nusr/sbin/old\n'),
    });
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    for (const name of ['bin', 'sbin']) symlinkSync('usr/bin', join(root, name));
    symlinkSync('bin', join(root, 'usr/sbin'));
    return root;
  };

  test('finds the owner of any listed file, and essential packages', async () => {
    const root = make();
    const asked = ['/usr/bin/tool', '/usr/lib/tool/helper', '/usr/bin/sleep', '/usr/bin/old'];
    expect(ownersIn(root, ...asked, '/usr/bin/too', '/etc/tool.conf', '/home/a/tool')).toEqual({
      '/usr/bin/tool': ['tool 1:2.0-1'],
      '/usr/lib/tool/helper': ['tool 1:2.0-1'],
      '/usr/bin/sleep': ['coreutils 9.7-1 *'],
      '/usr/bin/old': ['old 1-1'],
      '/usr/bin/too': [],
      '/etc/tool.conf': [],
      '/home/a/tool': [],
    });
    await expectSingleId(pacman, root, '/usr/bin/tool');
  });

  test('finds packages that are installed while the agent runs', () => {
    const root = make();
    const owners = openPackageOwners(root);
    expect(owners.find(['/usr/bin/new']).get('/usr/bin/new')).toEqual([]);
    plant(root, pacmanPackage('new', '1-1', '%FILES%\nusr/bin/new\n'));
    expect(owners.find(['/usr/bin/new']).get('/usr/bin/new')).toHaveLength(1);
  });

  test('rejects a pipe in place of a list, and a package without a name', () => {
    const root = make();
    mkdirSync(join(root, 'var/lib/pacman/local/bad-1-1'));
    execFileSync('mkfifo', [join(root, 'var/lib/pacman/local/bad-1-1/files')]);
    expectUnreadable(root);
    const other = makeFolder();
    plant(other, {
      'var/lib/pacman/local/x-1-1/files': '%FILES%\nusr/bin/tool\n',
      'var/lib/pacman/local/x-1-1/desc': '%NAME%\n%VERSION%',
    });
    put(other, 'var/lib/pacman/local/x-1-1/desc', 'noise');
    expectUnreadable(other);
  });
});

describe('apk', () => {
  const INSTALLED = [
    'C:Q1x=\nP:busybox\nV:1.37.0-r12\nA:x86_64\nm:Timo <t@a.o>\nF:bin\nR:busybox\na:0:0:755\nZ:Q1y=\nR:sh\nF:etc',
    'C:Q1x=\nP:tool\nV:2-r0\nA:x86_64\nm:Timo <t@a.o>\nF:usr\nF:usr/bin\nM:0:0:755\nR:tool\nZ:Q1y=\nF:usr/lib/tool\nR:helper',
    '',
  ].join('\n\n');

  test('finds the owner of a file', async () => {
    const root = makeFolder();
    put(root, 'lib/apk/db/installed', INSTALLED);
    expect(
      ownersIn(root, '/bin/busybox', '/usr/bin/tool', '/usr/lib/tool/helper', '/usr/bin/helper'),
    ).toEqual({
      '/bin/busybox': ['busybox 1.37.0-r12 *'],
      '/usr/bin/tool': ['tool 2-r0'],
      '/usr/lib/tool/helper': ['tool 2-r0'],
      '/usr/bin/helper': [],
    });
    await expectSingleId(apk, root, '/usr/bin/tool');
  });

  test('finds owners in version 3 with a merged /usr', () => {
    const root = makeFolder();
    put(root, 'usr/lib/apk/db/installed', INSTALLED);
    mkdirSync(join(root, 'usr/bin'));
    symlinkSync('usr/bin', join(root, 'bin'));
    symlinkSync('usr/lib', join(root, 'lib'));
    expect(ownersIn(root, '/usr/bin/busybox')).toEqual({
      '/usr/bin/busybox': ['busybox 1.37.0-r12 *'],
    });
  });

  test('rejects a file of another kind, and reads truncated or repeated entries', () => {
    const root = makeFolder();
    mkdirSync(join(root, 'lib/apk/db'), { recursive: true });
    execFileSync('mkfifo', [join(root, 'lib/apk/db/installed')]);
    expectUnreadable(root);
    const other = makeFolder();
    const many = 'F:usr/bin\nR:tool\n'.repeat(200_000);
    put(
      other,
      'lib/apk/db/installed',
      `F:usr/bin\nR:tool\n\nP:tool\nV:1\n${many}\n\nP:x\nF:usr/bi`,
    );
    expect(ownersIn(other, '/usr/bin/tool')).toEqual({ '/usr/bin/tool': ['tool 1'] });
  });
});

describe('rpm', () => {
  const makePackage = (name: string, folders: string[], files: [number, string][]) =>
    makeRpmHeader([
      [1000, 'text', name],
      [1001, 'text', '1'],
      [1002, 'text', '2'],
      [1116, 'numbers', files.map(([folder]) => folder)],
      [1117, 'texts', files.map(([, file]) => file)],
      [1118, 'texts', folders],
    ]);
  const TOOL = makePackage(
    'tool',
    ['/usr/sbin/', '/usr/lib/tool/', '/opt/bash/'],
    [
      [0, 'tool'],
      [1, 'helper'],
      [2, 'bash'],
    ],
  );
  const KEY = makePackage('gpg-pubkey', ['/usr/bin/'], [[0, 'tool']]);
  const PATHS = ['/usr/bin/bash', '/usr/sbin/tool', '/usr/lib/tool/helper', '/usr/bin/tool'];
  const OWNED = {
    '/usr/bin/bash': ['bash 1:5.2.26-3.fc40 *'],
    '/usr/sbin/tool': ['tool 1-2'],
    '/usr/lib/tool/helper': ['tool 1-2'],
    '/usr/bin/tool': [],
  };

  test('finds the owner of any file on Fedora, outside of program folders as well', async () => {
    const root = makeFolder();
    putRpmSqlite(root, 'usr/lib/sysimage/rpm/rpmdb.sqlite', [BASH_RPM, TOOL, KEY]);
    expect(ownersIn(root, ...PATHS)).toEqual(OWNED);
    await expectSingleId(rpm, root, '/usr/lib/tool/helper');
  });

  test('finds the owner of any file on SUSE', () => {
    const root = makeFolder();
    put(root, 'usr/lib/sysimage/rpm/Packages.db', makeNdb([BASH_RPM, TOOL, KEY]));
    expect(ownersIn(root, ...PATHS)).toEqual(OWNED);
  });

  test('finds files of packages where /usr/sbin is a link', () => {
    const root = makeFolder();
    put(root, 'var/lib/rpm/Packages.db', makeNdb([TOOL]));
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    symlinkSync('bin', join(root, 'usr/sbin'));
    expect(ownersIn(root, '/usr/bin/tool')).toEqual({ '/usr/bin/tool': ['tool 1-2'] });
  });

  test('rejects a damaged database, and ignores a Berkeley DB', () => {
    const hostile: Record<string, Buffer> = {
      'rpmdb.sqlite': Buffer.from('not SQLite'),
      'Packages.db': makeNdb([TOOL]).subarray(0, 4200),
    };
    for (const [name, bytes] of Object.entries(hostile)) {
      const root = makeFolder();
      put(root, `var/lib/rpm/${name}`, bytes);
      expectUnreadable(root);
    }
    const long = makeNdb([TOOL]);
    long.writeUInt32LE(0xffffffff, 4096 + 12);
    const root = makeFolder();
    put(root, 'var/lib/rpm/Packages.db', long);
    expectUnreadable(root);
    const old = makeFolder();
    put(old, 'var/lib/rpm/Packages', 'Berkeley');
    expect(ownersIn(old, '/usr/bin/tool')).toEqual({ '/usr/bin/tool': [] });
  });

  test('keeps dpkg results beside a damaged rpm database', () => {
    const root = makeFolder();
    plant(root, {
      'var/lib/dpkg/status':
        'Package: tool\nStatus: install ok installed\nVersion: 1\nArchitecture: amd64\n\n',
      'var/lib/dpkg/info/tool.list': '/.\n/usr/bin/tool\n',
      'usr/bin/tool': '',
      'var/lib/rpm/rpmdb.sqlite': 'not SQLite',
    });
    expect(ownersIn(root, '/usr/bin/tool')).toEqual({ '/usr/bin/tool': ['tool 1'] });
  });
});
