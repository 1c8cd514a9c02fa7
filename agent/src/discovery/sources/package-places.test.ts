// Packages and runtimes are found in each layout of their managers, once, and not beside the system's own packages.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { makeRpmHeader, putRpmSqlite } from '../../../test/formats.ts';
import { byName, plant, put, scanTree } from '../../../test/trees.ts';
import type { ScanResult } from '../scan/entity-assembler.ts';
import { apk } from './apk.ts';
import { dpkg } from './dpkg.ts';
import { homebrew } from './homebrew.ts';
import { npm } from './npm.ts';
import { pacman } from './pacman.ts';
import { pixi } from './pixi.ts';
import { python } from './python.ts';
import { rpm } from './rpm.ts';
import { runtimes } from './runtimes.ts';
import { snap } from './snap.ts';

const HOME = 'home/alice';
const link = (root: string, path: string, target: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(relative(dirname(join(root, path)), join(root, target)), join(root, path));
};
const named = (result: ScanResult) =>
  result.entities.map(({ wire }) => `${wire.source} ${wire.name} ${wire.version ?? '-'}`).sort();
const people = { people: ['alice'] };

describe('global packages of pnpm 11', () => {
  const PNPM = `${HOME}/.local/share/pnpm`;

  test('finds each package once through links into the store, scoped packages included', async () => {
    const root = makeFolder();
    for (const [name, hash] of [
      ['semver', 'aa'],
      ['@acme/tool', 'bb'],
    ] as const) {
      const stored = `${PNPM}/store/v11/links/${name.startsWith('@') ? name : `@/${name}`}/1.2.3/cc/node_modules/${name}`;
      plant(root, { [`${stored}/package.json`]: { name, version: '1.2.3' } });
      link(root, `${PNPM}/global/v11/${hash}/node_modules/${name}`, stored);
    }
    // pnpm links the hash of the set of packages to the folder of its installation.
    link(root, `${PNPM}/global/v11/dd`, `${PNPM}/global/v11/aa`);
    const result = await scanTree([npm], root, people);
    expect(named(result)).toEqual(['npm @acme/tool 1.2.3', 'npm semver 1.2.3']);
    expect(byName(result).get('semver')?.instances ?? []).toHaveLength(1);
    expect(result.problems).toEqual([]);
  });

  test('reports a problem for an unknown layout', async () => {
    const root = makeFolder();
    plant(root, { [`${PNPM}/global/v12/aa/packages/semver/package.json`]: { name: 'semver' } });
    const result = await scanTree([npm], root, people);
    expect(result.problems.map(({ path }) => path)).toEqual(['~/.local/share/pnpm/global']);
    expect(result.coverage.find((row) => row.owner === 'alice')?.state).toBe('unparsed');
  });

  test('notes a root whose packages were all removed, and calls it read', async () => {
    const root = makeFolder();
    mkdirSync(join(root, PNPM, 'global/v11'), { recursive: true });
    const result = await scanTree([npm], root, people);
    expect(result.problems).toHaveLength(1);
    expect(result.coverage.find((row) => row.owner === 'alice')?.state).toBe('read');
  });
});

test('finds packages below the prefix of .npmrc, and reports nothing else of that file', async () => {
  const root = makeFolder();
  plant(root, {
    [`${HOME}/.npmrc`]: '//registry.npmjs.org/:_authToken=planted-secret\nprefix=~/.tools\n',
    [`${HOME}/.tools/lib/node_modules/own/package.json`]: { name: 'own', version: '1.0.0' },
  });
  const result = await scanTree([npm], root, people);
  expect(named(result)).toEqual(['npm own 1.0.0']);
  expect(JSON.stringify(result)).not.toContain('planted-secret');
});

