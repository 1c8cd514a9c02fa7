// The programs of a package are the files that its commands start.
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { byName, plant, put, scanTree } from '../../../test/trees.ts';
import { npm } from './npm.ts';
import { python } from './python.ts';

const ALICE = 'home/alice';
const MODULES = `${ALICE}/.npm-global/lib/node_modules`;
const PACKAGES = `${ALICE}/.local/lib/python3.13/site-packages`;

async function programsOf(root: string): Promise<Record<string, string[]>> {
  const { entities } = await scanTree([npm, python], root, { people: ['alice'] });
  return Object.fromEntries(
    entities.map((entity) => [entity.wire.name, entity.wire.executables ?? []]),
  );
}

describe.runIf(process.platform === 'linux')('package programs', () => {
  test('lists the files behind the commands of an npm package', async () => {
    const root = makeFolder();
    plant(root, {
      [`${MODULES}/demo/package.json`]: { name: 'demo', bin: 'cli.js' },
      [`${MODULES}/@acme/many/package.json`]: {
        name: '@acme/many',
        bin: { a: './dist/a.js', again: 'dist/a.js', gone: 'gone.js', odd: 7 },
      },
      [`${MODULES}/none/package.json`]: { name: 'none' },
      'usr/lib/node_modules/wide/package.json': { name: 'wide', bin: { wide: 'bin/wide' } },
    });
    put(root, `${MODULES}/demo/cli.js`, '', 0o755);
    put(root, `${MODULES}/@acme/many/dist/a.js`, '', 0o755);
    put(root, 'usr/lib/node_modules/wide/bin/wide', '', 0o755);
    expect(await programsOf(root)).toEqual({
      demo: ['~/.npm-global/lib/node_modules/demo/cli.js'],
      '@acme/many': ['~/.npm-global/lib/node_modules/@acme/many/dist/a.js'],
      none: [],
      wide: ['/usr/lib/node_modules/wide/bin/wide'],
    });
  });

  test('ignores files outside of an npm package', async () => {
    const root = makeFolder();
    put(root, 'usr/bin/victim', '', 0o755);
    put(root, `${ALICE}/bin/victim`, '', 0o755);
    plant(root, {
      [`${MODULES}/up/package.json`]: { name: 'up', bin: '../../../../../../usr/bin/victim' },
      [`${MODULES}/whole/package.json`]: { name: 'whole', bin: '/usr/bin/victim' },
      [`${MODULES}/linked/package.json`]: { name: 'linked', bin: { a: 'out', b: 'home' } },
    });
    symlinkSync(join(root, 'usr/bin/victim'), join(root, MODULES, 'linked/out'));
    symlinkSync(join(root, ALICE, 'bin/victim'), join(root, MODULES, 'linked/home'));
    expect(await programsOf(root)).toEqual({ up: [], whole: [], linked: [] });
  });

  test('lists commands of a Python package in its environment', async () => {
    const root = makeFolder();
    const venv = `${ALICE}/.local/share/pipx/venvs/tool`;
    plant(root, {
      [`${PACKAGES}/Lib-1.0.dist-info/METADATA`]: 'Name: Lib\nVersion: 1.0\n',
      [`${PACKAGES}/Lib-1.0.dist-info/RECORD`]:
        '../../../bin/lib-run,sha256=x,12\n../../../bin/gone,,\n../../../bin/../bin/up,,\n../../../../../../usr/bin/victim,,\nlib/bin/inner,,\n',
      [`${venv}/lib/python3.12/site-packages/tool-2.dist-info/METADATA`]:
        'Name: tool\nVersion: 2\n',
      [`${venv}/lib/python3.12/site-packages/tool-2.dist-info/RECORD`]:
        '../../../bin/tool,sha256=x,12\r\n',
      'usr/lib/python3/dist-packages/sys-1.dist-info/METADATA': 'Name: sys\nVersion: 1\n',
      'usr/lib/python3/dist-packages/sys-1.dist-info/RECORD': '../../../bin/victim,,\n',
    });
    put(root, 'usr/bin/victim', '', 0o755);
    put(root, `${ALICE}/.local/bin/lib-run`, '', 0o755);
    put(root, `${ALICE}/.local/bin/up`, '', 0o755);
    put(root, `${venv}/bin/tool`, '', 0o755);
    const link = join(root, ALICE, '.local/bin/tool');
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync('../share/pipx/venvs/tool/bin/tool', link);
    expect(await programsOf(root)).toEqual({
      Lib: ['~/.local/bin/lib-run'],
      tool: ['~/.local/share/pipx/venvs/tool/bin/tool'],
      sys: [],
    });
  });
});

test("lists packages that pnpm, yarn, conda and uv store for all of a user's projects", async () => {
  const root = makeFolder();
  const found = (name: string) => JSON.stringify({ name, version: '1.0.0' });
  plant(root, {
    [`${ALICE}/.local/share/pnpm/global/5/node_modules/by-pnpm/package.json`]: found('by-pnpm'),
    [`${ALICE}/.config/yarn/global/node_modules/by-yarn/package.json`]: found('by-yarn'),
  });
  const pythons = {
    'by-conda': 'miniconda3/envs/ds',
    'of-conda': '.conda/envs/ml',
    'by-uv': '.local/share/uv/python/cpython-3.12.1-linux-x86_64-gnu',
  };
  for (const [name, folder] of Object.entries(pythons)) {
    const file = `${folder}/lib/python3.12/site-packages/${name}-1.0.dist-info/METADATA`;
    put(root, `${ALICE}/${file}`, `Name: ${name}\nVersion: 1.0\n`);
  }
  const result = await scanTree([npm, python], root, { people: ['alice'] });
  expect([...byName(result).keys()].sort()).toEqual([
    ...['by-conda', 'by-pnpm', 'by-uv', 'by-yarn', 'of-conda'],
  ]);
});
