// Where each MCP client keeps its servers: a new client is a new row. Tokens of paths: see places.ts.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

export interface ClientFile {
  client: string;
  scope: 'user' | 'project' | 'plugin' | 'system';
  /** Patterns below a home, below a project's root, or (system) from the root of the machine. */
  paths: readonly string[];
  /** Where servers stand in it: the first of these that is there. `.` is the document itself. */
  keys: readonly string[];
  platforms?: readonly Platform[];
}

const MCP = ['mcpServers'];
const CODE = ['servers', 'mcpServers'];
const SETTINGS = ['mcp.servers', 'mcpServers'];
const DESCRIPTION = ['mcpServers', 'mcp_servers'];
const PLUGIN = ['mcpServers', 'mcp_servers', '.'];

export const USER_FILES: readonly ClientFile[] = [
  {
    client: 'claude-desktop',
    scope: 'user',
    paths: ['{AS}/Claude', '{A}/Claude', '{XC}/Claude', '{XC}/claude', '{XC}/claude-desktop'].map(
      (folder) => `${folder}/claude_desktop_config.json`,
    ),
    keys: MCP,
  },
  {
    client: 'claude-code',
    scope: 'user',
    paths: ['.claude/settings.json', '.claude/settings.local.json'],
    keys: MCP,
  },
  {
    client: 'claude-code',
    scope: 'plugin',
    paths: ['.claude/plugins/cache/**/.mcp.json', '.claude/plugins/repos/**/.mcp.json'],
    keys: PLUGIN,
  },
  // A plug-in may say its servers in its own description, too, beside much else.
  {
    client: 'claude-code',
    scope: 'plugin',
    paths: ['cache', 'repos'].map((one) => `.claude/plugins/${one}/**/.claude-plugin/plugin.json`),
    keys: DESCRIPTION,
  },
  {
    client: 'codex',
    scope: 'plugin',
    paths: ['.codex/plugins/**/.codex-plugin/plugin.json'],
    keys: DESCRIPTION,
  },
  {
    client: 'gemini-cli',
    scope: 'plugin',
    paths: ['.gemini/extensions/*/gemini-extension.json'],
    keys: MCP,
  },
  { client: 'cursor', scope: 'user', paths: ['.cursor/mcp.json'], keys: MCP },
  {
    client: 'cursor',
    scope: 'plugin',
    paths: ['cache', 'local'].flatMap((folder) => [
      `.cursor/plugins/${folder}/**/mcp.json`,
      `.cursor/plugins/${folder}/**/.mcp.json`,
    ]),
    keys: PLUGIN,
  },
  {
    client: 'vscode',
    scope: 'user',
    paths: [
      '{ED}/User/mcp.json',
      '{ED}/User/profiles/*/mcp.json',
      // On the far side of a remote session.
      '.vscode-server/data/Machine/mcp.json',
      '.vscode-server-insiders/data/Machine/mcp.json',
    ],
    keys: CODE,
  },
  {
    client: 'vscode',
    scope: 'user',
    paths: ['{ED}/User/settings.json', '{ED}/User/profiles/*/settings.json'],
    keys: SETTINGS,
  },
  { client: 'vscode', scope: 'user', paths: ['.vscode/mcp.json'], keys: CODE },
  {
    client: 'copilot-jetbrains',
    scope: 'user',
    paths: ['{XC}', '{L}'].map((base) => `${base}/github-copilot/intellij/mcp.json`),
    keys: CODE,
  },
  // Visual Studio reads it for all projects, and Claude Code where it is started in the home itself.
  { client: 'claude-code', scope: 'user', paths: ['.mcp.json'], keys: CODE },
  { client: 'copilot-cli', scope: 'user', paths: ['.copilot/mcp-config.json'], keys: MCP },
  { client: 'windsurf', scope: 'user', paths: ['.codeium/windsurf/mcp_config.json'], keys: MCP },
  {
    client: 'antigravity',
    scope: 'user',
    paths: ['.gemini/antigravity/mcp_config.json', '.gemini/config/mcp_config.json'],
    keys: MCP,
  },
  { client: 'gemini-cli', scope: 'user', paths: ['.gemini/settings.json'], keys: MCP },
  {
    client: 'codex',
    scope: 'user',
    paths: ['.codex/config.toml', '.codex/*.config.toml'],
    keys: ['mcp_servers'],
  },
  { client: 'codex', scope: 'plugin', paths: ['.codex/plugins/**/.mcp.json'], keys: PLUGIN },
  {
    client: 'zed',
    scope: 'user',
    paths: [
      '.var/app/dev.zed.Zed/config/zed/settings.json',
      '{XC}/zed/settings.json',
      '{AS}/Zed/settings.json',
      '{A}/Zed/settings.json',
    ],
    keys: ['context_servers'],
  },
  {
    client: 'continue',
    scope: 'user',
    paths: ['.continue/config.yaml', '.continue/config.yml', '.continue/config.json'],
    keys: [...MCP, 'experimental.modelContextProtocolServers'],
  },
  {
    client: 'continue',
    scope: 'user',
    paths: ['yaml', 'yml', 'json'].map((ending) => `.continue/mcpServers/*.${ending}`),
    keys: [...MCP, '.'],
  },
  {
    client: 'cline',
    scope: 'user',
    paths: [
      '{ED}/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      '.cline/data/settings/cline_mcp_settings.json',
    ],
    keys: MCP,
  },
  {
    client: 'roo-code',
    scope: 'user',
    paths: ['{ED}/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'],
    keys: MCP,
  },
  {
    client: 'opencode',
    scope: 'user',
    paths: ['{XC}/opencode', '.opencode'].flatMap((folder) => [
      `${folder}/opencode.json`,
      `${folder}/opencode.jsonc`,
    ]),
    keys: ['mcp'],
  },
  {
    client: 'goose',
    scope: 'user',
    paths: ['{XC}/goose/config.yaml', '{A}/Block/goose/config/config.yaml'],
    keys: ['extensions'],
  },
  {
    client: 'kiro',
    scope: 'user',
    paths: ['.kiro/settings/mcp.json', '.kiro/agents/*.json'],
    keys: MCP,
  },
  {
    client: 'amazon-q',
    scope: 'user',
    paths: ['mcp.json', 'default.json', 'agents/*.json', 'cli-agents/*.json'].map(
      (file) => `.aws/amazonq/${file}`,
    ),
    keys: MCP,
  },
  {
    client: 'lm-studio',
    scope: 'user',
    paths: ['.lmstudio/mcp.json', '.cache/lm-studio/mcp.json'],
    keys: MCP,
  },
  {
    client: 'crush',
    scope: 'user',
    paths: ['{XC}/crush/crush.json', '{L}/crush/crush.json'],
    keys: ['mcp'],
  },
  { client: 'junie', scope: 'user', paths: ['.junie/mcp/mcp.json'], keys: MCP },
];

