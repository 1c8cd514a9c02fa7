// Texts that clients load by themselves: rules, steering, commands and sub-agents.
import type { ClientLocations } from './table-types.ts';

export interface InstructionFiles extends ClientLocations {
  /** Null: each file is known by its own name. */
  name: string | null;
  /** Named texts from which a user chooses: each is an entity of its own. */
  kind?: 'sub-agent' | 'command';
}

/** Files of a kind below a folder with the same name in homes and projects. */
function rules(client: string, name: string, patterns: readonly string[]): InstructionFiles {
  return { client, name, user: patterns, project: patterns };
}

function named(
  client: string,
  kind: 'sub-agent' | 'command',
  patterns: readonly string[],
): InstructionFiles {
  return { client, name: null, kind, user: patterns, project: patterns };
}

const markdown = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.md`);

/** A new client is a new row. */
export const INSTRUCTION_FILES: readonly InstructionFiles[] = [
  // Several clients read it.
  {
    client: 'agents',
    name: null,
    user: ['.config/AGENTS.md', '.agents/AGENTS.md', 'AGENTS.md'],
    project: ['AGENTS.md', 'AGENT.md', 'AGENTS.override.md', 'AGENTS.local.md'],
  },
  {
    client: 'claude-code',
    name: null,
    user: ['.claude/CLAUDE.md', 'CLAUDE.md'],
    project: ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md'],
    system: {
      linux: ['/etc/claude-code/CLAUDE.md'],
      darwin: ['/Library/Application Support/ClaudeCode/CLAUDE.md'],
      win32: ['/Program Files/ClaudeCode/CLAUDE.md'],
    },
  },
  rules('claude-code', 'Claude Code rules', markdown('.claude/rules', '.claude/output-styles')),
  named('claude-code', 'sub-agent', markdown('.claude/agents')),
  named('claude-code', 'command', markdown('.claude/commands')),
  { client: 'codex', name: null, user: ['.codex/AGENTS.md', '.codex/AGENTS.override.md'] },
  named('codex', 'sub-agent', ['.codex/agents/**/*.toml']),
  named('codex', 'command', markdown('.codex/prompts')),
  {
    client: 'gemini-cli',
    name: null,
    user: ['.gemini/GEMINI.md', '.gemini/system.md'],
    project: ['GEMINI.md', '.gemini/GEMINI.md', '.gemini/system.md'],
  },
  named('gemini-cli', 'sub-agent', markdown('.gemini/agents')),
  named('gemini-cli', 'command', ['.gemini/commands/**/*.toml']),
  { client: 'qwen', name: null, user: ['.qwen/QWEN.md'], project: ['QWEN.md', '.qwen/QWEN.md'] },
  named('qwen', 'sub-agent', markdown('.qwen/agents')),
  named('qwen', 'command', [...markdown('.qwen/commands'), '.qwen/commands/**/*.toml']),
  { client: 'cursor', name: null, project: ['.cursorrules'] },
  rules('cursor', 'Cursor rules', ['.cursor/rules/**/*.mdc', '.cursor/rules/**/*.md']),
  named('cursor', 'sub-agent', markdown('.cursor/agents')),
  named('cursor', 'command', markdown('.cursor/commands')),
  { client: 'windsurf', name: null, project: ['.windsurfrules'] },
  {
    client: 'windsurf',
    name: 'Windsurf rules',
    user: markdown('.codeium/windsurf/memories', '.codeium/windsurf-next/memories'),
    project: markdown('.windsurf/rules'),
  },
  {
    client: 'windsurf',
    name: null,
    kind: 'command',
    user: markdown('.codeium/windsurf/global_workflows'),
    project: markdown('.windsurf/workflows'),
  },
  { client: 'cline', name: null, project: ['.clinerules'] },
  {
    client: 'cline',
    name: 'Cline rules',
    user: markdown('Documents/Cline/Rules', '.cline/rules'),
    project: [...markdown('.clinerules', '.cline/rules'), '.clinerules/**/*.txt'],
  },
  { client: 'cline', name: null, kind: 'command', user: markdown('Documents/Cline/Workflows') },
  { client: 'roo-code', name: null, project: ['.roorules', '.roorules-*', '.roomodes'] },
  rules(
    'roo-code',
    'Roo Code rules',
    ['.roo/rules', '.roo/rules-*'].flatMap((folder) => [
      `${folder}/**/*.md`,
      `${folder}/**/*.txt`,
      `${folder}/**/*.mdc`,
    ]),
  ),
  named('roo-code', 'command', markdown('.roo/commands')),
  { client: 'kilo-code', name: null, project: ['.kilocoderules', '.kilocodemodes'] },
  rules('kilo-code', 'Kilo Code rules', markdown('.kilocode/rules', '.kilocode/rules-*')),
  named('kilo-code', 'command', markdown('.kilocode/workflows', '.kilo/command', '.kilo/commands')),
  named('kilo-code', 'sub-agent', markdown('.kilo/agent', '.kilo/agents')),
  rules('kiro', 'Kiro steering', markdown('.kiro/steering')),
  {
    client: 'kiro',
    name: null,
    kind: 'sub-agent',
    user: markdown('.kiro/agents'),
    project: markdown('.kiro/agents'),
  },
  named('kiro', 'command', markdown('.kiro/prompts')),
  {
    client: 'amazon-q',
    name: 'Amazon Q rules',
    user: markdown('.aws/amazonq/rules'),
    project: markdown('.amazonq/rules'),
  },
  {
    client: 'amazon-q',
    name: null,
    kind: 'command',
    user: markdown('.aws/amazonq/prompts'),
    project: markdown('.amazonq/prompts'),
  },
  {
    client: 'copilot',
    name: null,
    user: ['.copilot/copilot-instructions.md', '.github/copilot-instructions.md'],
    project: ['.github/copilot-instructions.md'],
  },
  {
    client: 'copilot',
    name: 'Copilot instructions',
    user: ['{ED}/User/prompts/*.instructions.md', '.copilot/instructions/**/*.md'],
    project: ['.github/instructions/**/*.md'],
  },
  {
    client: 'copilot',
    name: null,
    kind: 'sub-agent',
    user: [
      ...markdown('.copilot/agents'),
      '{ED}/User/prompts/*.chatmode.md',
      '{ED}/User/prompts/*.agent.md',
    ],
    project: markdown('.github/agents', '.github/chatmodes'),
  },
  {
    client: 'copilot',
    name: null,
    kind: 'command',
    user: ['{ED}/User/prompts/*.prompt.md'],
    project: ['.github/prompts/**/*.prompt.md'],
  },
  {
    client: 'junie',
    name: 'Junie guidelines',
    user: ['.junie/guidelines.md', '.junie/AGENTS.md'],
    project: ['.junie/*.md', ...markdown('.junie/guidelines')],
  },
  named('junie', 'sub-agent', markdown('.junie/agents')),
  named('junie', 'command', markdown('.junie/commands')),
  rules('trae', 'Trae rules', ['.trae/*_rules.md', ...markdown('.trae/rules')]),
  { client: 'augment', name: null, project: ['.augment-guidelines'] },
  rules('augment', 'Augment rules', markdown('.augment/rules')),
  named('augment', 'sub-agent', markdown('.augment/agents')),
  named('augment', 'command', markdown('.augment/commands')),
  { client: 'continue', name: null, project: ['.continuerules'] },
  rules('continue', 'Continue rules', markdown('.continue/rules')),
  named('continue', 'command', [...markdown('.continue/prompts'), '.continue/prompts/*.prompt']),
  { client: 'zed', name: null, project: ['.rules'] },
  { client: 'opencode', name: null, user: ['.config/opencode/AGENTS.md'] },
  {
    client: 'opencode',
    name: null,
    kind: 'sub-agent',
    user: markdown('.config/opencode/agent', '.config/opencode/agents'),
    project: markdown('.opencode/agent', '.opencode/agents'),
  },
  {
    client: 'opencode',
    name: null,
    kind: 'command',
    user: markdown('.config/opencode/command', '.config/opencode/commands'),
    project: markdown('.opencode/command', '.opencode/commands'),
  },
  {
    client: 'goose',
    name: null,
    user: ['.config/goose/.goosehints'],
    project: ['.goosehints', '.goosehints.local'],
  },
  {
    client: 'crush',
    name: null,
    user: ['.config/crush/CRUSH.md'],
    project: ['CRUSH.md', 'CRUSH.local.md', 'crush.md'],
  },
  { client: 'warp', name: null, user: ['.warp/WARP.md'], project: ['WARP.md'] },
  {
    client: 'openhands',
    name: 'OpenHands microagents',
    user: markdown('.openhands/microagents'),
    project: [...markdown('.openhands/microagents'), '.openhands_instructions'],
  },
  { client: 'factory', name: null, user: ['.factory/AGENTS.md'] },
  rules('factory', 'Factory rules', markdown('.factory/rules')),
  named('factory', 'sub-agent', markdown('.factory/droids')),
  named('factory', 'command', markdown('.factory/commands')),
  {
    client: 'antigravity',
    name: 'Antigravity rules',
    project: markdown('.agent/rules', '.agents/rules'),
  },
  {
    client: 'antigravity',
    name: null,
    kind: 'command',
    user: markdown('.gemini/antigravity/global_workflows'),
    project: markdown('.agent/workflows', '.agents/workflows'),
  },
  named('agents', 'sub-agent', markdown('.agents/agents')),
  named('agents', 'command', markdown('.agents/commands')),
  rules('qoder', 'Qoder rules', markdown('.qoder/rules')),
  named('qoder', 'sub-agent', markdown('.qoder/agents')),
  named('qoder', 'command', markdown('.qoder/commands')),
  rules('lingma', 'Lingma rules', markdown('.lingma/rules')),
  {
    client: 'codebuddy',
    name: null,
    user: ['.codebuddy/CODEBUDDY.md'],
    project: ['CODEBUDDY.md', '.codebuddy/CODEBUDDY.md'],
  },
  rules('codebuddy', 'CodeBuddy rules', [
    ...markdown('.codebuddy/rules'),
    '.codebuddy/rules/**/*.mdc',
  ]),
  named('codebuddy', 'sub-agent', markdown('.codebuddy/agents')),
  named('codebuddy', 'command', markdown('.codebuddy/commands')),
  { client: 'iflow', name: null, user: ['.iflow/IFLOW.md'], project: ['IFLOW.md'] },
  named('iflow', 'sub-agent', markdown('.iflow/agents')),
  named('iflow', 'command', markdown('.iflow/commands')),
  rules('tabnine', 'Tabnine guidelines', markdown('.tabnine/guidelines')),
  { client: 'rovo-dev', name: null, user: ['.rovodev/AGENTS.md'], project: ['.rovodev/AGENTS.md'] },
  named('rovo-dev', 'sub-agent', markdown('.rovodev/subagents')),
  named('rovo-dev', 'command', markdown('.rovodev/prompts')),
  rules('zencoder', 'Zencoder rules', markdown('.zencoder/rules')),
  rules('bob', 'Bob rules', markdown('.bob/rules', '.bob/rules-*')),
  rules('devin', 'Devin rules', markdown('.devin/rules')),
  rules('firebender', 'Firebender rules', ['.firebender/rules/**/*.mdc']),
  { client: 'firebase-studio', name: null, project: ['.idx/airules.md'] },
  { client: 'replit', name: null, project: ['replit.md'] },
  { client: 'kode', name: null, kind: 'sub-agent', project: markdown('.kode/agents') },
  named('vibe', 'sub-agent', ['.vibe/agents/*.toml']),
  rules('vibe', 'Vibe prompts', markdown('.vibe/prompts')),
  {
    client: 'openclaw',
    name: 'OpenClaw workspace',
    user: ['.openclaw/workspace/*.md', '.openclaw/workspace-*/*.md'],
  },
  { client: 'hermes', name: null, user: ['.hermes/SOUL.md'], project: ['.hermes.md', 'HERMES.md'] },
  { client: 'pi', name: null, user: ['.pi/agent/AGENTS.md', '.pi/agent/SYSTEM.md'] },
  named('pi', 'command', markdown('.pi/prompts', '.pi/agent/prompts')),
  // Whatever client a plug-in is of.
  { client: null, name: null, kind: 'sub-agent', plugin: markdown('agents') },
  {
    client: null,
    name: null,
    kind: 'command',
    plugin: [...markdown('commands'), 'commands/**/*.toml'],
  },
  { client: 'gemini-cli', name: null, plugin: ['GEMINI.md'] },
  { client: 'qwen', name: null, plugin: ['QWEN.md'] },
  { client: 'kiro', name: null, plugin: ['POWER.md'] },
  { client: 'kiro', name: 'Kiro steering', plugin: markdown('steering') },
  { client: 'cursor', name: 'Cursor rules', plugin: ['rules/**/*.mdc', 'rules/**/*.md'] },
];
