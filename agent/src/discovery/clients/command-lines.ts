// Command-line assistants: a new assistant is a new row.

export interface Assistant {
  binary: string;
  name: string;
  publisher: string | null;
  /** The packages that own it, as `npm:`, `pypi:`, `brew:` or `system:` with the package's name. */
  packages?: readonly string[];
  /**
   * The name is a common word: it counts only with evidence, which is an owning package, a real path that fits, or a mark
   * of its installer.
   */
  common?: {
    /** Patterns that the real path must match. */
    path?: RegExp;
    /** Folders below a home, created by the installer or by the program itself. */
    marks?: readonly string[];
    /** Programs that its installer puts beside it. */
    beside?: readonly string[];
  };
}

export const ASSISTANTS: readonly Assistant[] = [
  {
    ...{ binary: 'claude', name: 'Claude Code', publisher: 'Anthropic' },
    packages: ['npm:@anthropic-ai/claude-code', 'brew:claude-code'],
  },
  {
    ...{ binary: 'gemini', name: 'Gemini CLI', publisher: 'Google' },
    packages: ['npm:@google/gemini-cli', 'brew:gemini-cli'],
  },
  {
    ...{ binary: 'codex', name: 'Codex CLI', publisher: 'OpenAI' },
    packages: ['npm:@openai/codex', 'brew:codex'],
  },
  {
    ...{ binary: 'aider', name: 'aider', publisher: null },
    packages: ['pypi:aider-chat', 'brew:aider'],
  },
  {
    ...{ binary: 'goose', name: 'Goose', publisher: 'Block' },
    packages: ['brew:block-goose-cli'],
  },
  {
    ...{ binary: 'opencode', name: 'opencode', publisher: null },
    packages: ['npm:opencode-ai', 'brew:opencode'],
  },
  { ...{ binary: 'cline', name: 'Cline CLI', publisher: 'Cline' }, packages: ['npm:cline'] },
  {
    ...{ binary: 'cn', name: 'Continue CLI', publisher: 'Continue' },
    packages: ['npm:@continuedev/cli'],
    common: { path: /continuedev/ },
  },
  { binary: 'cursor-agent', name: 'Cursor CLI', publisher: 'Anysphere' },
  {
    ...{ binary: 'agent', name: 'Cursor CLI', publisher: 'Anysphere' },
    common: { path: /cursor-agent/, beside: ['cursor-agent'] },
  },
  {
    ...{ binary: 'q', name: 'Amazon Q CLI', publisher: 'Amazon' },
    packages: ['brew:amazon-q', 'system:amazon-q'],
    common: {
      path: /amazon|\/q\/|kiro/i,
      marks: ['.local/share/amazon-q', '.aws/amazonq', 'Library/Application Support/amazon-q'],
      beside: ['qterm', 'qchat'],
    },
  },
  {
    ...{ binary: 'qchat', name: 'Amazon Q CLI', publisher: 'Amazon' },
    common: { path: /amazon|kiro/i, beside: ['q', 'qterm'] },
  },
  { binary: 'kiro', name: 'Kiro', publisher: 'Amazon' },
  { ...{ binary: 'kiro-cli', name: 'Kiro CLI', publisher: 'Amazon' }, packages: ['brew:kiro-cli'] },
  {
    ...{ binary: 'grok', name: 'Grok CLI', publisher: null },
    packages: ['npm:@vibe-kit/grok-cli', 'npm:@xai-official/grok'],
  },
  {
    ...{ binary: 'copilot', name: 'GitHub Copilot CLI', publisher: 'GitHub' },
    packages: ['npm:@github/copilot', 'brew:copilot-cli'],
  },
  {
    ...{ binary: 'amp', name: 'Amp', publisher: 'Sourcegraph' },
    packages: ['npm:@sourcegraph/amp', 'npm:@ampcode/cli', 'brew:ampcode'],
    common: {
      path: /sourcegraph|ampcode|\/\.?amp\/(bin|versions|package)/,
      marks: ['.config/amp', '.local/share/amp', '.amp'],
    },
  },
  {
    ...{ binary: 'droid', name: 'Factory Droid', publisher: 'Factory' },
    packages: ['npm:droid', 'npm:@factory/cli', 'brew:droid'],
    common: { path: /factory|\/droid\/(bin|versions)/i, marks: ['.factory'] },
  },
  {
    ...{ binary: 'qwen', name: 'Qwen Code', publisher: 'Alibaba' },
    packages: ['npm:@qwen-code/qwen-code', 'brew:qwen-code'],
  },
  {
    ...{ binary: 'crush', name: 'Crush', publisher: 'Charm' },
    packages: ['npm:@charmland/crush', 'brew:crush', 'system:crush'],
    common: {
      path: /charm/i,
      marks: ['.config/crush', '.local/share/crush', 'AppData/Local/crush'],
    },
  },
  {
    ...{ binary: 'auggie', name: 'Auggie CLI', publisher: 'Augment Code' },
    packages: ['npm:@augmentcode/auggie'],
  },
  {
    ...{ binary: 'kimi', name: 'Kimi CLI', publisher: 'Moonshot AI' },
    packages: ['pypi:kimi-cli', 'npm:@moonshot-ai/kimi-code'],
  },
  {
    ...{ binary: 'pi', name: 'Pi', publisher: null },
    packages: ['npm:@mariozechner/pi-coding-agent', 'npm:@earendil-works/pi-coding-agent'],
    common: { path: /pi-coding-agent|pi-mono/, marks: ['.pi'] },
  },
  { ...{ binary: 'openclaw', name: 'OpenClaw', publisher: null }, packages: ['npm:openclaw'] },
  { ...{ binary: 'clawdbot', name: 'OpenClaw', publisher: null }, packages: ['npm:clawdbot'] },
  {
    ...{ binary: 'hermes', name: 'Hermes Agent', publisher: 'Nous Research' },
    packages: ['pypi:hermes-agent'],
    common: { path: /hermes-agent/, marks: ['.hermes/hermes-agent', '.hermes/config.yaml'] },
  },
  {
    ...{ binary: 'junie', name: 'Junie CLI', publisher: 'JetBrains' },
    packages: ['npm:@jetbrains/junie-cli', 'npm:@jetbrains/junie'],
  },
  {
    ...{ binary: 'openhands', name: 'OpenHands', publisher: 'All Hands AI' },
    packages: ['pypi:openhands', 'pypi:openhands-ai'],
  },
  {
    ...{ binary: 'llm', name: 'llm', publisher: null },
    packages: ['pypi:llm', 'brew:llm'],
    common: { path: /io\.datasette/, marks: ['.config/io.datasette.llm'] },
  },
  {
    ...{ binary: 'codebuddy', name: 'CodeBuddy Code', publisher: 'Tencent' },
    packages: ['npm:@tencent-ai/codebuddy-code'],
  },
  {
    ...{ binary: 'agy', name: 'Antigravity CLI', publisher: 'Google' },
    common: {
      path: /antigravity/i,
      marks: ['.gemini/antigravity-cli', '.antigravity', '.gemini/antigravity'],
      beside: ['antigravity'],
    },
  },
  { binary: 'antigravity', name: 'Antigravity', publisher: 'Google' },
  {
    ...{ binary: 'warp', name: 'Warp', publisher: 'Warp' },
    packages: ['brew:warp', 'system:warp-terminal'],
    common: {
      path: /warp-?(terminal|dotdev|cli)|dev\.warp|\/Warp\.app\//i,
      marks: ['.warp', '.local/share/warp-terminal', '.config/warp-terminal'],
      beside: ['warp-terminal', 'warp-cli'],
    },
  },
  {
    ...{ binary: 'warp-terminal', name: 'Warp', publisher: 'Warp' },
    packages: ['system:warp-terminal'],
  },
  { ...{ binary: 'oz', name: 'Oz CLI', publisher: 'Warp' }, common: { path: /warp/i } },
  { binary: 'warp-cli-agent', name: 'Warp', publisher: 'Warp' },
  {
    ...{ binary: 'vibe', name: 'Mistral Vibe', publisher: 'Mistral AI' },
    packages: ['pypi:mistral-vibe'],
    common: { marks: ['.vibe'] },
  },
  {
    ...{ binary: 'iflow', name: 'iFlow CLI', publisher: 'iFlow' },
    packages: ['npm:@iflow-ai/iflow-cli'],
  },
  {
    ...{ binary: 'qodercli', name: 'Qoder CLI', publisher: 'Qoder' },
    packages: ['npm:@qoder-ai/qodercli'],
  },
  {
    ...{ binary: 'kilocode', name: 'Kilo Code CLI', publisher: 'Kilo Code' },
    packages: ['npm:@kilocode/cli'],
  },
  {
    ...{ binary: 'kilo', name: 'Kilo Code CLI', publisher: 'Kilo Code' },
    packages: ['npm:@kilocode/cli'],
    common: { path: /kilocode/, marks: ['.kilocode/cli', '.config/kilo'] },
  },
  {
    ...{ binary: 'devin', name: 'Devin for Terminal', publisher: 'Cognition' },
    common: { path: /cognition|devin\/(bin|versions|cli)/, marks: ['.config/devin', '.devin'] },
  },
  {
    ...{ binary: 'forge', name: 'ForgeCode', publisher: 'Antinomy' },
    packages: ['npm:forgecode', 'npm:@antinomyhq/forge'],
    common: { path: /forgecode|antinomy/, marks: ['.forge/.config.json', 'forge/.config.json'] },
  },
  { ...{ binary: 'rovodev', name: 'Rovo Dev CLI', publisher: 'Atlassian' } },
  {
    ...{ binary: 'acli', name: 'Atlassian CLI (Rovo Dev)', publisher: 'Atlassian' },
    packages: ['brew:acli', 'system:acli'],
  },
  {
    ...{ binary: 'plandex', name: 'Plandex', publisher: null },
  },
  {
    ...{ binary: 'mods', name: 'Mods', publisher: 'Charm' },
    packages: ['brew:mods', 'system:mods'],
    common: { path: /charm/i, marks: ['.config/mods'] },
  },
  {
    ...{ binary: 'fabric', name: 'Fabric', publisher: null },
    common: { marks: ['.config/fabric'] },
  },
  { ...{ binary: 'sgpt', name: 'ShellGPT', publisher: null }, packages: ['pypi:shell-gpt'] },
  {
    ...{ binary: 'interpreter', name: 'Open Interpreter', publisher: null },
    packages: ['pypi:open-interpreter'],
    common: {},
  },
  { ...{ binary: 'gptme', name: 'gptme', publisher: null }, packages: ['pypi:gptme'] },
  { ...{ binary: 'swe-agent', name: 'SWE-agent', publisher: null }, packages: ['pypi:sweagent'] },
  {
    ...{ binary: 'mini', name: 'mini-swe-agent', publisher: null },
    packages: ['pypi:mini-swe-agent'],
    common: { path: /mini-swe-agent/ },
  },
  { ...{ binary: 'tabnine', name: 'Tabnine CLI', publisher: 'Tabnine' } },
  { ...{ binary: 'zencoder', name: 'Zencoder CLI', publisher: 'Zencoder' } },
  {
    ...{ binary: 'cortex', name: 'Cortex Code', publisher: 'Snowflake' },
    common: { path: /snowflake/, marks: ['.snowflake/cortex'] },
  },
  {
    ...{ binary: 'command-code', name: 'Command Code', publisher: null },
    packages: ['npm:command-code'],
  },
  { ...{ binary: 'autohand', name: 'Autohand Code CLI', publisher: 'Autohand' } },
  {
    ...{ binary: 'deepagents', name: 'Deep Agents', publisher: 'LangChain' },
    packages: ['pypi:deepagents-cli'],
  },
  {
    ...{ binary: 'nanocoder', name: 'Nanocoder', publisher: null },
    packages: ['npm:@nanocollective/nanocoder'],
  },
  {
    ...{ binary: 'letta', name: 'Letta Code', publisher: 'Letta' },
    packages: ['npm:@letta-ai/letta-code'],
  },
  { ...{ binary: 'mcporter', name: 'mcporter', publisher: null }, packages: ['npm:mcporter'] },
  { ...{ binary: 'coderabbit', name: 'CodeRabbit CLI', publisher: 'CodeRabbit' } },
  {
    ...{ binary: 'lms', name: 'LM Studio CLI', publisher: 'LM Studio' },
    common: { path: /lm-?studio/i, marks: ['.lmstudio'] },
  },
];