/** In a file of a workspace: among its settings, or beside them. */
export const WORKSPACE_KEYS = ['mcp.servers'];

export const SYSTEM_FILES: readonly ClientFile[] = [
  ...system('claude-code', ['mcpServers'], 'managed-mcp.json', {
    linux: '/etc/claude-code',
    darwin: '/Library/Application Support/ClaudeCode',
    win32: '/Program Files/ClaudeCode',
  }),
  ...system('codex', ['mcp_servers'], 'config.toml', {
    linux: '/etc/codex',
    darwin: '/etc/codex',
    win32: '/ProgramData/OpenAI/Codex',
  }),
  ...['opencode.json', 'opencode.jsonc'].flatMap((file) =>
    system('opencode', ['mcp'], file, {
      linux: '/etc/opencode',
      darwin: '/Library/Application Support/opencode',
      win32: '/ProgramData/opencode',
    }),
  ),
];

/** Below the root of a project. */
export const PROJECT_FILES: readonly ClientFile[] = [
  { client: 'claude-code', scope: 'project', paths: ['.mcp.json'], keys: PLUGIN },
  { client: 'cursor', scope: 'project', paths: ['.cursor/mcp.json'], keys: MCP },
  { client: 'roo-code', scope: 'project', paths: ['.roo/mcp.json'], keys: MCP },
  { client: 'kiro', scope: 'project', paths: ['.kiro/settings/mcp.json'], keys: MCP },
  { client: 'windsurf', scope: 'project', paths: ['.windsurf/mcp.json'], keys: MCP },
  { client: 'junie', scope: 'project', paths: ['.junie/mcp/mcp.json'], keys: MCP },
  {
    client: 'amazon-q',
    scope: 'project',
    paths: ['.amazonq/mcp.json', '.amazonq/default.json', '.amazonq/cli-agents/*.json'],
    keys: MCP,
  },
  {
    client: 'continue',
    scope: 'project',
    paths: ['yaml', 'yml', 'json'].map((ending) => `.continue/mcpServers/*.${ending}`),
    keys: [...MCP, '.'],
  },
  { client: 'vscode', scope: 'project', paths: ['.vscode/mcp.json'], keys: CODE },
  { client: 'gemini-cli', scope: 'project', paths: ['.gemini/settings.json'], keys: MCP },
  { client: 'codex', scope: 'project', paths: ['.codex/config.toml'], keys: ['mcp_servers'] },
  { client: 'zed', scope: 'project', paths: ['.zed/settings.json'], keys: ['context_servers'] },
  {
    client: 'opencode',
    scope: 'project',
    paths: [
      'opencode.json',
      'opencode.jsonc',
      '.opencode/opencode.json',
      '.opencode/opencode.jsonc',
    ],
    keys: ['mcp'],
  },
  { client: 'crush', scope: 'project', paths: ['.crush.json', 'crush.json'], keys: ['mcp'] },
];

function system(
  client: string,
  keys: readonly string[],
  file: string,
  folders: Record<Platform, string>,
): ClientFile[] {
  return Object.entries(folders).map(([platform, folder]) => ({
    client,
    scope: 'system',
    paths: [`${folder}/${file}`],
    keys,
    platforms: [platform as Platform],
  }));
}
