// Extensions of editors and browsers are counted like the programs count them; AppImages are found by their files.
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { byName, plant, put, scanTree } from '../../../test/trees.ts';
import { CHROMIUM, GECKO } from '../clients/browsers.ts';
import { CODE_EDITORS } from '../clients/editors.ts';
import { placesOf } from '../clients/path-tokens.ts';
import type { ScanResult } from '../scan/entity-assembler.ts';
import { CHROMIUM_BROWSERS } from './chromium.ts';
import { desktopEntries } from './desktop-entries.ts';
import { GECKO_BROWSERS } from './gecko.ts';
import { resolveMessages } from './lib/extension-messages.ts';
import { vscode } from './vscode.ts';

const HOME = 'home/alice';
const people = { people: ['alice'] };
const named = (result: ScanResult) =>
  result.entities.map(({ wire }) => `${wire.name} ${wire.version ?? '-'}`).sort();
const manifest = (name: string, version: string) => ({ publisher: 'acme', name, version });

describe('extensions of an editor of the VS Code family', () => {
  const BASE = `${HOME}/.vscode/extensions`;
  const listed = (id: string, version: string) => ({
    ...{ identifier: { id }, version, relativeLocation: `${id}-${version}` },
    location: { scheme: 'file', path: `/home/alice/.vscode/extensions/${id}-${version}` },
  });

  test('lists extensions that are both registered and on disk', async () => {
    const root = makeFolder();
    plant(root, {
      [`${BASE}/acme.tool-1.0.0/package.json`]: manifest('tool', '1.0.0'),
      [`${BASE}/acme.tool-2.0.0/package.json`]: manifest('tool', '2.0.0'),
      [`${BASE}/acme.left-1.0.0/package.json`]: manifest('left', '1.0.0'),
      [`${BASE}/extensions.json`]: [listed('acme.tool', '2.0.0'), listed('acme.missing', '9.0.0')],
    });
    expect(named(await scanTree([vscode], root, people))).toEqual(['acme.tool 2.0.0']);
  });

  test('lists extensions by folder when the registry is unreadable', async () => {
    const root = makeFolder();
    plant(root, {
      [`${BASE}/acme.tool-1.0.0/package.json`]: manifest('tool', '1.0.0'),
      [`${BASE}/extensions.json`]: '{ "not": "a list" }',
    });
    expect(named(await scanTree([vscode], root, people))).toEqual(['acme.tool 1.0.0']);
  });

  test('lists extensions of a profile when their folder is on disk', async () => {
    const root = makeFolder();
    plant(root, {
      [`${BASE}/acme.tool-1.0.0/package.json`]: manifest('tool', '1.0.0'),
      [`${BASE}/extensions.json`]: [],
      [`${HOME}/.config/Code/User/profiles/1a2b/extensions.json`]: [
        listed('acme.tool', '1.0.0'),
        { ...listed('acme.missing', '9.0.0'), relativeLocation: undefined },
      ],
    });
    expect(named(await scanTree([vscode], root, people))).toEqual(['acme.tool 1.0.0']);
  });

  test.each([...CODE_EDITORS.map(({ folder }) => folder), '.an-editor-that-no-row-names'])(
    'finds extensions in %s',
    async (folder) => {
      const root = makeFolder();
      const base = `${HOME}/${folder}/extensions`;
      plant(root, {
        [`${base}/acme.tool-1.0.0/package.json`]: manifest('tool', '1.0.0'),
        [`${base}/extensions.json`]: [
          {
            identifier: { id: 'acme.tool' },
            version: '1.0.0',
            relativeLocation: 'acme.tool-1.0.0',
          },
        ],
      });
      expect(named(await scanTree([vscode], root, people))).toEqual(['acme.tool 1.0.0']);
    },
  );
});

const ID = 'abcdefghijklmnopabcdefghijklmnop';