/** Folders of programs for all people of a machine. */
export const MACHINE_BINS: readonly string[] = [
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/usr/bin',
  '/snap/bin',
  '/opt/*/bin',
];

/** Folders in which installers put programs below a home; patterns for a folder of each version. */
export const HOME_BINS: readonly string[] = [
  '.local/bin',
  'bin',
  '.bin',
  '.bun/bin',
  '.cargo/bin',
  '.deno/bin',
  '.opencode/bin',
  '.npm-global/bin',
  '.npm-packages/bin',
  'go/bin',
  '.grok/bin',
  '.claude/local',
  '.amp/bin',
  '.factory/bin',
  '.kimi/bin',
  '.kiro/bin',
  '.cursor/bin',
  '.codeium/windsurf/bin',
  '.antigravity/antigravity/bin',
  '.lmstudio/bin',
  '.volta/bin',
  '.yarn/bin',
  '.config/yarn/global/node_modules/.bin',
  '.pixi/bin',
  '.pyenv/shims',
  '.asdf/shims',
  '.nodenv/shims',
  '{XD}/mise/shims',
  '{XD}/pnpm',
  '{XD}/pnpm/bin',
  'Library/pnpm',
  'Library/pnpm/bin',
  '{L}/pnpm',
  '{L}/pnpm/bin',
  '{L}/Volta/bin',
  '{L}/Microsoft/WinGet/Links',
  'scoop/shims',
  '{A}/npm',
  'n/bin',
  '.n/bin',
  '.nvm/versions/node/*/bin',
  '{XC}/nvm/versions/node/*/bin',
  '{XD}/nvm/*/bin',
  '{XD}/fnm/node-versions/*/installation/bin',
  '.fnm/node-versions/*/installation/bin',
  '{AS}/fnm/node-versions/*/installation/bin',
  '{XD}/mise/installs/*/*/bin',
  '.asdf/installs/nodejs/*/bin',
  '.nodenv/versions/*/bin',
  '.pyenv/versions/*/bin',
  'Library/Python/*/bin',
];