const RUNTIMES: readonly (readonly [
  runtime: string,
  folder: string,
  program: string,
  version: string,
])[] = [
  ['Node.js', '.nvm/versions/node/v22.1.0', 'bin/node', '22.1.0'],
  ['Node.js', '.local/share/nvm/v22.1.0', 'bin/node', '22.1.0'],
  ['Node.js', '.local/share/fnm/node-versions/v22.1.0/installation', 'bin/node', '22.1.0'],
  ['Node.js', '.volta/tools/image/node/22.1.0', 'bin/node', '22.1.0'],
  ['Node.js', 'n/n/versions/node/22.1.0', 'bin/node', '22.1.0'],
  ['Node.js', '.asdf/installs/nodejs/22.1.0', 'bin/node', '22.1.0'],
  ['Node.js', '.local/share/mise/installs/node/22.1.0', 'bin/node', '22.1.0'],
  ['Node.js', '.nodenv/versions/22.1.0', 'bin/node', '22.1.0'],
  ['Node.js', '.nvs/node/22.1.0/x64', 'bin/node', '22.1.0'],
  ['Node.js', '.proto/tools/node/22.1.0', 'bin/node', '22.1.0'],
  ['Python', '.pyenv/versions/3.12.1', 'bin/python3', '3.12.1'],
  ['Python', '.local/share/uv/python/cpython-3.12.1-linux-x86_64-gnu', 'bin/python3', '3.12.1'],
  ['Python', '.asdf/installs/python/3.12.1', 'bin/python3', '3.12.1'],
  ['Python', '.local/share/mise/installs/python/3.12.1', 'bin/python3', '3.12.1'],
  ['Python', '.rye/py/cpython@3.12.1', 'bin/python3', '3.12.1'],
];

describe('runtimes of version managers', () => {
  test.each(RUNTIMES)('reports %s in %s', async (name, folder, program, version) => {
    const root = makeFolder();
    put(root, `${HOME}/${folder}/${program}`, 'x', 0o755);
    const result = await scanTree([runtimes, npm, python], root, people);
    expect(named(result)).toEqual([`runtime ${name} ${version}`]);
    expect(byName(result).get(name)?.executables).toEqual([`~/${folder}/${program}`]);
    expect(result.problems).toEqual([]);
  });

  test.each([
    ['pixi', '.pixi/envs/acme'],
    ['conda', 'miniforge3/envs/work'],
  ])('reports Python in an environment of %s by its record', async (_manager, folder) => {
    const root = makeFolder();
    put(root, `${HOME}/${folder}/bin/python3.13`, 'x', 0o755);
    link(root, `${HOME}/${folder}/bin/python3`, `${HOME}/${folder}/bin/python3.13`);
    put(root, `${HOME}/${folder}/conda-meta/python-3.13.2-h1_0.json`, '{}');
    expect(named(await scanTree([runtimes], root, people))).toEqual(['runtime Python 3.13.2']);
  });

  test('reports each version once, without the links of the manager', async () => {
    const root = makeFolder();
    const mise = `${HOME}/.local/share/mise/installs/node`;
    for (const version of ['20.9.0', '22.1.0']) {
      put(root, `${mise}/${version}/bin/node`, 'x', 0o755);
    }
    link(root, `${mise}/lts`, `${mise}/22.1.0`);
    const node = byName(await scanTree([runtimes], root, people)).get('Node.js');
    expect(node?.instances?.map((instance) => instance.version)).toEqual(['20.9.0', '22.1.0']);
  });
});

test('reports tools of pixi with their version, without dependencies', async () => {
  const root = makeFolder();
  const folder = `${HOME}/.pixi/envs/acme`;
  put(root, `${folder}/bin/acme`, 'x', 0o755);
  put(root, `${folder}/conda-meta/acme-1.4.0-h1_0.json`, '{}');
  put(root, `${folder}/conda-meta/openssl-3.5.0-h2_1.json`, '{}');
  const result = await scanTree([pixi], root, people);
  expect(named(result)).toEqual(['pixi acme 1.4.0']);
  expect(byName(result).get('acme')?.executables).toEqual(['~/.pixi/envs/acme/bin/acme']);
});

const METADATA = (name: string) => `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n\n`;
const DEBIAN = 'usr/lib/python3/dist-packages';

