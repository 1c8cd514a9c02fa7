// Files with commands that clients run by themselves: hooks, and settings that are commands.
import { CLAUDE_MANAGED_SETTINGS, type ClientLocations } from './table-types.ts';

export interface HookFiles extends ClientLocations {
  /** Keys of the events in the file: the first that exists counts. `.` is the document itself. */
  keys?: readonly string[];
  /** Settings that are a command each; the setting's name is the event. */
  commands?: readonly string[];
  /** The file is code itself: its name is the event. */
  script?: true;
}

const HOOKS = ['hooks'];
/** Commands by which Claude Code gets keys, headers and its status line. */
const CLAUDE_COMMANDS = [
  'statusLine.command',
  'subagentStatusLine.command',
  'fileSuggestion.command',
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'gcpAuthRefresh',
  'otelHeadersHelper',
  'proxyAuthHelper',
  'policyHelper.path',
];

/** A client with settings in the form of Claude Code. */
const likeClaude = (client: string, folder: string): HookFiles => ({
  client,
  user: [`${folder}/settings.json`, `${folder}/settings.local.json`],
  project: [`${folder}/settings.json`, `${folder}/settings.local.json`],
  keys: HOOKS,
  commands: CLAUDE_COMMANDS,
});

/** A client with a file of hooks of its own. */
const hooksFile = (client: string, folder: string): HookFiles => ({
  client,
  user: [`${folder}/hooks.json`],
  project: [`${folder}/hooks.json`],
  keys: ['hooks', '.'],
});

