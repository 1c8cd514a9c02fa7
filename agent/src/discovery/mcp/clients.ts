// Configuration files of MCP clients, for discovery: a new client is a new row. Tokens of paths: see path-tokens.ts. The
// clients that the agent can connect to the MCP gateway are in mcp-setup/supported-clients.ts.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { CODE_EDITORS } from '../clients/editors.ts';

export interface ClientFile {
  /** Null: the editor of the folder `{ED}`. */
  client: string | null;
  scope: 'user' | 'project' | 'plugin' | 'system';
  /** Patterns below a home, below a project's root, or (system) from the root of the machine. */
  paths: readonly string[];
  /** Paths of the servers in the document: the first existing path counts. `.` is the document itself. */
  keys: readonly string[];
  platforms?: readonly Platform[];
  /** In JSON5, which is read but not edited. */
  json5?: true;
}

const MCP = ['mcpServers'];
const CODE = ['servers', 'mcpServers'];
const SETTINGS = ['mcp.servers', 'mcpServers'];
const DESCRIPTION = ['mcpServers', 'mcp_servers'];
/** Keys in the front matter of custom agents. */
const AGENT = ['mcp-servers', 'mcpServers'];
const DEVCONTAINERS = [
  '.devcontainer.json',
  '.devcontainer/devcontainer.json',
  '.devcontainer/*/devcontainer.json',
];
export const PLUGIN = ['mcpServers', 'mcp_servers', '.'];

