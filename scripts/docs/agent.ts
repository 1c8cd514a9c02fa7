// Reference pages of the agent: discovery sources and protection rules.
import { CHROMIUM_BROWSERS } from '@gatewarden/agent/src/discovery/sources/chromium.ts';
import { GECKO_BROWSERS } from '@gatewarden/agent/src/discovery/sources/gecko.ts';
import { SOURCES } from '@gatewarden/agent/src/discovery/sources/index.ts';
import { GROUP_PROGRAMS_MAX } from '@gatewarden/agent/src/enforcement/blast-radius-guard.ts';
import {
  NAMED_PROGRAMS,
  PROTECTION_RULES,
} from '@gatewarden/agent/src/enforcement/protection-rules.ts';
import { anchor, code, type Derived, referencePage, sentence, table } from './markdown.ts';

/** Content of each source that is not a browser. A source without a line fails a test. */
export const SOURCE_TEXTS: Readonly<Record<string, string>> = {
  dpkg: 'Packages of Debian and its derivatives.',
  rpm: 'RPM packages.',
  pacman: 'Packages of Arch Linux.',
  apk: 'Packages of Alpine Linux.',
  nix: 'Programs of Nix profiles.',
  flatpak: 'Flatpak apps.',
  snap: 'Snaps.',
  desktop_entry: 'Apps in the menus of the desktop, and AppImages.',
  homebrew: 'Formulas and casks of Homebrew.',
  app_bundle: 'App bundles of macOS.',
  registry_uninstall: 'Uninstall entries of the Windows registry.',
  appx: 'Packaged apps of Windows (MSIX).',
  npm: 'Global npm packages, also of pnpm, Yarn and Bun.',
  python: 'Python packages of interpreters, pipx, uv and virtual environments.',
  runtime: 'Node.js and Python versions of version managers.',
  pixi: 'Global environments of pixi.',
  mcp_config: 'MCP servers in configurations of clients, projects and workspaces.',
  claude_extension: 'Extensions of Claude Desktop.',
  safari: 'Extensions of Safari.',
  vscode: 'Extensions of VS Code and the editors of its family.',
  jetbrains: 'Plug-ins of JetBrains IDEs.',
  zed: 'Extensions of Zed.',
  neovim: 'Plug-ins of Neovim.',
  vim: 'Plug-ins of Vim.',
  emacs: 'Packages of Emacs.',
  sublime: 'Packages of Sublime Text.',
  ai_cli: 'AI assistants for the command line.',
  ai_permissions: 'Settings of assistants that skip a confirmation or a sandbox.',
  agent_hook: 'Commands that an assistant runs by itself.',
  model_server: 'Servers of local models.',
  model_store: 'Models in local stores.',
  instruction_file: 'Instruction files, rules, sub-agents and commands of assistants.',
  skill: 'Skills of assistants.',
};

const PLATFORMS = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' } as const;
const PLACES = { machine: 'machine', home: 'homes' } as const;

/** Returns docs/reference/discovery-sources.md. */
export function discoverySourcesPage(): Derived {
  const browsers = [...CHROMIUM_BROWSERS, ...GECKO_BROWSERS];
  const others = SOURCES.filter((source) => !browsers.includes(source));
  return referencePage('discovery-sources', {
    title: 'Discovery sources',
    source: 'agent/src/discovery/sources/index.ts',
    body: [
      'Where the agent looks. `discovery.sources` in [agent.toml](agent-toml.md) selects some of them by name. An app has the name of its source in the inventory.',
      'A source with **quick changes** is read again within a minute after its files changed. All others are read with each scan.',
      sourceTable(others, (name) => SOURCE_TEXTS[name] ?? ''),
      '## Browsers',
      'Extensions with name, version and permissions. History, bookmarks, passwords and pages are not read. A company can exclude browser profiles.',
      '### Chromium family',
      browserTable(CHROMIUM_BROWSERS),
      '### Gecko family',
      browserTable(GECKO_BROWSERS),
    ],
  });
}

type Source = (typeof SOURCES)[number];

const platformsOf = ({ platforms }: Source) =>
  platforms.map((platform) => PLATFORMS[platform]).join(', ');

function sourceTable(sources: readonly Source[], textOf: (name: string) => string): string {
  return table(
    ['Source', 'Content', 'Platforms', 'Reads', 'Quick changes'],
    sources.map((source) => [
      `${anchor(source.name.replaceAll('_', '-'))}${code(source.name)}`,
      textOf(source.name),
      platformsOf(source),
      source.scopes.map((place) => PLACES[place]).join(', '),
      source.watches === undefined ? '' : 'yes',
    ]),
  );
}

const browserTable = (browsers: readonly Source[]): string =>
  table(
    ['Source', 'Platforms'],
    browsers.map((browser) => [code(browser.name), platformsOf(browser)]),
  );

/** Returns docs/reference/guard-rails.md. */
export function protectionRulesPage(): Derived {
  return referencePage('guard-rails', {
    title: 'Protection rules',
    source: 'agent/src/enforcement/protection-rules.ts',
    body: [
      'A policy never ends a process that a protection rule matches. `gatewarden processes` shows the rule for each process. The first matching rule is reported.',
      table(
        ['Rule', 'Reason'],
        [
          ...PROTECTION_RULES.map(({ name, reason }) => [
            `${anchor(name.replaceAll('_', '-'))}${code(name)}`,
            sentence(reason),
          ]),
          [
            `${anchor('too-broad')}${code('too_broad')}`,
            `The policy would end everything, or more than ${GROUP_PROGRAMS_MAX} programs of a publisher, of a kind, or of a pattern in the process mappings.`,
          ],
        ],
      ),
      '## Programs by name',
      'These rules match the base name of a program in a folder of the system, such as `/usr/`. A script counts by its own name. `*` matches any ending. A copy in another folder is not protected.',
      ...Object.entries(NAMED_PROGRAMS).flatMap(([name, { names }]) => [
        `### ${name}`,
        names.map(code).join(', '),
      ]),
    ],
  });
}
