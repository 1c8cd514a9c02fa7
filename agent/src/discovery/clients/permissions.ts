// Settings by which an assistant asks less or leaves its sandbox: by client, with the values that count.
import { CLAUDE_MANAGED_SETTINGS, type ClientLocations } from './table-types.ts';

interface Setting {
  /** Path of the setting in the document; `*` matches any key. */
  path: string;
  /** Values that lift a confirmation or a sandbox. Each member of a list is compared. */
  lifts: RegExp;
}

export interface PermissionFiles extends ClientLocations {
  settings: readonly Setting[];
}

const ON = /^true$/;
const OFF = /^false$/;
/** A rule that names a tool with nothing to narrow it, or everything. */
const ANY =
  /^(\*|\*\*|all|.*\((\*{1,2}|:\*|\*:\*)\)|(Bash|Shell|Write|Edit|MultiEdit|NotebookEdit|WebFetch|PowerShell|run_shell_command|ShellTool|write_file|WriteFileTool|replace|execute_bash|fs_write|use_aws|shell|write|mcp__\*)|\.\*|\/\.\*\/)$/;

function at(path: string, lifts: RegExp): Setting {
  return { path, lifts };
}

const CLAUDE: readonly Setting[] = [
  at('permissions.defaultMode', /^(bypassPermissions|acceptEdits|dontAsk|auto|dangerously\w*)$/),
  at('permissions.allow', ANY),
  at('permissions.skipDangerousModePermissionPrompt', ON),
  at('permissions.additionalDirectories', /^(\/|~\/?|\/home\/?|[A-Z]:\\?)$/),
  at('skipDangerousModePermissionPrompt', ON),
  at('skipAutoPermissionPrompt', ON),
  at('enableAllProjectMcpServers', ON),
  at('sandbox.enabled', OFF),
  at('sandbox.autoAllowBashIfSandboxed', ON),
  at('sandbox.allowUnsandboxedCommands', ON),
  at('sandbox.enableWeakerNestedSandbox', ON),
  at('sandbox.excludedCommands', ANY),
  at('sandbox.network.allowedDomains', /^\*$/),
];

const CODEX: readonly Setting[] = ['', 'profiles.*.'].flatMap((prefix) => [
  at(`${prefix}approval_policy`, /^(never|on-failure)$/),
  at(`${prefix}sandbox_mode`, /^danger-full-access$/),
  at(`${prefix}default_permissions`, /danger|full/),
  at(`${prefix}sandbox_workspace_write.network_access`, ON),
  at(`${prefix}windows.sandbox`, /^(unelevated|none|off)$/),
  at(`${prefix}mcp_servers.*.default_tools_approval_mode`, /^(approve|auto)$/),
  at(`${prefix}shell_environment_policy.ignore_default_excludes`, ON),
]);

const GEMINI: readonly Setting[] = [
  at('general.defaultApprovalMode', /^(auto_?edit|yolo|auto-edit)$/i),
  at('defaultApprovalMode', /^(auto_?edit|yolo|auto-edit)$/i),
  at('tools.approvalMode', /^(auto_?edit|yolo|auto-edit|auto)$/i),
  at('approvalMode', /^(auto_?edit|yolo|auto-edit|auto)$/i),
  at('tools.autoAccept', ON),
  at('autoAccept', ON),
  at('tools.allowed', ANY),
  at('allowedTools', ANY),
  at('permissions.allow', ANY),
  at('tools.sandbox', OFF),
  at('security.folderTrust.enabled', OFF),
  at('security.enablePermanentToolApproval', ON),
  at('mcpServers.*.trust', ON),
];

/** Settings of editors, with those of their extensions. */
const EDITOR: readonly Setting[] = [
  at('chat.tools.autoApprove', ON),
  at('chat.tools.global.autoApprove', ON),
  at('chat.tools.terminal.autoApprove', /^(true|\*|\.\*|\/\^?\.\*\$?\/\w*)$/),
  at('chat.tools.edits.autoApprove', /^(true|\*\*?(\/\*)?)$/),
  at('chat.tools.urls.autoApprove', /^(true|\*|https?:\/\/\*)$/),
  at('chat.tools.terminal.enableAutoApprove', /^(always|all)$/),
  at('chat.tools.terminal.ignoreDefaultAutoApproveRules', ON),
  at('chat.permissions.default', /^(autoApprove|autopilot|bypass\w*)$/),
  at('chat.agent.sandbox.enabled', /^(false|off)$/),
  at('security.workspace.trust.enabled', OFF),
  at('github.copilot.chat.claudeAgent.allowDangerouslySkipPermissions', ON),
  at('claudeCode.allowDangerouslySkipPermissions', ON),
  at('claudeCode.initialPermissionMode', /^(bypassPermissions|acceptEdits|dontAsk|auto)$/),
  at('roo-cline.allowedCommands', ANY),
  at('roo-cline.autoApprovalEnabled', ON),
  at('kilo-code.allowedCommands', ANY),
  at('kiroAgent.trustedCommands', ANY),
  at('kiroAgent.trustedTools', ANY),
  at('kiroAgent.agentAutonomy', /^autopilot$/i),
  at('windsurf.autoExecutionPolicy', /^(auto|turbo|always)$/i),
  at('windsurf.cascadeCommandsAllowList', ANY),
  at('amp.dangerouslyAllowAll', ON),
  at('geminicodeassist.agentYoloMode', ON),
  at('augment.agentAutoMode', ON),
];

