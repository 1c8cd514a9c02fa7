// Installed software is found in the layouts of real installers, browsers and editors: a row per layout.
import { symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { plant, put, scanTree } from '../../../test/trees.ts';
import { CHROMIUM_BROWSERS } from './chromium.ts';
import { flatpak } from './flatpak.ts';
import { GECKO_BROWSERS } from './gecko.ts';
import { homebrew } from './homebrew.ts';
import { jetbrains } from './jetbrains.ts';
import { npm } from './npm.ts';
import { python } from './python.ts';
import { vscode } from './vscode.ts';
import { zed } from './zed.ts';

const SOURCES = [
  ...CHROMIUM_BROWSERS,
  ...GECKO_BROWSERS,
  flatpak,
  homebrew,
  jetbrains,
  npm,
  python,
  vscode,
  zed,
];
type Kind = 'npm' | 'python' | 'chromium' | 'gecko' | 'vscode' | 'jetbrains' | 'zed';
const AS = 'Library/Application Support';
const LOCAL = 'AppData/Local';
const ROAMING = 'AppData/Roaming';

/** Below a home, or from the root: the folder with this kind of file. */
const LAYOUTS: Record<'linux' | 'darwin' | 'win32', readonly [Kind, string][]> = {
  linux: [
    ['npm', '/usr/local/lib/node_modules'],
    ['npm', '/home/linuxbrew/.linuxbrew/lib/node_modules'],
    ['npm', '.nvm/versions/node/v22.1.0/lib/node_modules'],
    ['npm', '.config/nvm/versions/node/v22.1.0/lib/node_modules'],
    ['npm', '.local/share/fnm/node-versions/v22.1.0/installation/lib/node_modules'],
    ['npm', '.fnm/node-versions/v22.1.0/installation/lib/node_modules'],
    ['npm', '.volta/tools/image/packages/plain/lib/node_modules'],
    ['npm', '.volta/tools/image/packages/@scope/tool/lib/node_modules'],
    ['npm', '.asdf/installs/nodejs/22.1.0/lib/node_modules'],
    ['npm', '.nodenv/versions/22.1.0/lib/node_modules'],
    ['npm', 'n/lib/node_modules'],
    ['npm', '.n/lib/node_modules'],
    ['npm', '.local/share/nvm/v22.1.0/lib/node_modules'],
    ['npm', '.nvs/node/22.1.0/x64/lib/node_modules'],
    ['npm', '.local/share/pnpm/global/5/node_modules'],
    ['npm', '.local/share/pnpm/global/v11/0a1b2c/node_modules'],
    ['npm', '.cache/.bun/install/global/node_modules'],
    ['npm', '.bun/install/global/node_modules'],
    ['npm', '.config/yarn/global/node_modules'],
    ['python', '/usr/local/lib/python3.11/dist-packages'],
    ['python', '/opt/conda/envs/work/lib/python3.12/site-packages'],
    ['python', '/opt/miniconda3/lib/python3.12/site-packages'],
    ['python', '.local/share/pipx/venvs/tool/lib/python3.12/site-packages'],
    ['python', '.local/share/uv/tools/tool/lib/python3.12/site-packages'],
    ['python', 'miniforge3/envs/work/lib/python3.12/site-packages'],
    ['python', 'mambaforge/envs/work/lib/python3.12/site-packages'],
    ['python', 'micromamba/envs/work/lib/python3.12/site-packages'],
    ['python', '.pyenv/versions/3.12.1/lib/python3.12/site-packages'],
    ['python', '.pixi/envs/acme/lib/python3.12/site-packages'],
    ['python', '.local/share/mise/installs/python/3.12.1/lib/python3.12/site-packages'],
    ['python', '.rye/py/cpython@3.12.1/lib/python3.12/site-packages'],
    ['chromium', '.config/google-chrome/Profile 1'],
    ['chromium', '.config/google-chrome-beta/Default'],
    ['chromium', '.var/app/com.google.Chrome/config/google-chrome/Default'],
    ['chromium', '.var/app/com.microsoft.Edge/config/microsoft-edge/Default'],
    ['chromium', '.var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/Default'],
    ['chromium', 'snap/brave/current/.config/BraveSoftware/Brave-Browser/Default'],
    ['chromium', 'snap/chromium/common/chromium/Default'],
    [
      'chromium',
      '.var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium/Default',
    ],
    ['chromium', '.config/vivaldi-snapshot/Default'],
    ['chromium', '.config/opera/Default'],
    ['chromium', '.config/opera-developer'],
    ['chromium', '.var/app/com.opera.Opera/config/opera'],
    ['chromium', 'snap/opera/current/.config/opera'],
    ['gecko', '.mozilla/firefox/abc.default-release'],
    ['gecko', '.config/mozilla/firefox/abc.default-release'],
    ['gecko', 'snap/firefox/common/.mozilla/firefox/abc.default'],
    ['gecko', '.var/app/org.mozilla.firefox/.mozilla/firefox/abc.default-release'],
    ['gecko', '.var/app/org.mozilla.firefox/config/mozilla/firefox/abc.default-release'],
    ['gecko', '.librewolf/abc.default-default'],
    ['gecko', '.config/librewolf/librewolf/abc.default-default'],
    ['gecko', '.zen/abc.Default'],
    ['gecko', '.config/zen/abc.Default'],
    ['vscode', '.vscode-oss/extensions'],
    ['vscode', '.windsurf-next/extensions'],
    ['vscode', '.void-editor/extensions'],
    ['vscode', '.positron/extensions'],
    ['vscode', '.antigravity-server/extensions'],
    ['vscode', '.var/app/com.visualstudio.code/data/vscode/extensions'],
    ['vscode', '.config/Code - OSS/User/profiles/-12ab'],
    ['jetbrains', '.local/share/JetBrains/IntelliJIdea2025.2'],
    ['jetbrains', '.local/share/Google/AndroidStudio2025.1'],
    ['jetbrains', '.var/app/com.jetbrains.PyCharm-Community/data/JetBrains/PyCharmCE2025.1'],
    ['zed', '.local/share/zed/extensions/installed'],
    ['zed', '.var/app/dev.zed.Zed/data/zed/extensions/installed'],
  ],
  darwin: [
    ['npm', '/opt/homebrew/lib/node_modules'],
    ['npm', `${AS}/fnm/node-versions/v22.1.0/installation/lib/node_modules`],
    ['npm', 'Library/pnpm/global/5/node_modules'],
    ['python', '/Library/Frameworks/Python.framework/Versions/3.12/lib/python3.12/site-packages'],
    ['python', 'Library/Python/3.9/lib/python/site-packages'],
    ['python', '.local/pipx/venvs/tool/lib/python3.12/site-packages'],
    ['python', `${AS}/pipx/venvs/tool/lib/python3.12/site-packages`],
    ['chromium', `${AS}/Google/Chrome/Default`],
    ['chromium', `${AS}/Google/Chrome Canary/Profile 2`],
    ['chromium', `${AS}/Arc/User Data/Default`],
    ['chromium', `${AS}/com.operasoftware.Opera`],
    ['chromium', `${AS}/com.operasoftware.Opera/Default`],
    ['chromium', `${AS}/com.operasoftware.OperaGX`],
    ['chromium', `${AS}/Perplexity/Comet/Default`],
    ['gecko', `${AS}/Firefox/Profiles/abc.default-release`],
    ['gecko', `${AS}/zen/Profiles/abc.Default`],
    ['vscode', '.cursor/extensions'],
    ['vscode', `${AS}/Code/User/profiles/12ab`],
    ['jetbrains', `${AS}/JetBrains/GoLand2025.2/plugins`],
    ['zed', `${AS}/Zed/extensions/installed`],
  ],
  win32: [
    ['npm', '/Program Files/nodejs/node_modules'],
    ['npm', `${ROAMING}/npm/node_modules`],
    ['npm', `${ROAMING}/fnm/node-versions/v22.1.0/installation/node_modules`],
    ['npm', `${LOCAL}/Volta/tools/image/packages/tool/node_modules`],
    ['npm', `${LOCAL}/nvm/v22.1.0/node_modules`],
    ['npm', '.bun/install/global/node_modules'],
    ['python', `${LOCAL}/Programs/Python/Python312/Lib/site-packages`],
    ['python', `${ROAMING}/Python/Python312/site-packages`],
    [
      'python',
      `${LOCAL}/Packages/PythonSoftwareFoundation.Python.3.12_qbz5n2kfra8p0/LocalCache/local-packages/Python312/site-packages`,
    ],
    ['python', `${ROAMING}/uv/tools/tool/Lib/site-packages`],
    ['python', 'miniconda3/envs/work/Lib/site-packages'],
    ['python', '.pyenv/pyenv-win/versions/3.12.1/Lib/site-packages'],
    ['chromium', `${LOCAL}/Google/Chrome/User Data/Default`],
    ['chromium', `${LOCAL}/Microsoft/Edge/User Data/Profile 1`],
    ['chromium', `${ROAMING}/Opera Software/Opera Stable`],
    ['chromium', `${ROAMING}/Opera Software/Opera Stable/Default`],
    ['chromium', `${ROAMING}/Opera Software/Opera GX Stable`],
    [
      'chromium',
      `${LOCAL}/Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data/Default`,
    ],
    ['gecko', `${ROAMING}/Mozilla/Firefox/Profiles/abc.default-release`],
    [
      'gecko',
      `${LOCAL}/Packages/Mozilla.Firefox_n80bbvh6b1yt2/LocalCache/Roaming/Mozilla/Firefox/Profiles/abc.default-release`,
    ],
    ['vscode', '.vscode/extensions'],
    ['jetbrains', `${ROAMING}/JetBrains/Rider2025.2/plugins`],
    ['zed', `${LOCAL}/Zed/extensions/installed`],
  ],
};

/** Thirty-two letters from a to p, another for each number. */
const extensionId = (at: number) =>
  'abcdefghijklmnopabcdefghijklmnop'.slice(0, 30) +
  String.fromCharCode(97 + Math.floor(at / 16), 97 + (at % 16));

const homeOf = (path: string) => path.split('/').slice(0, 2).join('/');

const PLANTS: Record<Kind, (folder: string, at: number) => Record<string, unknown>> = {
  npm: (folder, at) => ({
    [`${folder}/@acme/x${at}/package.json`]: { name: `@acme/x${at}`, version: '1.10.0' },
  }),
  python: (folder, at) => ({
    [`${folder}/Acme_X${at}-1.10.0.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: Acme_X${at}\nVersion: 1.10.0\n\nlong`,
  }),
  chromium: (folder, at) => ({
    [`${folder}/Preferences`]: {},
    [`${folder}/Extensions/${extensionId(at)}/1.9.0_0/manifest.json`]: { version: '1.9.0' },
    [`${folder}/Extensions/${extensionId(at)}/1.10.0_0/manifest.json`]: {
      name: '__MSG_appName__',
      default_locale: 'en',
      version: '1.10.0',
    },
    [`${folder}/Extensions/${extensionId(at)}/1.10.0_0/_locales/en/messages.json`]: {
      appname: { message: `Acme ${at}` },
    },
  }),
  gecko: (folder, at) => ({
    [`${folder}/extensions.json`]: {
      addons: [
        {
          ...{ id: `x${at}@acme`, type: 'extension', version: '1.10.0', location: 'app-profile' },
          defaultLocale: { name: `Acme ${at}` },
        },
        { id: `theme${at}@acme`, type: 'theme', version: '1', location: 'app-profile' },
        { id: `lang${at}@acme`, type: 'locale', version: '1', location: 'app-profile' },
      ],
    },
  }),
  vscode: (folder, at) => ({
    [`${folder}/extensions.json`]: [
      { identifier: { id: `Acme.x${at}` }, version: '1.10.0', relativeLocation: `acme.x${at}` },
    ],
    // Profiles list extensions of the editor's own folder.
    [`${folder.includes('/profiles/') ? `${homeOf(folder)}/.vscode/extensions` : folder}/acme.x${at}/package.json`]:
      {},
  }),
  jetbrains: (folder, at) => ({
    [`${folder}/acme-x${at}/META-INF/plugin.xml`]: `<idea-plugin><id>acme.x${at}</id><name>Acme ${at}</name><version>1.10.0</version></idea-plugin>`,
  }),
  zed: (folder, at) => ({
    [`${folder}/x${at}/extension.toml`]: `id = "x${at}"\nname = "Acme ${at}"\nversion = "1.10.0"\n`,
  }),
};
const NAMES: Record<Kind, (at: number) => string> = {
  npm: (at) => `@acme/x${at}`,
  python: (at) => `Acme_X${at}`,
  chromium: (at) => `Acme ${at}`,
  gecko: (at) => `Acme ${at}`,
  vscode: (at) => `Acme.x${at}`,
  jetbrains: (at) => `Acme ${at}`,
  zed: (at) => `Acme ${at}`,
};

describe('installed software', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    test(`finds installed software on ${platform}`, async () => {
      const root = makeFolder();
      const home = platform === 'linux' ? 'home/alice' : 'Users/alice';
      const rows = LAYOUTS[platform];
      for (const [at, [kind, path]] of rows.entries()) {
        const folder = path.startsWith('/') ? path.slice(1) : `${home}/${path}`;
        plant(root, PLANTS[kind](folder, at));
      }
      const result = await scanTree(SOURCES, root, { platform, people: ['alice'] });
      const labels = result.entities.map(({ wire }) => `${wire.name} ${wire.version}`);
      const missed = rows.filter(([kind], at) => !labels.includes(`${NAMES[kind](at)} 1.10.0`));
      expect(missed).toEqual([]);
      expect(result.entities).toHaveLength(rows.length);
    });
  }

  test('finds software through the links of pnpm, Flatpak and Homebrew', async () => {
    const root = makeFolder();
    const link = (path: string, target: string) => {
      put(root, `${path}.x`, '');
      symlinkSync(relative(dirname(join(root, path)), join(root, target)), join(root, path));
    };
    const pnpm = 'home/alice/.local/share/pnpm/global/5';
    plant(root, {
      [`${pnpm}/.pnpm/acme@1.2.3/node_modules/acme/package.json`]: {
        name: 'acme',
        version: '1.2.3',
      },
    });
    link(`${pnpm}/node_modules/acme`, `${pnpm}/.pnpm/acme@1.2.3/node_modules/acme`);
    const app = 'var/lib/flatpak/app/org.acme.App';
    plant(root, {
      [`${app}/x86_64/stable/0a1b/files/share/metainfo/org.acme.App.metainfo.xml`]:
        '<component><id>org.acme.App</id><name xml:lang="de">Die App</name><name>App</name><releases><release version="9.0"/></releases></component>',
    });
    link(`${app}/x86_64/stable/active`, `${app}/x86_64/stable/0a1b`);
    link(`${app}/current`, `${app}/x86_64/stable`);
    plant(root, {
      'opt/homebrew/Cellar/acme/1.9.0/bin/acme': 'x',
      'opt/homebrew/Cellar/acme/1.10.0_1/bin/acme': 'x',
      'opt/homebrew/Caskroom/acme-app/.metadata/2.0,17/2026/Casks/acme-app.json': {},
    });
    const problemsOn = async (platform: 'linux' | 'darwin') =>
      (await scanTree(SOURCES, root, { platform, people: ['alice'] })).entities
        .map(({ wire }) => `${wire.kind} ${wire.name} ${wire.version}`)
        .sort();
    expect(await problemsOn('linux')).toEqual([
      'application App 9.0',
      'application acme-app 2.0,17',
      'package acme 1.10.0_1',
      'package acme 1.2.3',
    ]);
  });
});
