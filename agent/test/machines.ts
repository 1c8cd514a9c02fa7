// Three rebuilt machines: what Linux, macOS and Windows really keep for each source, in at least two layouts each.
import { build, buildBinary } from 'plist';
import { BASH_RPM, makeZip, putRpmSqlite } from './formats.ts';
import { plant, put } from './trees.ts';

const EXT = 'abcdefghijklmnopabcdefghijklmnop';
const EXT_2 = 'ponmlkjihgfedcbaponmlkjihgfedcba';

/** `own`: folder of an extension's developer, as the browser names it. */
const chromiumProfile = (base: string, own: string): Record<string, unknown> => ({
  [`${base}/Default/Extensions/${EXT}/9.0_0/manifest.json`]: { name: 'Old', version: '9.0' },
  [`${base}/Default/Extensions/${EXT}/10.0_0/manifest.json`]: {
    name: '__MSG_appName__',
    version: '10.0',
    default_locale: 'en',
    permissions: ['tabs', { odd: true }],
    host_permissions: ['https://*/*'],
  },
  [`${base}/Default/Extensions/${EXT}/10.0_0/_locales/en/messages.json`]: {
    appname: { message: 'Shopping Helper' },
  },
  [`${base}/Profile 1/Secure Preferences`]: {
    extensions: {
      settings: {
        [EXT_2]: {
          path: own,
          location: 4,
        },
        mhjfbmdgcfjbbpaeojofohoefgiehjai: { location: 5, manifest: { name: 'PDF', version: '1' } },
      },
    },
  },
  [`${base}/Profile 1/Preferences`]: {},
  [`${base}/System Profile/Preferences`]: { extensions: { settings: { [EXT]: { location: 1 } } } },
});

const geckoProfile = (profile: string): Record<string, unknown> => ({
  [`${profile}/extensions.json`]: {
    addons: [
      {
        id: 'uBlock0@raymondhill.net',
        type: 'extension',
        version: '1.60.0',
        location: 'app-profile',
        defaultLocale: { name: 'uBlock Origin', creator: 'Raymond Hill' },
        userPermissions: { permissions: ['tabs'], origins: ['<all_urls>'] },
      },
      { id: 'default-theme@mozilla.org', type: 'theme', location: 'app-builtin' },
      { id: '../../evil', type: 'extension', location: 'app-profile' },
    ],
  },
});

const vscodeList = (id: string, version: string) => [
  {
    identifier: { id },
    version,
    relativeLocation: `${id}-${version}`,
    metadata: { publisherDisplayName: 'Publisher', installedTimestamp: 1_700_000_000_000 },
  },
];

const PLUGIN_XML =
  '<!-- x --><idea-plugin><id>com.acme.plugin</id><name>Acme &amp; Co</name><version>2.10</version><vendor url="x">Acme</vendor></idea-plugin>';
const metadata = (name: string, version: string) =>
  `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\nAuthor: Somebody\n\nName: not this one\n`;
const SKILL = '---\nname: write-reports\ndescription: x\n---\nDo it.\n';

/** Files of a home on every system. */
const HOME: Record<string, unknown> = {
  '.vscode/extensions/extensions.json': vscodeList('GitHub.copilot', '1.250.0'),
  '.vscode/extensions/GitHub.copilot-1.250.0/package.json': {
    publisher: 'GitHub',
    name: 'copilot',
    version: '1.250.0',
  },
  '.vscode/extensions/.obsolete': { 'gone.gone-1.0.0': true },
  '.vscode/extensions/gone.gone-1.0.0/package.json': {
    publisher: 'gone',
    name: 'gone',
    version: '1.0.0',
  },
  '.cursor/extensions/acme.tool-3.0.0/package.json': {
    publisher: 'acme',
    name: 'tool',
    version: '3.0.0',
    displayName: 'Acme Tool',
    contributes: { mcpServerDefinitionProviders: [] },
  },
  '.claude/settings.json': { permissions: { defaultMode: 'bypassPermissions' } },
  '.claude/CLAUDE.md': 'Be\u200b nice.\n',
  '.claude/skills/reports/SKILL.md': SKILL,
  'code/app/.git/HEAD': 'ref',
  'code/app/AGENTS.md': 'Test before you commit.\n',
  'code/app/.cursor/rules/style.mdc': 'x',
  'code/app/.agents/skills/plain/SKILL.md': 'No front matter.\n',
  '.emacs.d/elpa/magit-3.3.0/magit.el': '',
  'dev/own/manifest.json': {
    name: 'Own',
    version: '1',
    permissions: ['cookies', 'https://u:planted@bank.example/*'],
  },
  '.vim/plugged/vim-fugitive/plugin.vim': '',
};