export const USER_FILES: readonly ClientFile[] = [
  {
    client: 'claude-desktop',
    scope: 'user',
    paths: [
      '{AS}/Claude',
      '{A}/Claude',
      // Path of an installation from Windows' store: its AppData is a folder of the package.
      '{L}/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude',
      '{XC}/Claude',
      '{XC}/claude',
      '{XC}/claude-desktop',
    ].map((folder) => `${folder}/claude_desktop_config.json`),
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
  // A plug-in may list its servers in its own manifest, too, beside other settings.
  {
    client: 'claude-code',
    scope: 'plugin',
    paths: ['cache', 'repos'].map(
      (folder) => `.claude/plugins/${folder}/**/.claude-plugin/plugin.json`,
    ),
    keys: DESCRIPTION,
  },
  {
    client: 'cursor',
    scope: 'plugin',
    paths: ['cache', 'local'].map(
      (folder) => `.cursor/plugins/${folder}/**/.cursor-plugin/plugin.json`,
    ),
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
    client: null,
    scope: 'user',
    // `Machine`: on the far side of a remote session.
    paths: ['{ED}/User/mcp.json', '{ED}/User/profiles/*/mcp.json', '{ED}/Machine/mcp.json'],
    keys: CODE,
  },
  {
    client: null,
    scope: 'user',
    paths: [
      '{ED}/User/settings.json',
      '{ED}/User/profiles/*/settings.json',
      '{ED}/Machine/settings.json',
    ],
    keys: SETTINGS,
  },
  // Files of single editors of the family.
  ...CODE_EDITORS.flatMap(({ client, settings, mcpFiles = [] }): ClientFile[] =>
    mcpFiles.length === 0
      ? []
      : [
          {
            client,
            scope: 'user',
            paths: ['{XC}', '{AS}', '{A}'].flatMap((base) =>
              mcpFiles.map((file) => `${base}/${settings}/${file}`),
            ),
            keys: CODE,
          },
        ],
  ),
  { client: 'vscode', scope: 'user', paths: ['.vscode/mcp.json'], keys: CODE },
  {
    client: 'copilot-jetbrains',
    scope: 'user',
    paths: ['{XC}', '{L}'].map((base) => `${base}/github-copilot/intellij/mcp.json`),
    keys: CODE,
  },
  {
    client: 'copilot-xcode',
    scope: 'user',
    paths: ['{XC}/github-copilot/xcode/mcp.json'],
    keys: CODE,
    platforms: ['darwin'],
  },
  // Visual Studio reads it for all projects, and Claude Code where it is started in the home itself.
  { client: 'claude-code', scope: 'user', paths: ['.mcp.json'], keys: CODE },
  { client: 'copilot-cli', scope: 'user', paths: ['.copilot/mcp-config.json'], keys: MCP },
  {
    client: 'windsurf',
    scope: 'user',
    // The last path is what its plug-ins for other editors read.
    paths: ['windsurf/', 'windsurf-next/', ''].map((in_) => `.codeium/${in_}mcp_config.json`),
    keys: MCP,
  },
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
    paths: [
      ...['config.yaml', 'config.yml', 'config.json'].map((file) => `.continue/${file}`),
      ...['agents', 'assistants'].flatMap((folder) => [
        `.continue/${folder}/*.yaml`,
        `.continue/${folder}/*.yml`,
      ]),
    ],
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
    client: 'kilo-code',
    scope: 'user',
    paths: ['{ED}/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json'],
    keys: MCP,
  },
  {
    client: 'kilo-code',
    scope: 'user',
    paths: ['{XC}/kilo/kilo.json', '{XC}/kilo/kilo.jsonc'],
    keys: ['mcp'],
  },
  {
    client: 'opencode',
    scope: 'user',
    paths: [
      ...['{XC}/opencode', '.opencode'].flatMap((folder) => [
        `${folder}/opencode.json`,
        `${folder}/opencode.jsonc`,
      ]),
      '{XC}/opencode/config.json',
    ],
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
    // The servers of its "powers" are separate, in the same file.
    keys: [...MCP, 'powers.mcpServers'],
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
  { client: 'qwen', scope: 'user', paths: ['.qwen/settings.json'], keys: MCP },
  { client: 'factory', scope: 'user', paths: ['.factory/mcp.json'], keys: MCP },
  { client: 'rovo-dev', scope: 'user', paths: ['.rovodev/mcp.json'], keys: MCP },
  { client: 'augment', scope: 'user', paths: ['.augment/settings.json'], keys: MCP },
  { client: 'warp', scope: 'user', paths: ['.warp/.mcp.json'], keys: MCP },
  { client: 'void', scope: 'user', paths: ['.void-editor/mcp.json'], keys: MCP },
  { client: 'boltai', scope: 'user', paths: ['.boltai/mcp.json'], keys: MCP },
  { client: 'trae', scope: 'user', paths: ['.trae/mcp.json', '.trae-cn/mcp.json'], keys: MCP },
  {
    client: 'qoder',
    scope: 'user',
    paths: ['.qoder/mcp.json', '.qoder/settings.json', '.qoder.json'],
    keys: MCP,
  },
  {
    client: 'codebuddy',
    scope: 'user',
    paths: ['.codebuddy/mcp.json', '.codebuddy/.mcp.json', '.codebuddy.json'],
    keys: MCP,
  },
  {
    client: 'lingma',
    scope: 'user',
    paths: ['.lingma/mcp.json', '.lingma/lingma_mcp.json'],
    keys: MCP,
  },
  { client: 'iflow', scope: 'user', paths: ['.iflow/settings.json'], keys: MCP },
  {
    client: 'bob',
    scope: 'user',
    paths: ['.bob/settings/mcp_settings.json', '.bob/mcp.json'],
    keys: MCP,
  },
  {
    client: 'devin',
    scope: 'user',
    paths: ['{XC}/devin/config.json', '{XC}/devin/mcp.json'],
    keys: MCP,
  },
  { client: 'hermes', scope: 'user', paths: ['.hermes/config.yaml'], keys: DESCRIPTION },
  {
    client: 'openclaw',
    scope: 'user',
    paths: [
      '.openclaw/openclaw.json',
      '.clawdbot/clawdbot.json',
      '.moltbot/moltbot.json',
      '.openclaw/mcp.json',
    ],
    keys: ['mcp.servers', 'mcpServers'],
    json5: true,
  },
  { client: 'kimi', scope: 'user', paths: ['.kimi/mcp.json', '.kimi-code/mcp.json'], keys: MCP },
  {
    client: 'mcporter',
    scope: 'user',
    paths: ['.mcporter', '{XC}/mcporter'].flatMap((folder) => [
      `${folder}/mcporter.json`,
      `${folder}/mcporter.jsonc`,
    ]),
    keys: MCP,
  },
  { client: 'deepagents', scope: 'user', paths: ['.deepagents/.mcp.json'], keys: MCP },
  { client: 'openhands', scope: 'user', paths: ['.openhands/mcp.json'], keys: MCP },
  {
    client: 'grok',
    scope: 'user',
    paths: ['.grok/settings.json', '.grok/user-settings.json'],
    keys: MCP,
  },
  {
    client: 'autohand',
    scope: 'user',
    paths: ['.autohand/config.json'],
    keys: ['mcp.servers', ...MCP],
  },
  { client: 'zencoder', scope: 'user', paths: ['.zencoder/mcp.json'], keys: MCP },
  { client: 'tabnine', scope: 'user', paths: ['.tabnine/mcp_servers.json'], keys: MCP },
  { client: 'rovo-dev', scope: 'user', paths: ['.rovodev/mcp_config.json'], keys: MCP },
  { client: 'factory', scope: 'user', paths: ['.factory/settings.json'], keys: MCP },
  { client: 'augment', scope: 'user', paths: ['.augment/mcp.json'], keys: MCP },
  { client: 'pi', scope: 'user', paths: ['.pi/agent/mcp.json', '{XC}/mcp/mcp.json'], keys: MCP },
  { client: 'positron', scope: 'user', paths: ['.posit/assistant/mcp.json'], keys: CODE },
  {
    client: 'agents',
    scope: 'user',
    paths: ['.agents/mcp.json', '{XC}/agents/mcp.json'],
    keys: MCP,
  },
  {
    client: 'antigravity',
    scope: 'user',
    paths: ['.gemini/antigravity-cli/mcp_config.json'],
    keys: MCP,
  },
  {
    client: 'kilo-code',
    scope: 'user',
    paths: ['.kilocode/mcp.json', '.kilocode/cli/global/settings/mcp_settings.json'],
    keys: MCP,
  },
  { client: 'mcphub', scope: 'user', paths: ['{XC}/mcphub/servers.json'], keys: MCP },
  {
    client: 'mcphost',
    scope: 'user',
    paths: ['.mcphost.json', '.mcphost.yml', '.mcphost.yaml', '.mcphost'],
    keys: MCP,
  },
  {
    client: '5ire',
    scope: 'user',
    paths: ['{XC}', '{AS}', '{A}'].map((base) => `${base}/5ire/mcp.json`),
    keys: [...MCP, 'servers'],
  },
  {
    client: 'oterm',
    scope: 'user',
    paths: ['{XD}/oterm/config.json', '{AS}/oterm/config.json'],
    keys: MCP,
  },
  { client: 'llm', scope: 'user', paths: ['.llm-tools-mcp/mcp.json'], keys: MCP },
  // A sub-agent may bring servers of its own, in its front matter.
  {
    client: 'claude-code',
    scope: 'user',
    paths: ['.claude/agents/**/*.md'],
    keys: MCP,
  },
  { client: 'copilot-cli', scope: 'user', paths: ['.copilot/agents/**/*.md'], keys: AGENT },
  { client: 'vibe', scope: 'user', paths: ['.vibe/config.toml'], keys: ['mcp_servers'] },
  {
    client: 'amp',
    scope: 'user',
    paths: ['{XC}/amp/settings.json', '{ED}/User/settings.json'],
    keys: ['amp.mcpServers'],
  },
  {
    client: 'jan',
    scope: 'user',
    paths: ['{XD}', '{AS}', '{A}'].map((base) => `${base}/Jan/data/mcp_config.json`),
    keys: PLUGIN,
  },
  {
    client: 'anythingllm',
    scope: 'user',
    paths: ['{XC}', '{AS}', '{A}'].map(
      (base) => `${base}/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json`,
    ),
    keys: PLUGIN,
  },
];

/** In a file of a workspace: among its settings, or beside them. */
export const WORKSPACE_KEYS = ['mcp.servers'];

export const SYSTEM_FILES: readonly ClientFile[] = [
  ...system('claude-code', ['mcpServers'], 'managed-mcp.json', {
    linux: '/etc/claude-code',
    darwin: '/Library/Application Support/ClaudeCode',
    win32: '/Program Files/ClaudeCode',
  }),
  // Versions before 2.1.75 read this file.
  ...system('claude-code', ['mcpServers'], 'managed-mcp.json', {
    win32: '/ProgramData/ClaudeCode',
  }),
  ...['settings.json', 'system-defaults.json'].flatMap((file) =>
    system('gemini-cli', MCP, file, {
      linux: '/etc/gemini-cli',
      darwin: '/Library/Application Support/GeminiCli',
      win32: '/ProgramData/gemini-cli',
    }),
  ),
  ...system('codex', ['mcp_servers'], 'managed_config.toml', {
    linux: '/etc/codex',
    darwin: '/etc/codex',
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
  {
    client: 'kiro',
    scope: 'project',
    paths: ['.kiro/settings/mcp.json', '.kiro/agents/*.json'],
    keys: MCP,
  },
  { client: 'windsurf', scope: 'project', paths: ['.windsurf/mcp.json'], keys: MCP },
  { client: 'copilot-cli', scope: 'project', paths: ['.github/mcp.json'], keys: CODE },
  { client: 'kilo-code', scope: 'project', paths: ['.kilocode/mcp.json'], keys: MCP },
  { client: 'kilo-code', scope: 'project', paths: ['kilo.json', 'kilo.jsonc'], keys: ['mcp'] },
  { client: 'qwen', scope: 'project', paths: ['.qwen/settings.json'], keys: MCP },
  { client: 'factory', scope: 'project', paths: ['.factory/mcp.json'], keys: MCP },
  { client: 'visual-studio', scope: 'project', paths: ['.vs/mcp.json'], keys: CODE },
  { client: 'librechat', scope: 'project', paths: ['librechat.yaml'], keys: MCP },
  { client: 'amp', scope: 'project', paths: ['.amp/settings.json'], keys: ['amp.mcpServers'] },
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
  { client: 'trae', scope: 'project', paths: ['.trae/mcp.json'], keys: MCP },
  {
    client: 'fast-agent',
    scope: 'project',
    paths: ['fastagent.config.yaml', 'mcp_agent.config.yaml'],
    keys: ['mcp.servers'],
  },
  {
    client: 'qoder',
    scope: 'project',
    paths: ['.qoder/mcp.json', '.qoder/settings.json'],
    keys: MCP,
  },
  {
    client: 'codebuddy',
    scope: 'project',
    paths: ['.codebuddy/mcp.json', '.codebuddy/.mcp.json'],
    keys: MCP,
  },
  { client: 'lingma', scope: 'project', paths: ['.lingma/mcp.json'], keys: MCP },
  { client: 'iflow', scope: 'project', paths: ['.iflow/settings.json'], keys: MCP },
  { client: 'bob', scope: 'project', paths: ['.bob/mcp.json'], keys: MCP },
  {
    client: 'devin',
    scope: 'project',
    paths: ['.devin/config.json', '.devin/mcp.json'],
    keys: MCP,
  },
  { client: 'kimi', scope: 'project', paths: ['.kimi/mcp.json', '.kimi-code/mcp.json'], keys: MCP },
  {
    client: 'mcporter',
    scope: 'project',
    paths: ['config/mcporter.json', '.mcporter/mcporter.json'],
    keys: MCP,
  },
  { client: 'rovo-dev', scope: 'project', paths: ['.rovodev/mcp.json'], keys: MCP },
  {
    client: 'augment',
    scope: 'project',
    paths: ['.augment/settings.json', '.augment/mcp.json'],
    keys: MCP,
  },
  { client: 'warp', scope: 'project', paths: ['.warp/.mcp.json'], keys: MCP },
  { client: 'cline', scope: 'project', paths: ['.cline/mcp.json'], keys: MCP },
  { client: 'zencoder', scope: 'project', paths: ['.zencoder/mcp.json'], keys: MCP },
  { client: 'openhands', scope: 'project', paths: ['.openhands/mcp.json'], keys: MCP },
  { client: 'tabnine', scope: 'project', paths: ['.tabnine/mcp_servers.json'], keys: MCP },
  { client: 'vibe', scope: 'project', paths: ['.vibe/config.toml'], keys: ['mcp_servers'] },
  { client: 'agents', scope: 'project', paths: ['.agents/mcp.json'], keys: MCP },
  { client: 'copilot-cli', scope: 'project', paths: ['.copilot/mcp-config.json'], keys: MCP },
  {
    client: 'copilot',
    scope: 'project',
    paths: ['.github/agents/**/*.md', '.github/chatmodes/**/*.md'],
    keys: AGENT,
  },
  { client: 'claude-code', scope: 'project', paths: ['.claude/agents/**/*.md'], keys: MCP },
  {
    client: 'claude-code',
    scope: 'project',
    paths: ['.claude/settings.json', '.claude/settings.local.json'],
    keys: MCP,
  },
  {
    client: 'vscode',
    scope: 'project',
    paths: DEVCONTAINERS,
    keys: ['customizations.vscode.mcp.servers', 'customizations.vscode.settings.mcp.servers'],
  },
  {
    client: 'cursor',
    scope: 'project',
    paths: DEVCONTAINERS,
    keys: ['customizations.cursor.mcp.servers', 'customizations.cursor.mcpServers'],
  },
  { client: 'vscode', scope: 'project', paths: ['.vscode/settings.json'], keys: SETTINGS },
  {
    client: 'continue',
    scope: 'project',
    paths: ['agents', 'assistants'].flatMap((folder) => [
      `.continue/${folder}/*.yaml`,
      `.continue/${folder}/*.yml`,
    ]),
    keys: MCP,
  },
  {
    client: 'continue',
    scope: 'project',
    paths: ['.continue/config.yaml', '.continue/config.json'],
    keys: MCP,
  },
];

function system(
  client: string,
  keys: readonly string[],
  file: string,
  folders: Partial<Record<Platform, string>>,
): ClientFile[] {
  return Object.entries(folders).map(([platform, folder]) => ({
    client,
    scope: 'system',
    paths: [`${folder}/${file}`],
    keys,
    platforms: [platform as Platform],
  }));
}
