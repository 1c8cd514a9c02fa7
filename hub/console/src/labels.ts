// Labels of wire values that agents and gateways report: sources, clients, scopes, states and outcomes.
import { nameInWords } from './gateway/schema-fields.ts';

type Labels = Readonly<Record<string, string>>;

const SOURCES: Labels = {
  agent_hook: 'Agent hook',
  ai_cli: 'AI command-line tool',
  ai_permissions: 'AI tool permissions',
  apk: 'Alpine package',
  app_bundle: 'macOS app',
  app_image: 'AppImage',
  appimage: 'AppImage',
  appx: 'Microsoft Store app',
  brave: 'Brave extension',
  chrome: 'Chrome extension',
  chromium: 'Chromium extension',
  claude_extension: 'Claude Desktop extension',
  desktop_entry: 'Linux desktop app',
  dpkg: 'Debian package',
  edge: 'Edge extension',
  firefox: 'Firefox add-on',
  flatpak: 'Flatpak app',
  homebrew: 'Homebrew package',
  instruction_file: 'AI instruction file',
  jetbrains: 'JetBrains plugin',
  mcp_config: 'MCP client configuration',
  model_server: 'Local model server',
  model_store: 'Local AI model',
  nix: 'Nix package',
  npm: 'npm package',
  opera: 'Opera extension',
  pacman: 'Arch Linux package',
  pixi: 'Pixi package',
  python: 'Python package',
  registry_uninstall: 'Windows installed program',
  rpm: 'RPM package',
  runtime: 'Runtime environment',
  safari: 'Safari extension',
  skill: 'AI skill',
  snap: 'Snap package',
  thunderbird: 'Thunderbird add-on',
  vivaldi: 'Vivaldi extension',
  vscode: 'Visual Studio Code extension',
  zed: 'Zed extension',
};

const CLIENTS: Labels = {
  'amazon-q': 'Amazon Q',
  anythingllm: 'AnythingLLM',
  astrbot: 'AstrBot',
  boltai: 'BoltAI',
  'claude-code': 'Claude Code',
  'claude-desktop': 'Claude Desktop',
  codebuddy: 'CodeBuddy',
  copilot: 'GitHub Copilot',
  'copilot-cli': 'GitHub Copilot CLI',
  'copilot-jetbrains': 'GitHub Copilot for JetBrains',
  'copilot-xcode': 'GitHub Copilot for Xcode',
  deepagents: 'Deep Agents',
  'gemini-cli': 'Gemini CLI',
  iflow: 'iFlow',
  librechat: 'LibreChat',
  llm: 'LLM CLI',
  'lm-studio': 'LM Studio',
  mcphost: 'MCPHost',
  mcphub: 'MCPHub',
  mcporter: 'MCPorter',
  openclaw: 'OpenClaw',
  opencode: 'OpenCode',
  openhands: 'OpenHands',
  'openvscode-server': 'OpenVSCode Server',
  pearai: 'PearAI',
  qwen: 'Qwen Code',
  'visual-studio': 'Visual Studio',
  vscode: 'Visual Studio Code',
  vscodium: 'VSCodium',
};

const SCOPES: Labels = {
  user: 'User settings',
  project: 'Project settings',
  local: 'Local settings',
  system: 'System settings',
  plugin: 'Plugin',
};

const TRANSPORTS: Labels = { stdio: 'Local (stdio)', http: 'Remote (HTTP)', sse: 'Remote (SSE)' };

/** Returns words for an identifier without a label: `lm_studio_next` reads "Lm studio next". */
const labelIn =
  (labels: Labels) =>
  (value: string): string =>
    Object.hasOwn(labels, value)
      ? (labels[value] as string)
      : nameInWords(value.replaceAll('-', '_'));

/** Returns the label of a discovery source, such as "Debian package" for `dpkg`. */
export const sourceLabel = labelIn(SOURCES);
/** Returns the name of an MCP client, such as "Claude Desktop" for `claude-desktop`. */
export const clientLabel = labelIn(CLIENTS);
/** Returns the label of the settings that name an MCP server. */
export const scopeLabel = labelIn(SCOPES);
/** Returns the label of an MCP transport. */
export const transportLabel = labelIn(TRANSPORTS);
/** Returns the label of a state or an outcome that a device reports: `not_installed` reads "Not installed". */
export const stateLabel = labelIn({});