export function makeLinux(root: string): void {
  const home = (files: Record<string, unknown>) =>
    plant(
      root,
      Object.fromEntries(Object.entries(files).map(([path, to]) => [`home/alice/${path}`, to])),
    );
  home(HOME);
  home({
    ...chromiumProfile('.config/google-chrome', '/home/alice/dev/own'),
    ...chromiumProfile('snap/chromium/common/chromium', '/home/alice/dev/own'),
    ...geckoProfile('.mozilla/firefox/abc.default-release'),
    '.mozilla/firefox/profiles.ini':
      '[Profile0]\nName=default\nIsRelative=1\nPath=abc.default-release\n\n[Profile1]\nIsRelative=0\nPath=/home/alice/elsewhere\n\n[Profile2]\nIsRelative=0\nPath=/etc\n',
    ...geckoProfile('elsewhere'),
    '.config/Code/User/profiles/1a2b/extensions.json': vscodeList('ms-python.python', '2025.1.0'),
    '.vscode/extensions/ms-python.python-2025.1.0/package.json': {},
    '.local/share/JetBrains/IntelliJIdea2025.2/acme/lib/acme.jar': makeZip(
      'META-INF/plugin.xml',
      PLUGIN_XML,
    ),
    '.local/share/JetBrains/IntelliJIdea2025.2/acme/lib/aaa.jar': makeZip('other', 'x'),
    '.local/share/Google/AndroidStudio2025.1/plain/META-INF/plugin.xml': PLUGIN_XML.replace(
      '2.10',
      '2.9',
    ),
    '.local/share/zed/extensions/installed/html/extension.toml':
      'id = "html"\nname = "HTML"\nversion = "0.1.4"\n',
    '.local/share/nvim/lazy/telescope.nvim/README': '',
    '.config/Sublime Text/Packages/Terminus/package-metadata.json': { version: '0.3.1' },
    '.npm-global/lib/node_modules/@acme/tool/package.json': {
      name: '@acme/tool',
      version: '1.0.0',
    },
    '.nvm/versions/node/v22.1.0/lib/node_modules/@anthropic-ai/claude-code/package.json': {
      name: '@anthropic-ai/claude-code',
      version: '2.0.10',
    },
    '.local/share/pipx/venvs/aider-chat/lib/python3.12/site-packages/aider_chat-0.80.0.dist-info/METADATA':
      metadata('aider_chat', '0.80.0'),
    '.local/lib/python3.11/site-packages/Some.Pkg.egg-info/PKG-INFO': metadata('Some.Pkg', '2.0'),
    '.local/share/flatpak/app/org.own.App/x86_64/stable/active/export/share/metainfo/org.own.App.appdata.xml':
      '<component><id>org.own.App</id><name xml:lang="de">Eigene</name><name>Own</name></component>',
  });
  put(root, 'home/alice/.local/share/claude/versions/2.0.11', 'x', 0o755);
  put(root, 'usr/local/bin/ollama', 'x', 0o755);
  put(root, 'usr/bin/codex', 'x', 0o755);
  put(root, 'usr/bin/bash', 'x', 0o755);
  putRpmSqlite(root, 'usr/lib/sysimage/rpm/rpmdb.sqlite', [BASH_RPM]);
  plant(root, {
    'var/lib/pacman/local/zlib-1.3.1-2/desc':
      '%NAME%\nzlib\n\n%VERSION%\n1:1.3.1-2\n\n%ARCH%\nx86_64\n\n%INSTALLDATE%\n1700000000\n\n%PACKAGER%\nA Person <a@b.c>\n',
    'lib/apk/db/installed':
      'C:Q1x=\nP:musl\nV:1.2.5-r0\nA:x86_64\nm:Timo <t@a.o>\nF:lib\n\nP:busybox\nV:1.36\n\n',
    'nix/store/0123456789abcdfghijklmnpqrsvwxyz-ripgrep-14.1.0/bin/rg': '',
    'nix/store/0123456789abcdfghijklmnpqrsvwxyz-stdenv-linux/setup': '',
    'var/lib/flatpak/app/org.gimp.GIMP/x86_64/stable/active/export/share/metainfo/org.gimp.GIMP.metainfo.xml':
      '<?xml version="1.0"?><component><id>org.gimp.GIMP</id><name>GIMP</name><developer><name>GIMP team</name></developer><releases><release version="3.0.4"/><release version="2.10"/></releases></component>',
    'var/lib/flatpak/app/org.gimp.GIMP.Locale/x86_64/x': '',
    'snap/firefox/current/meta/snap.yaml':
      'name: firefox\nversion: "140.0"\narchitectures: [amd64]\n',
    'snap/core/current/meta/snap.yaml': 'name: core\nversion: 16\ntype: os\n',
    'home/linuxbrew/.linuxbrew/Cellar/jq/1.7.1/bin/jq': '',
    'home/linuxbrew/.linuxbrew/Cellar/jq/1.10.0/bin/jq': '',
    'usr/lib/node_modules/npm/package.json': { name: 'npm', version: '10.0.0' },
    'usr/lib/python3/dist-packages/requests-2.31.0.dist-info/METADATA': metadata(
      'requests',
      '2.31.0',
    ),
  });
}

