// Folders in which clients read skills: a SKILL.md each, up to three folders deep.
import type { ClientLocations } from './table-types.ts';

export interface SkillFolders extends ClientLocations {
  /** They ship with the client. */
  builtIn?: true;
}

/** The same folder name below a home and below a project. */
const both = (client: string, folder: string): SkillFolders => ({
  client,
  user: [`${folder}/skills`],
  project: [`${folder}/skills`],
});

/** A new location is a new row. The first table in the README of vercel-labs/skills is the source of most. */
export const SKILL_FOLDERS: readonly SkillFolders[] = [
  // These rows precede those of the folders around them: a skill is reported once.
  { client: 'codex', user: ['.codex/skills/.system'], builtIn: true },
  { client: 'cursor', user: ['.cursor/skills-cursor'], builtIn: true },
  // Several clients read these.
  {
    client: 'agents',
    user: ['.agents/skills', '.config/agents/skills'],
    project: ['.agents/skills', '.agent/skills'],
  },
  {
    ...both('claude-code', '.claude'),
    system: {
      linux: ['/etc/claude-code/.claude/skills'],
      darwin: ['/Library/Application Support/ClaudeCode/.claude/skills'],
      win32: ['/Program Files/ClaudeCode/.claude/skills'],
    },
  },
  both('cursor', '.cursor'),
  {
    ...both('codex', '.codex'),
    system: {
      linux: ['/etc/codex/skills'],
      darwin: ['/etc/codex/skills'],
      win32: ['/ProgramData/OpenAI/Codex/skills'],
    },
  },
  { client: 'copilot', user: ['.copilot/skills'], project: ['.github/skills'] },
  {
    client: 'gemini-cli',
    user: ['.gemini/skills'],
    project: ['.gemini/skills'],
  },
  {
    client: 'antigravity',
    user: [
      '.gemini/antigravity/skills',
      '.gemini/antigravity-cli/skills',
      '.gemini/config/skills',
      '.antigravity/skills',
    ],
    project: ['.antigravity/skills'],
  },
  {
    client: 'windsurf',
    user: ['.codeium/windsurf/skills', '.codeium/windsurf-next/skills', '.windsurf/skills'],
    project: ['.windsurf/skills'],
  },
  {
    client: 'openclaw',
    user: [
      ...['.openclaw', '.clawdbot', '.moltbot'].flatMap((folder) => [
        `${folder}/skills`,
        `${folder}/workspace/skills`,
      ]),
    ],
    project: ['skills', '.openclaw/skills'],
  },
  { client: 'amp', user: ['.config/amp/skills'], project: ['.amp/skills'] },
  {
    client: 'opencode',
    user: ['.config/opencode/skills', '.config/opencode/skill', '.opencode/skills'],
    project: ['.opencode/skills', '.opencode/skill'],
  },
  { client: 'goose', user: ['.config/goose/skills'], project: ['.goose/skills'] },
  {
    client: 'crush',
    user: ['.config/crush/skills', '{L}/crush/skills'],
    project: ['.crush/skills'],
  },
  {
    client: 'cortex',
    user: ['.snowflake/cortex/skills'],
    project: ['.cortex/skills', '.snowflake/cortex/skills'],
  },
  { client: 'devin', user: ['.config/devin/skills', '.devin/skills'], project: ['.devin/skills'] },
  { client: 'deepagents', user: ['.deepagents/agent/skills'] },
  {
    client: 'kimchi',
    user: ['.config/kimchi/harness/skills', '.kimchi/skills'],
    project: ['.kimchi/skills'],
  },
  { client: 'kimi', user: ['.kimi/skills', '.kimi-code/skills'], project: ['.kimi/skills'] },
  { client: 'pi', user: ['.pi/agent/skills', '.pi/skills'], project: ['.pi/skills'] },
  {
    client: 'posit-assistant',
    user: ['.posit/assistant/skills', '.positai/skills'],
    project: ['.posit/assistant/skills'],
  },
  { client: 'qoder', user: ['.qoder-cn/skills'] },
  {
    client: 'tabnine',
    user: ['.tabnine/agent/skills'],
    project: ['.tabnine/agent/skills'],
  },
  { client: 'trae', user: ['.trae-cn/skills'] },
  { client: 'astrbot', user: ['.astrbot/data/skills'], project: ['data/skills'] },
  { client: 'eve', project: ['agent/skills'] },
  {
    client: 'kilo-code',
    user: ['.kilo/skills', '.kilocode/skills'],
    project: ['.kilo/skills', '.kilocode/skills'],
  },
  both('aider-desk', '.aider-desk'),
  both('autohand', '.autohand'),
  both('augment', '.augment'),
  both('bob', '.bob'),
  both('cline', '.cline'),
  both('codearts', '.codeartsdoer'),
  both('codebuddy', '.codebuddy'),
  both('codemaker', '.codemaker'),
  both('codestudio', '.codestudio'),
  both('codewhale', '.codewhale'),
  both('command-code', '.commandcode'),
  both('continue', '.continue'),
  both('dexto', '.dexto'),
  both('factory', '.factory'),
  both('firebender', '.firebender'),
  both('forgecode', '.forge'),
  both('fx', '.fx'),
  both('grok', '.grok'),
  both('hermes', '.hermes'),
  both('iflow', '.iflow'),
  both('inference-sh', '.inferencesh'),
  both('jazz', '.jazz'),
  both('junie', '.junie'),
  both('kiro', '.kiro'),
  both('kode', '.kode'),
  both('lingma', '.lingma'),
  both('mcpjam', '.mcpjam'),
  both('minimax', '.minimax'),
  both('vibe', '.vibe'),
  both('moxby', '.moxby'),
  both('mux', '.mux'),
  both('neovate', '.neovate'),
  both('ona', '.ona'),
  both('openhands', '.openhands'),
  both('pochi', '.pochi'),
  both('adal', '.adal'),
  both('qoder', '.qoder'),
  both('qwen', '.qwen'),
  both('reasonix', '.reasonix'),
  both('roo-code', '.roo'),
  both('rovo-dev', '.rovodev'),
  both('terramind', '.terramind'),
  both('tinycloud', '.tinycloud'),
  both('trae', '.trae'),
  both('zcode', '.zcode'),
  both('zencoder', '.zencoder'),
  // Whatever client a plug-in is of.
  { client: null, plugin: ['skills', 'SKILL.md'] },
];