/** A new client is a new row. */
export const HOOK_FILES: readonly HookFiles[] = [
  {
    ...likeClaude('claude-code', '.claude'),
    system: CLAUDE_MANAGED_SETTINGS,
  },
  // Sub-agents, commands and skills may bring hooks in their front matter.
  {
    client: 'claude-code',
    user: ['.claude/agents/**/*.md', '.claude/commands/**/*.md', '.claude/skills/*/SKILL.md'],
    project: ['.claude/agents/**/*.md', '.claude/commands/**/*.md', '.claude/skills/*/SKILL.md'],
    keys: HOOKS,
  },
  {
    ...hooksFile('cursor', '.cursor'),
    system: {
      linux: ['/etc/cursor/hooks.json'],
      darwin: ['/Library/Application Support/Cursor/hooks.json'],
      win32: ['/ProgramData/Cursor/hooks.json'],
    },
  },
  {
    ...hooksFile('codex', '.codex'),
    system: {
      linux: ['/etc/codex/hooks.json'],
      darwin: ['/etc/codex/hooks.json'],
      win32: ['/ProgramData/OpenAI/Codex/hooks.json'],
    },
  },
  {
    client: 'codex',
    user: ['.codex/config.toml', '.codex/*.config.toml'],
    project: ['.codex/config.toml'],
    system: {
      linux: [
        '/etc/codex/config.toml',
        '/etc/codex/managed_config.toml',
        '/etc/codex/requirements.toml',
      ],
      darwin: [
        '/etc/codex/config.toml',
        '/etc/codex/managed_config.toml',
        '/etc/codex/requirements.toml',
      ],
      win32: ['/ProgramData/OpenAI/Codex/config.toml'],
    },
    keys: HOOKS,
    commands: ['notify', 'profiles.*.notify'],
  },
  {
    client: 'gemini-cli',
    user: ['.gemini/settings.json'],
    project: ['.gemini/settings.json'],
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
    keys: HOOKS,
    commands: [
      'tools.discoveryCommand',
      'tools.callCommand',
      'toolDiscoveryCommand',
      'toolCallCommand',
    ],
  },
  likeClaude('qwen', '.qwen'),
  likeClaude('factory', '.factory'),
  hooksFile('factory', '.factory'),
  likeClaude('augment', '.augment'),
  likeClaude('codebuddy', '.codebuddy'),
  likeClaude('iflow', '.iflow'),
  likeClaude('qoder', '.qoder'),
  likeClaude('kode', '.kode'),
  likeClaude('autohand', '.autohand'),
  hooksFile('windsurf', '.windsurf'),
  {
    client: 'windsurf',
    user: [
      '.codeium/windsurf/hooks.json',
      '.codeium/windsurf-next/hooks.json',
      '.codeium/hooks.json',
    ],
    system: {
      linux: ['/etc/windsurf/hooks.json'],
      darwin: ['/Library/Application Support/Windsurf/hooks.json'],
      win32: ['/ProgramData/Windsurf/hooks.json'],
    },
    keys: ['hooks', '.'],
  },
  hooksFile('trae', '.trae'),
  hooksFile('antigravity', '.agents'),
  { client: 'antigravity', user: ['.gemini/config/hooks.json'], keys: ['hooks', '.'] },
  {
    client: 'copilot',
    user: ['.copilot/config.json', '.copilot/settings.json', '.copilot/hooks/*.json'],
    project: ['.github/hooks/*.json', '.github/copilot/settings.json'],
    keys: HOOKS,
  },
  {
    client: 'kiro',
    user: ['.kiro/agents/*.json'],
    project: ['.kiro/agents/*.json'],
    keys: HOOKS,
  },
  {
    client: 'kiro',
    user: ['.kiro/hooks/*.json', '.kiro/hooks/*.kiro.hook'],
    project: ['.kiro/hooks/*.json', '.kiro/hooks/*.kiro.hook'],
    keys: ['hooks', '.'],
  },
  {
    client: 'amazon-q',
    user: ['.aws/amazonq/cli-agents/*.json', '.aws/amazonq/agents/*.json'],
    project: ['.amazonq/cli-agents/*.json'],
    keys: HOOKS,
  },
  {
    client: 'cline',
    user: ['Documents/Cline/Hooks/*', '.cline/hooks/*'],
    project: ['.clinerules/hooks/*', '.cline/hooks/*'],
    script: true,
  },
  {
    client: 'opencode',
    user: ['plugin', 'plugins'].flatMap((folder) => [
      `{XC}/opencode/${folder}/*.ts`,
      `{XC}/opencode/${folder}/*.js`,
    ]),
    project: ['plugin', 'plugins'].flatMap((folder) => [
      `.opencode/${folder}/*.ts`,
      `.opencode/${folder}/*.js`,
    ]),
    script: true,
  },
  {
    client: 'opencode',
    user: ['{XC}/opencode/opencode.json', '{XC}/opencode/opencode.jsonc'],
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'],
    keys: ['experimental.hook'],
  },
  {
    client: 'pi',
    user: ['.pi/agent/extensions/*.ts', '.pi/agent/hooks/*.ts'],
    project: ['.pi/extensions/*.ts', '.pi/hooks/*.ts'],
    script: true,
  },
  {
    client: 'crush',
    user: ['{XC}/crush/crush.json', '{L}/crush/crush.json'],
    project: ['crush.json', '.crush.json'],
    keys: HOOKS,
  },
  { client: 'kimi', user: ['.kimi/config.toml', '.kimi-code/config.toml'], keys: HOOKS },
  { client: 'hermes', user: ['.hermes/config.yaml'], keys: HOOKS },
  { client: 'vibe', user: ['.vibe/config.toml'], project: ['.vibe/config.toml'], keys: HOOKS },
  // Whatever client a plug-in is of.
  {
    client: null,
    plugin: ['hooks/*.json', 'hooks.json'],
    keys: ['hooks', '.'],
  },
  {
    client: null,
    plugin: [
      '.claude-plugin/plugin.json',
      '.cursor-plugin/plugin.json',
      '.codex-plugin/plugin.json',
      'gemini-extension.json',
      'qwen-extension.json',
      'agents/**/*.md',
    ],
    keys: HOOKS,
  },
];