const bundle = (id: string, name: string, version: string) => ({
  CFBundleIdentifier: id,
  CFBundleName: name,
  CFBundleShortVersionString: version,
  CFBundleExecutable: name,
});

export function makeMac(root: string): void {
  const AS = 'Users/alice/Library/Application Support';
  plant(root, {
    'Applications/Acme 2.app/Contents/Info.plist': build(bundle('com.acme.app', 'Acme', '9.0')),
    'Applications/Utilities/Tool.app/Contents/Info.plist': Buffer.from(
      buildBinary(bundle('com.acme.tool', 'Tool', '1.2')),
    ),
    'Applications/Tool.app/Contents/Frameworks/Helper.app/Contents/Info.plist': build(
      bundle('com.acme.helper', 'Helper', '1'),
    ),
    'Users/alice/Applications/Acme.app/Contents/Info.plist': Buffer.from(
      buildBinary(bundle('com.acme.app', 'Acme', '10.0')),
    ),
    'opt/homebrew/Cellar/jq/1.7.1/INSTALL_RECEIPT.json': '{}',
    'opt/homebrew/Caskroom/firefox/.metadata/139.0/2025/Casks/firefox.json': '{}',
    'opt/homebrew/Caskroom/firefox/.metadata/140.0/2025/Casks/firefox.json': '{}',
    'opt/homebrew/lib/node_modules/opencode-ai/package.json': {
      name: 'opencode-ai',
      version: '0.5',
    },
    'Library/Python/3.9/site-packages/six-1.16.0.dist-info/METADATA': metadata('six', '1.16.0'),
    ...Object.fromEntries(
      Object.entries({
        ...chromiumProfile('Google/Chrome Canary', '/Users/alice/dev/own'),
        ...chromiumProfile('Arc/User Data', '/Users/alice/dev/own'),
        ...geckoProfile('Firefox/Profiles/x.default'),
        ...geckoProfile('zen/Profiles/y'),
        'JetBrains/PyCharm2025.1/plugins/acme.jar': makeZip('META-INF/plugin.xml', PLUGIN_XML),
        'Zed/extensions/installed/html/extension.toml': 'id = "html"\nversion = "0.1.4"\n',
      }).map(([path, to]) => [`${AS}/${path}`, to]),
    ),
    'Users/alice/Library/Containers/com.apple.Safari/Data/Library/Safari/AppExtensions/Extensions.plist':
      build({
        'com.acme.blocker.extension (ABCDE12345)': { Enabled: true },
      }),
  });
  plant(
    root,
    Object.fromEntries(Object.entries(HOME).map(([path, to]) => [`Users/alice/${path}`, to])),
  );
}

function registryFile(lines: string): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from(
      `Windows Registry Editor Version 5.00\r\n\r\n${lines.replaceAll('\n', '\r\n')}`,
      'utf16le',
    ),
  ]);
}

const UNINSTALL = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const HKLM = 'HKEY_LOCAL_MACHINE';