/** Settings about a server's own tools in its entry. */
const SERVER_TOOLS: readonly Setting[] = [
  at('mcpServers.*.autoApprove', ANY),
  at('mcpServers.*.alwaysAllow', ANY),
  at('mcpServers.*.trust', ON),
];

const same = (client: string, paths: readonly string[], settings: readonly Setting[]) => ({
  ...{ client, user: paths, project: paths },
  settings,
});

/** A new client is a new row. */
export const PERMISSION_FILES: readonly PermissionFiles[] = [
  {
    ...same('claude-code', ['.claude/settings.json', '.claude/settings.local.json'], CLAUDE),
    system: CLAUDE_MANAGED_SETTINGS,
  },
  {
    client: 'claude-code',
    user: ['.claude.json'],
    settings: [at('bypassPermissionsModeAccepted', ON), at('projects.*.allowedTools', ANY)],
  },
  // Sub-agents may have a mode of their own.
  same(
    'claude-code',
    ['.claude/agents/**/*.md'],
    [at('permissionMode', /^(bypassPermissions|acceptEdits|dontAsk|auto)$/)],
  ),
  {
    client: 'codex',
    user: ['.codex/config.toml', '.codex/*.config.toml'],
    project: ['.codex/config.toml'],
    system: {
      linux: ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'],
      darwin: ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'],
      win32: ['/ProgramData/OpenAI/Codex/config.toml'],
    },
    settings: CODEX,
  },
  {
    ...same('gemini-cli', ['.gemini/settings.json'], GEMINI),
    system: {
      linux: ['/etc/gemini-cli/settings.json', '/etc/gemini-cli/system-defaults.json'],
      darwin: [
        '/Library/Application Support/GeminiCli/settings.json',
        '/Library/Application Support/GeminiCli/system-defaults.json',
      ],
      win32: [
        '/ProgramData/gemini-cli/settings.json',
        '/ProgramData/gemini-cli/system-defaults.json',
      ],
    },
  },
  same('qwen', ['.qwen/settings.json'], GEMINI),
  same('iflow', ['.iflow/settings.json'], GEMINI),
  same('codebuddy', ['.codebuddy/settings.json', '.codebuddy/settings.local.json'], CLAUDE),
  same('qoder', ['.qoder/settings.json', '.qoder/settings.local.json'], CLAUDE),
  {
    client: 'cursor',
    user: ['.cursor/cli-config.json', '.cursor/permissions.json'],
    project: ['.cursor/cli.json', '.cursor/permissions.json'],
    settings: [
      at('permissions.allow', ANY),
      at('approvalMode', /^(unrestricted|auto|yolo|run-everything)$/i),
      at('sandbox.mode', /^(disabled|off|none)$/i),
      at('mcpAllowlist', /^\*(:\*)?$/),
      at('terminalAllowlist', /^\*$/),
    ],
  },
  {
    client: null,
    user: [
      '{ED}/User/settings.json',
      '{ED}/User/profiles/*/settings.json',
      '{ED}/Machine/settings.json',
    ],
    settings: EDITOR,
  },
  { client: 'vscode', project: ['.vscode/settings.json'], settings: EDITOR },
  {
    client: 'copilot-cli',
    user: ['.copilot/config.json', '.copilot/settings.json'],
    settings: [
      at('allowAllTools', ON),
      at('allow_all_tools', ON),
      at('allowAll', ON),
      at('autopilot', ON),
      at('trusted_folders', /^(\/|~|\/home|\/Users|[A-Z]:\\?)$/),
    ],
  },
  {
    client: 'amp',
    user: ['{XC}/amp/settings.json'],
    project: ['.amp/settings.json'],
    settings: [at('amp.dangerouslyAllowAll', ON), at('amp.commands.allowlist', ANY)],
  },
  {
    client: 'opencode',
    user: [
      '{XC}/opencode/opencode.json',
      '{XC}/opencode/opencode.jsonc',
      '{XC}/opencode/config.json',
    ],
    project: [
      'opencode.json',
      'opencode.jsonc',
      '.opencode/opencode.json',
      '.opencode/opencode.jsonc',
    ],
    settings: [
      ...['permission', 'agent.*.permission', 'mode.*.permission'].flatMap((path) => [
        at(path, /^allow$/),
        ...['*', 'bash', 'edit', 'webfetch', 'external_directory', 'doom_loop'].map((tool) =>
          at(`${path}.${tool}`, /^(allow|\*)$/),
        ),
      ]),
    ],
  },
  {
    client: 'goose',
    user: ['{XC}/goose/config.yaml', '{A}/Block/goose/config/config.yaml'],
    settings: [at('GOOSE_MODE', /^auto$/i)],
  },
  {
    client: 'crush',
    user: ['{XC}/crush/crush.json', '{L}/crush/crush.json'],
    project: ['crush.json', '.crush.json'],
    settings: [
      at('permissions.allowed_tools', ANY),
      at('permissions.skip_requests', ON),
      at('options.yolo', ON),
    ],
  },
  {
    client: 'zed',
    user: ['{XC}/zed/settings.json', '{AS}/Zed/settings.json', '{A}/Zed/settings.json'],
    project: ['.zed/settings.json'],
    settings: [
      at('agent.always_allow_tool_actions', ON),
      at('agent.tool_permissions.default', /^allow$/),
      at('agent.tool_permissions.tools.*.default', /^allow$/),
      at('assistant.always_allow_tool_actions', ON),
    ],
  },
  {
    client: 'factory',
    user: ['.factory/settings.json'],
    project: ['.factory/settings.json'],
    settings: [
      at('autonomyMode', /^(auto-high|auto-medium|high|medium|skip\w*)$/i),
      at('autonomyLevel', /^(auto-high|auto-medium|high|medium|skip\w*)$/i),
      at('sessionDefaultSettings.autonomyMode', /^(auto-high|auto-medium|high|medium)$/i),
      at('sessionDefaultSettings.autonomyLevel', /^(auto-high|auto-medium|high|medium)$/i),
      at('commandAllowlist', ANY),
    ],
  },
  {
    client: 'kiro',
    user: ['.kiro/agents/*.json', '.kiro/settings/cli.json'],
    project: ['.kiro/agents/*.json'],
    settings: [at('allowedTools', ANY), at('chat.trustAllTools', ON)],
  },
  {
    client: 'amazon-q',
    user: ['.aws/amazonq/cli-agents/*.json', '.aws/amazonq/agents/*.json'],
    project: ['.amazonq/cli-agents/*.json'],
    settings: [at('allowedTools', ANY)],
  },
  {
    client: 'aider',
    user: ['.aider.conf.yml'],
    project: ['.aider.conf.yml'],
    settings: [at('yes-always', ON), at('yes', ON)],
  },
  {
    client: 'continue',
    user: ['.continue/permissions.yaml'],
    settings: [at('allow', ANY)],
  },
  {
    client: 'vibe',
    user: ['.vibe/config.toml', '.vibe/agents/*.toml'],
    project: ['.vibe/config.toml'],
    settings: [at('auto_approve', ON), at('tools.*.permission', /^always$/)],
  },
  {
    client: 'kimi',
    user: ['.kimi/config.toml', '.kimi-code/config.toml', '.kimi/config.json'],
    settings: [at('default_yolo', ON), at('yolo', ON)],
  },
  {
    client: 'hermes',
    user: ['.hermes/config.yaml'],
    settings: [at('approvals.mode', /^(off|false|smart)$/), at('command_allowlist', ANY)],
  },
  {
    client: 'openclaw',
    user: ['.openclaw/openclaw.json', '.clawdbot/clawdbot.json'],
    settings: [
      at('agents.defaults.sandbox.mode', /^off$/),
      at('agents.list.*.sandbox.mode', /^off$/),
      at('tools.exec.ask', /^off$/),
      at('tools.exec.security', /^full$/),
      at('tools.elevated.enabled', ON),
    ],
  },
  {
    client: 'openclaw',
    user: ['.openclaw/exec-approvals.json'],
    settings: [
      ...['defaults', 'agents.*'].flatMap((path) => [
        at(`${path}.security`, /^full$/),
        at(`${path}.ask`, /^off$/),
      ]),
    ],
  },
  {
    client: 'augment',
    user: ['.augment/settings.json'],
    project: ['.augment/settings.json'],
    settings: [at('toolPermissions.*.permission.type', /^allow$/), at('autoApprove', ON)],
  },
  {
    client: 'rovo-dev',
    user: ['.rovodev/config.yml'],
    settings: [
      at('toolPermissions.bash.default', /^allow$/),
      at('toolPermissions.default', /^allow$/),
      at('toolPermissions.allowAll', ON),
    ],
  },
  {
    client: 'junie',
    user: ['.junie/allowlist.json', '.junie/config.json'],
    project: ['.junie/allowlist.json'],
    settings: [at('allowAll', ON), at('brave', ON), at('braveMode', ON)],
  },
  // Entries of MCP servers may exempt their tools from confirmation.
  same('cursor', ['.cursor/mcp.json'], SERVER_TOOLS),
  same('kiro', ['.kiro/settings/mcp.json'], SERVER_TOOLS),
  same('roo-code', ['.roo/mcp.json'], SERVER_TOOLS),
  {
    client: 'cline',
    user: [
      '{ED}/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      '.cline/data/settings/cline_mcp_settings.json',
    ],
    settings: SERVER_TOOLS,
  },
  {
    client: 'roo-code',
    user: ['{ED}/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'],
    settings: SERVER_TOOLS,
  },
];