describe('system packages', () => {
  const stanza = (name: string) =>
    `Package: ${name}\nStatus: install ok installed\nVersion: 1.0-1\nArchitecture: all\n\n`;

  test('reports packages of dpkg once, beside packages without an owner', async () => {
    const root = makeFolder();
    plant(root, {
      'var/lib/dpkg/status': `${stanza('python3-acme')}${stanza('python3-egg')}${stanza('nodejs')}`,
      'var/lib/dpkg/info/python3-acme.list': `/.\n/${DEBIAN}/Acme-1.0.dist-info\n/${DEBIAN}/Acme-1.0.dist-info/METADATA\n`,
      'var/lib/dpkg/info/python3-egg.list': `/.\n/${DEBIAN}/egg-1.0.egg-info\n`,
      'var/lib/dpkg/info/nodejs.list':
        '/.\n/usr/lib/node_modules/npm\n/usr/lib/node_modules/npm/package.json\n',
      [`${DEBIAN}/Acme-1.0.dist-info/METADATA`]: METADATA('Acme'),
      [`${DEBIAN}/egg-1.0.egg-info`]: METADATA('egg'),
      [`${DEBIAN}/own-1.0.dist-info/METADATA`]: METADATA('own'),
      'usr/lib/node_modules/npm/package.json': { name: 'npm', version: '10.0.0' },
      'usr/lib/node_modules/global/package.json': { name: 'global', version: '1.0.0' },
    });
    for (const sources of [
      [dpkg, npm, python],
      [npm, python, dpkg],
    ]) {
      expect(named(await scanTree(sources, root))).toEqual([
        'dpkg nodejs 1.0-1',
        'dpkg python3-acme 1.0-1',
        'dpkg python3-egg 1.0-1',
        'npm global 1.0.0',
        'python own 1.0',
      ]);
    }
  });

  test('reports a formula of Homebrew once', async () => {
    const root = makeFolder();
    const cellar = 'opt/homebrew/Cellar/acme/1.0';
    const site = 'lib/python3.13/site-packages/acme-1.0.dist-info';
    plant(root, { [`${cellar}/${site}/METADATA`]: METADATA('acme') });
    link(root, `opt/homebrew/${site}`, `${cellar}/${site}`);
    expect(named(await scanTree([homebrew, python], root))).toEqual(['homebrew acme 1.0']);
  });

  test('reports packages of pacman once', async () => {
    const root = makeFolder();
    const site = 'usr/lib/python3.13/site-packages';
    plant(root, {
      'var/lib/pacman/local/python-acme-1.0-1/desc': '%NAME%\npython-acme\n\n%VERSION%\n1.0-1\n',
      'var/lib/pacman/local/python-acme-1.0-1/files': `%FILES%\nusr/\n${site}/acme-1.0.dist-info/METADATA\n`,
      [`${site}/acme-1.0.dist-info/METADATA`]: METADATA('acme'),
    });
    expect(named(await scanTree([pacman, python], root))).toEqual(['pacman python-acme 1.0-1']);
  });

  test('reports packages of apk once', async () => {
    const root = makeFolder();
    const site = 'usr/lib/python3.12/site-packages';
    plant(root, {
      'lib/apk/db/installed': `P:py3-acme\nV:1.0-r0\nF:${site}/acme-1.0.dist-info\nR:METADATA\n\n`,
      [`${site}/acme-1.0.dist-info/METADATA`]: METADATA('acme'),
    });
    expect(named(await scanTree([apk, python], root))).toEqual(['apk py3-acme 1.0-r0']);
  });

  test('reports packages of rpm once', async () => {
    const root = makeFolder();
    const site = '/usr/lib/python3.13/site-packages/acme-1.0.dist-info/';
    const header = makeRpmHeader([
      [1000, 'text', 'python3-acme'],
      [1001, 'text', '1.0'],
      [1116, 'numbers', [0]],
      [1117, 'texts', ['METADATA']],
      [1118, 'texts', [site]],
    ]);
    putRpmSqlite(root, 'usr/lib/sysimage/rpm/rpmdb.sqlite', [header]);
    plant(root, { [`${site.slice(1)}METADATA`]: METADATA('acme') });
    for (const sources of [[rpm, python], [python]]) {
      const found = named(await scanTree(sources, root));
      expect(found.filter((label) => label.startsWith('python '))).toEqual([]);
    }
  });
});