/** `home`: name of the home's folder. */
export function makeWindows(root: string, sid: string, home: string = sid): void {
  const packages = `HKEY_USERS\\${sid}\\Software\\Classes\\Local Settings\\Software\\Microsoft\\Windows\\CurrentVersion\\AppModel\\Repository\\Packages`;
  plant(root, {
    'registry/uninstall.reg': registryFile(`[${HKLM}\\${UNINSTALL}]

[${HKLM}\\${UNINSTALL}\\7-Zip]
"DisplayName"="7-Zip 24.08 (x64)"
"DisplayVersion"="24.08"
"Publisher"="Igor Pavlov"
"InstallLocation"="C:\\\\Program Files\\\\7-Zip\\\\"
"DisplayIcon"="C:\\\\Program Files\\\\7-Zip\\\\7zFM.exe,0"

[${HKLM}\\${UNINSTALL}\\{11111111-2222-3333-4444-555555555555}]
"DisplayName"="Müller Büro"
"DisplayVersion"="2.0"
"InstallDate"="20250131"
"EstimatedSize"=dword:00000010
"UninstallString"=hex(2):4d,00,73,00,69,00,\\
  00,00

[${HKLM}\\${UNINSTALL}\\KB1]
"DisplayName"="Update"
"SystemComponent"=dword:00000001
`),
    'registry/uninstall32.reg':
      registryFile(`[${HKLM}\\SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall]

[${HKLM}\\SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Old]
"DisplayName"="Old Tool"
`),
    'registry/person.reg': `REGEDIT4\n\n[HKEY_USERS\\${sid}\\${UNINSTALL}]\n\n[HKEY_USERS\\${sid}\\${UNINSTALL}\\Cursor]\n"DisplayName"="Cursor (User)"\n"DisplayVersion"="1.7.2"\n"Publisher"="Anysphere"\n`,
    'registry/upgrade.reg': registryFile(`[${HKLM}\\SOFTWARE\\Classes\\Installer\\UpgradeCodes]

[${HKLM}\\SOFTWARE\\Classes\\Installer\\UpgradeCodes\\BBBBBBAACCCCDDDDEEEEFFFFFFFFFFFF]
"11111111222233334444555555555555"=""
`),
    'registry/appx.reg':
      registryFile(`[${HKLM}\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Appx\\AppxAllUserStore\\Applications]

[${HKLM}\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Appx\\AppxAllUserStore\\Applications\\Microsoft.WindowsCalculator_11.2405.2.0_x64__8wekyb3d8bbwe]
"Path"="C:\\\\Program Files\\\\WindowsApps\\\\Calc"
`),
    'registry/packages.reg': registryFile(`[${packages}]

[${packages}\\OpenAI.ChatGPT-Desktop_1.2025.1.0_x64__2p2nqsd0c76g0]
"DisplayName"="ChatGPT"
"PackageRootFolder"="C:\\\\Program Files\\\\WindowsApps\\\\ChatGPT"
`),
    'registry/python.reg': registryFile(`[${HKLM}\\SOFTWARE\\Python\\PythonCore]

[${HKLM}\\SOFTWARE\\Python\\PythonCore\\3.12\\InstallPath]
@="C:\\\\Python312\\\\"
`),
    'Program Files/7-Zip/7zFM.exe': '',
    'Python312/Lib/site-packages/rich-13.0.dist-info/METADATA': metadata('rich', '13.0'),
    'Program Files/nodejs/node_modules/npm/package.json': { name: 'npm', version: '10.0.0' },
  });
  const own = `C:\\Users\\${home}\\dev\\own`;
  const files = {
    ...HOME,
    ...chromiumProfile('AppData/Local/Google/Chrome/User Data', own),
    ...chromiumProfile('AppData/Roaming/Opera Software/Opera Stable', own),
    ...geckoProfile('AppData/Roaming/Mozilla/Firefox/Profiles/a.b'),
    'AppData/Roaming/npm/claude.cmd': '@echo off',
    'AppData/Roaming/npm/node_modules/@openai/codex/package.json': {
      name: '@openai/codex',
      version: '0.40.0',
    },
    'AppData/Roaming/JetBrains/Rider2025.1/plugins/acme/lib/acme.jar': makeZip(
      'META-INF/plugin.xml',
      PLUGIN_XML,
    ),
    'AppData/Local/Zed/extensions/installed/html/extension.toml':
      'id = "html"\nversion = "0.1.4"\n',
  };
  plant(
    root,
    Object.fromEntries(Object.entries(files).map(([path, to]) => [`Users/${home}/${path}`, to])),
  );
}