describe('extensions of browsers', () => {
  const chromium = CHROMIUM.flatMap(({ name, linux = [] }) => linux.map((path) => [name, path]));

  test.each(chromium)('finds the Chromium family: %s in %s', async (name, path) => {
    const root = makeFolder();
    const version = `${HOME}/${path}/Default/Extensions/${ID}/1.0.0_0`;
    plant(root, { [`${version}/manifest.json`]: { name: 'Acme', version: '1.0.0' } });
    const { entities } = await scanTree(CHROMIUM_BROWSERS, root, people);
    expect(entities.map(({ wire }) => [wire.source, wire.name])).toEqual([[name, 'Acme']]);
  });

  const gecko = Object.entries(GECKO).flatMap(([name, paths]) =>
    paths.flatMap((path) => placesOf('linux', path)).map((path) => [name, path]),
  );

  test.each(gecko)('finds the Gecko family: %s in %s', async (name, path) => {
    const root = makeFolder();
    const addon = { id: 'x@acme', type: 'extension', version: '1.0.0', location: 'app-profile' };
    plant(root, { [`${HOME}/${path}/ab.default/extensions.json`]: { addons: [addon] } });
    const { entities } = await scanTree(GECKO_BROWSERS, root, people);
    expect(entities.map(({ wire }) => [wire.source, wire.name])).toEqual([[name, 'x@acme']]);
  });

  test('uses the name that the browser shows', async () => {
    const root = makeFolder();
    const folder = `${HOME}/.config/google-chrome/Default/Extensions/${ID}/1.0.0_0`;
    plant(root, {
      [`${folder}/manifest.json`]: {
        name: '__MSG_AppName__',
        version: '1.0.0',
        default_locale: 'en_GB',
      },
      [`${folder}/_locales/en_GB/messages.json`]: { other: { message: 'x' } },
      [`${folder}/_locales/en/messages.json`]: {
        appname: { message: '$BRAND$ helper', placeholders: { brand: { content: 'Acme' } } },
      },
    });
    expect(named(await scanTree(CHROMIUM_BROWSERS, root, people))).toEqual(['Acme helper 1.0.0']);
  });

  test.each([
    ['__MSG_a__', [{ A: { message: 'One' } }], 'One'],
    ['The __MSG_a__ of __MSG_b__', [{ a: { message: '1' }, b: { message: '2' } }], 'The 1 of 2'],
    ['__MSG_a__', [{ a: { message: 'For $$5 $1' } }], 'For $5 '],
    ['__MSG_a__', [{ a: { message: '$x$', placeholders: { X: { content: 'y$1' } } } }], 'y'],
    ['__MSG_a__', [{ b: { message: 'no' } }, { a: { message: 'second' } }], 'second'],
    ['__MSG_a__', [{ a: { message: 'left $odd$' } }], 'left $odd$'],
    ['__MSG_a__', [], null],
    ['__MSG_a__', [{ a: 'no message' }], null],
  ] as const)('resolves %s from %j to %j', (text, languages, expected) => {
    expect(resolveMessages(text, languages)).toBe(expected);
  });
});

describe.runIf(process.platform === 'linux')('AppImage', () => {
  test.each([
    ['Acme-1.2.3-x86_64.AppImage', 'Acme', '1.2.3'],
    ['Acme_Tool-2.0-beta.1.appimage', 'Acme_Tool', '2.0-beta.1'],
    ['nvim-linux-x86_64.AppImage', 'nvim', null],
    ['Acme.AppImage', 'Acme', null],
  ])('finds the file %s', async (file, name, version) => {
    const root = makeFolder();
    put(root, `${HOME}/Applications/${file}`, 'x', 0o755);
    const found = byName(await scanTree([desktopEntries], root, people)).get(name);
    expect(found).toMatchObject({ kind: 'application', version });
    expect(found?.executables).toEqual([`~/Applications/${file}`]);
  });

  test('reports a menu entry once, with the version of that entry', async () => {
    const root = makeFolder();
    put(root, `${HOME}/Applications/Acme.AppImage`, 'x', 0o755);
    put(
      root,
      `${HOME}/.local/share/applications/acme.desktop`,
      `[Desktop Entry]\nType=Application\nName=Acme\nExec=/${HOME}/Applications/Acme.AppImage\nX-AppImage-Version=4.5.6\n`,
    );
    const { entities } = await scanTree([desktopEntries], root, people);
    expect(entities.map(({ wire }) => wire.version)).toEqual(['4.5.6']);
  });

  test('finds AppImages of all users in /opt', async () => {
    const root = makeFolder();
    put(root, 'opt/Acme-1.0.0.AppImage', 'x', 0o755);
    expect(named(await scanTree([desktopEntries], root))).toEqual(['Acme 1.0.0']);
  });
});