describe('debs that install a snap', () => {
  const tree = (version: string, list: string, snaps: Record<string, unknown>) => ({
    'var/lib/dpkg/status': `Package: firefox\nStatus: install ok installed\nVersion: ${version}\nArchitecture: amd64\n`,
    'var/lib/dpkg/info/firefox.list': list,
    ...snaps,
  });
  const SNAP = { 'snap/firefox/current/meta/snap.yaml': 'name: firefox\nversion: "140.0"\n' };
  const DOCS =
    '/.\n/usr\n/usr/share\n/usr/share/doc\n/usr/share/doc/firefox\n/usr/share/doc/firefox/copyright\n';

  test.each([
    [
      'by its version',
      '1:1snap1-0ubuntu5',
      `${DOCS}/usr/bin\n/usr/bin/firefox\n`,
      SNAP,
      ['snap firefox 140.0'],
    ],
    ['without files of its own', '99-1', DOCS, SNAP, ['snap firefox 140.0']],
    [
      'beside a deb of the same name with files',
      '140.0-1',
      `${DOCS}/usr/bin\n/usr/bin/firefox\n`,
      SNAP,
      ['dpkg firefox 140.0-1', 'snap firefox 140.0'],
    ],
    [
      'whose snap is not installed',
      '1:1snap1-0ubuntu5',
      DOCS,
      {},
      ['dpkg firefox 1:1snap1-0ubuntu5'],
    ],
  ])('reports such a deb as expected %s', async (_what, version, list, snaps, expected) => {
    const root = makeFolder();
    plant(root, tree(version, list, snaps));
    expect(named(await scanTree([dpkg, snap], root))).toEqual(expected);
  });
});

/** The name of a program that makes packages and databases of its own; null where this machine has none. */
function rpmVersion(): string | null {
  try {
    execFileSync('rpmbuild', ['--version']);
    return execFileSync('rpm', ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

const RPM = rpmVersion();
if (RPM === null)
  console.info('skipped: the database that rpm itself writes (no rpm and rpmbuild here)');

describe.skipIf(RPM === null)('rpm database', () => {
  test('returns name, epoch, version, release and files', { timeout: 60_000 }, async () => {
    const build = makeFolder();
    const root = makeFolder();
    const spec = join(build, 'acme.spec');
    writeFileSync(
      spec,
      'Name: acme\nEpoch: 2\nVersion: 1.5.0\nRelease: 3\nSummary: x\nLicense: MIT\nVendor: Acme Inc\nBuildArch: noarch\n%description\nx\n%install\nmkdir -p %{buildroot}/usr/bin\nprintf x > %{buildroot}/usr/bin/acme\nchmod 755 %{buildroot}/usr/bin/acme\n%files\n/usr/bin/acme\n',
    );
    execFileSync('rpmbuild', ['-bb', '--define', `_topdir ${build}/top`, spec], { stdio: 'pipe' });
    const file = join(build, 'top/RPMS/noarch/acme-1.5.0-3.noarch.rpm');
    const database = join(root, 'usr/lib/sysimage/rpm');
    mkdirSync(database, { recursive: true });
    const define = ['--define', `_dbpath ${database}`, '--define', '_db_backend sqlite'];
    execFileSync('rpm', [...define, '--initdb'], { stdio: 'pipe' });
    execFileSync('rpm', [...define, '-i', '--justdb', '--nodeps', '--noscripts', file], {
      stdio: 'pipe',
    });
    put(root, 'usr/bin/acme', 'x', 0o755);
    const result = await scanTree([rpm], root);
    expect(result.problems).toEqual([]);
    expect(byName(result).get('acme')).toMatchObject({
      ...{ version: '2:1.5.0-3', publisher: 'Acme Inc', executables: ['/usr/bin/acme'] },
      details: { architecture: 'noarch' },
    });
    expect(result.entities).toHaveLength(1);
  });
});
