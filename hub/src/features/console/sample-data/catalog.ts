// The products of the sample data: well-known applications, AI tools, MCP servers, extensions and packages, as agents of each
// platform report them. Data only.
import type { EntityKind, Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/** The installation of a product on a platform, as its source reports it. */
export interface SampleInstall {
  source: string;
  name: string;
  path: string;
  details?: Readonly<Record<string, unknown>>;
}

export interface SampleProduct {
  kind: EntityKind;
  publisher: string;
  versions: readonly string[];
  /** The share of devices of a platform that have the product, 0 to 1. */
  share: number;
  installs: Readonly<Partial<Record<Platform, SampleInstall>>>;
  /** The process runs, and appears in processes and enforcement events. */
  runs?: boolean;
}

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** A desktop application with its Debian package (null: none), bundle and Windows name. */
function desktopApp(
  [name, publisher, debian, bundle]: readonly [string, string, string | null, string],
  share: number,
  versions: readonly string[],
  kind: EntityKind = 'application',
): SampleProduct {
  return {
    kind,
    publisher,
    share,
    versions,
    runs: true,
    installs: {
      ...(debian === null
        ? {}
        : { linux: { source: 'dpkg', name: debian, path: `/usr/bin/${debian}` } }),
      darwin: {
        source: 'app_bundle',
        name,
        path: `/Applications/${name}.app/Contents/MacOS/${name}`,
        details: { bundle_id: bundle },
      },
      win32: {
        source: 'registry_uninstall',
        name,
        path: `C:\\Program Files\\${name}\\${slug(name)}.exe`,
      },
    },
  };
}

/** An AI assistant for the command line, the same on all platforms. */
function assistant(
  [name, publisher, binary, pkg]: readonly [string, string, string, string],
  share: number,
  versions: readonly string[],
): SampleProduct {
  const details = { binary, installed_by: 'npm', package: `npm:${pkg}` };
  const at = (path: string): SampleInstall => ({ source: 'ai_cli', name, path, details });
  return {
    kind: 'ai_tool',
    publisher,
    share,
    versions,
    runs: true,
    installs: {
      linux: at(`/usr/local/bin/${binary}`),
      darwin: at(`/opt/homebrew/bin/${binary}`),
      win32: at(`C:\\Users\\Public\\npm\\${binary}.cmd`),
    },
  };
}

/** An MCP server that a client starts from a package, pinned or not. */
function packagedServer(
  name: string,
  publisher: string,
  [runner, ...args]: readonly [string, ...string[]],
  share: number,
  more: Readonly<Record<string, unknown>> = {},
): SampleProduct {
  return server(name, publisher, share, { transport: 'stdio', command: runner, args, ...more });
}

/** An MCP server behind a URL. */
function remoteServer(
  name: string,
  publisher: string,
  url: string,
  share: number,
  more: Readonly<Record<string, unknown>> = {},
): SampleProduct {
  return server(name, publisher, share, { transport: 'http', url, ...more });
}

function server(
  name: string,
  publisher: string,
  share: number,
  configured: Readonly<Record<string, unknown>>,
): SampleProduct {
  const at = (client: string, path: string): SampleInstall => ({
    source: 'mcp_config',
    name,
    path,
    details: { configured: [{ client, scope: 'user', ...configured }] },
  });
  return {
    kind: 'mcp_server',
    publisher,
    share,
    versions: ['1.0.2', '1.1.0', '1.2.4'],
    installs: {
      linux: at('claude-code', '~/.claude.json'),
      darwin: at(
        'claude-desktop',
        '~/Library/Application Support/Claude/claude_desktop_config.json',
      ),
      win32: at('cursor', '~\\.cursor\\mcp.json'),
    },
  };
}

/** An extension of an editor or a browser, the same on all platforms. */
function extension(
  kind: 'ide_extension' | 'browser_extension',
  source: string,
  [name, publisher, id]: readonly [string, string, string],
  share: number,
): SampleProduct {
  const at = (path: string): SampleInstall => ({
    source,
    name,
    path,
    details: { extension_id: id },
  });
  return {
    kind,
    publisher,
    share,
    versions: ['1.102.0', '1.104.3', '1.106.1'],
    installs: {
      linux: at(`~/.config/${source}/${id}`),
      darwin: at(`~/Library/${source}/${id}`),
      win32: at(`~\\AppData\\${source}\\${id}`),
    },
  };
}

/** A package of a registry, the same on all platforms. */
function registryPackage(source: 'npm' | 'python', name: string, share: number): SampleProduct {
  const at = (path: string): SampleInstall => ({ source, name, path });
  return {
    kind: 'package',
    publisher: '',
    share,
    versions: ['2.1.0', '2.3.1', '3.0.0'],
    installs: {
      linux: at(`/usr/local/lib/${source}/${name}`),
      darwin: at(`/opt/homebrew/lib/${source}/${name}`),
      win32: at(`C:\\Program Files\\${source}\\${name}`),
    },
  };
}

const APPS: readonly SampleProduct[] = [
  desktopApp(['Google Chrome', 'Google', 'google-chrome-stable', 'com.google.Chrome'], 0.9, [
    '142.0.1',
    '143.0.2',
  ]),
  desktopApp(['Firefox', 'Mozilla', 'firefox', 'org.mozilla.firefox'], 0.4, ['144.0', '145.0.1']),
  desktopApp(['Visual Studio Code', 'Microsoft', 'code', 'com.microsoft.VSCode'], 0.7, [
    '1.104.0',
    '1.106.2',
  ]),
  desktopApp(['Slack', 'Slack Technologies', 'slack-desktop', 'com.tinyspeck.slackmacgap'], 0.8, [
    '4.46.101',
    '4.47.59',
  ]),
  desktopApp(['Zoom', 'Zoom', 'zoom', 'us.zoom.xos'], 0.7, ['6.5.7', '6.6.1']),
  desktopApp(['Docker Desktop', 'Docker', 'docker-desktop', 'com.docker.docker'], 0.35, [
    '4.48.0',
    '4.50.0',
  ]),
  desktopApp(['Obsidian', 'Obsidian', 'obsidian', 'md.obsidian'], 0.15, ['1.9.14', '1.10.3']),
  desktopApp(['1Password', 'AgileBits', '1password', 'com.1password.1password'], 0.75, [
    '8.11.18',
    '8.11.22',
  ]),
  desktopApp(['AnyDesk', 'AnyDesk Software', 'anydesk', 'com.philandro.anydesk'], 0.06, ['9.6.1']),
  desktopApp(['uTorrent', 'Rainberry', null, 'com.bittorrent.uTorrent'], 0.04, ['3.6.0']),
  desktopApp(
    ['Claude', 'Anthropic', null, 'com.anthropic.claudefordesktop'],
    0.45,
    ['1.0.211', '1.0.332'],
    'ai_tool',
  ),
  desktopApp(
    ['ChatGPT', 'OpenAI', null, 'com.openai.chat'],
    0.4,
    ['1.2025.280', '1.2025.301'],
    'ai_tool',
  ),
  desktopApp(
    ['Cursor', 'Anysphere', 'cursor', 'com.todesktop.230313mzl4w4u92'],
    0.35,
    ['2.0.43', '2.1.17'],
    'ai_tool',
  ),
  desktopApp(
    ['Windsurf', 'Cognition', 'windsurf', 'com.exafunction.windsurf'],
    0.12,
    ['1.12.27'],
    'ai_tool',
  ),
  desktopApp(
    ['LM Studio', 'Element Labs', null, 'ai.elementlabs.lmstudio'],
    0.1,
    ['0.3.31'],
    'ai_tool',
  ),
  desktopApp(
    ['Ollama', 'Ollama', null, 'com.electron.ollama'],
    0.14,
    ['0.12.9', '0.13.0'],
    'ai_tool',
  ),
];

const ASSISTANTS: readonly SampleProduct[] = [
  assistant(['Claude Code', 'Anthropic', 'claude', '@anthropic-ai/claude-code'], 0.5, [
    '2.0.36',
    '2.0.50',
    '2.0.55',
  ]),
  assistant(['Codex CLI', 'OpenAI', 'codex', '@openai/codex'], 0.25, ['0.58.0', '0.63.0']),
  assistant(['Gemini CLI', 'Google', 'gemini', '@google/gemini-cli'], 0.18, ['0.15.3', '0.18.0']),
  assistant(['OpenCode', 'SST', 'opencode', 'opencode-ai'], 0.1, ['1.0.80']),
  assistant(['Qwen Code', 'Alibaba', 'qwen', '@qwen-code/qwen-code'], 0.06, ['0.2.1']),
];

const SERVERS: readonly SampleProduct[] = [
  packagedServer(
    '@modelcontextprotocol/server-filesystem',
    'Model Context Protocol',
    ['npx', '-y', '@modelcontextprotocol/server-filesystem'],
    0.35,
    { unpinned: true },
  ),
  packagedServer('@playwright/mcp', 'Microsoft', ['npx', '@playwright/mcp@latest'], 0.3, {
    unpinned: true,
  }),
  packagedServer(
    '@modelcontextprotocol/server-memory',
    'Model Context Protocol',
    ['npx', '-y', '@modelcontextprotocol/server-memory@2025.9.25'],
    0.15,
  ),
  packagedServer('mcp-server-fetch', 'Model Context Protocol', ['uvx', 'mcp-server-fetch'], 0.2, {
    unpinned: true,
  }),
  packagedServer('mcp-server-git', 'Model Context Protocol', ['uvx', 'mcp-server-git'], 0.18),
  packagedServer('@upstash/context7-mcp', 'Upstash', ['npx', '-y', '@upstash/context7-mcp'], 0.22, {
    unpinned: true,
  }),
  packagedServer(
    '@modelcontextprotocol/server-postgres',
    'Model Context Protocol',
    ['npx', '-y', '@modelcontextprotocol/server-postgres'],
    0.1,
    { env: ['DATABASE_URL'], unpinned: true },
  ),
  packagedServer(
    '@wonderwhy-er/desktop-commander',
    'Desktop Commander',
    ['npx', '-y', '@wonderwhy-er/desktop-commander'],
    0.05,
    { unpinned: true },
  ),
  remoteServer('mcp.linear.app/mcp', 'Linear', 'https://mcp.linear.app/mcp', 0.2),
  remoteServer('mcp.notion.com/mcp', 'Notion Labs', 'https://mcp.notion.com/mcp', 0.15),
  remoteServer('api.githubcopilot.com/mcp', 'GitHub', 'https://api.githubcopilot.com/mcp/', 0.25, {
    headers: ['Authorization'],
  }),
  remoteServer('mcp.sentry.dev/mcp', 'Sentry', 'https://mcp.sentry.dev/mcp', 0.12),
];

const EXTENSIONS: readonly SampleProduct[] = [
  extension('ide_extension', 'vscode', ['GitHub Copilot', 'GitHub', 'github.copilot'], 0.45),
  extension('ide_extension', 'vscode', ['Continue', 'Continue', 'continue.continue'], 0.08),
  extension('ide_extension', 'vscode', ['Cline', 'Cline', 'saoudrizwan.claude-dev'], 0.1),
  extension('ide_extension', 'vscode', ['Python', 'Microsoft', 'ms-python.python'], 0.5),
  extension('ide_extension', 'vscode', ['ESLint', 'Microsoft', 'dbaeumer.vscode-eslint'], 0.4),
  extension(
    'browser_extension',
    'chrome',
    ['uBlock Origin Lite', 'Raymond Hill', 'ddkjiahejlhfcafbddmgiahcphecmpfh'],
    0.4,
  ),
  extension(
    'browser_extension',
    'chrome',
    ['Grammarly', 'Grammarly', 'kbfnbcaeplbcioakkpcpgfkobkghlhen'],
    0.3,
  ),
  extension(
    'browser_extension',
    'chrome',
    ['Monica', 'Butterfly Effect', 'ofpnmcalabcbjgholdjcjblkibolbppb'],
    0.08,
  ),
];

const NPM = ['typescript', 'pnpm', 'eslint', 'prettier', 'vercel', 'serverless', 'nodemon', 'tsx'];
const PYTHON = [
  'requests',
  'numpy',
  'pandas',
  'openai',
  'anthropic',
  'langchain',
  'torch',
  'boto3',
];

/** All products of the sample data. */
export const SAMPLE_PRODUCTS: readonly SampleProduct[] = [
  ...[...APPS, ...ASSISTANTS, ...SERVERS, ...EXTENSIONS],
  ...NPM.map((name, i) => registryPackage('npm', name, 0.5 - i * 0.05)),
  ...PYTHON.map((name, i) => registryPackage('python', name, 0.45 - i * 0.05)),
];

/** Policies of the sample: the names of products by step of the scale. */
export const SAMPLE_POLICIES = [
  {
    step: ['approved', 'allow'],
    names: ['Google Chrome', 'Slack', 'Zoom Workplace', '1Password', 'Claude Code'],
  },
  { step: ['approved', 'allow'], names: ['Visual Studio Code', 'GitHub Copilot', 'Linear'] },
  { step: ['restricted', 'warn'], names: ['ChatGPT', 'Ollama', 'Grammarly'] },
  { step: ['blocked', 'block'], names: ['uTorrent', 'AnyDesk', 'Qwen Code', 'Desktop Commander'] },
] as const;

export const FIRST_NAMES = [
  ...['Ada', 'Alan', 'Amara', 'Ana', 'Chen', 'Claire', 'Diego', 'Elena', 'Emil', 'Fatima'],
  ...['Grace', 'Hana', 'Henrik', 'Ines', 'Ivan', 'Jamal', 'Jonas', 'Katya', 'Leila', 'Linus'],
  ...['Maya', 'Mei', 'Nadia', 'Noah', 'Olga', 'Pedro', 'Priya', 'Sofia', 'Tomas', 'Yuki'],
] as const;
export const LAST_NAMES = [
  ...['Adler', 'Bauer', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Haddad', 'Ito', 'Jensen'],
  ...['Kim', 'Larsen', 'Moreau', 'Novak', 'Okafor', 'Patel', 'Quinn', 'Rossi', 'Silva', 'Tanaka'],
] as const;

/** Models with their provider, price in dollars per million tokens, and share of the requests. */
export const SAMPLE_MODELS: readonly {
  provider: string;
  type: string;
  settings?: Readonly<Record<string, string>>;
  model: string;
  input: number;
  output: number;
  weight: number;
}[] = [
  { provider: 'OpenAI', type: 'vendorA', model: 'gpt-5-mini', input: 0.25, output: 2, weight: 5 },
  { provider: 'OpenAI', type: 'vendorA', model: 'gpt-5', input: 1.25, output: 10, weight: 3 },
  {
    provider: 'Anthropic',
    type: 'vendorC',
    model: 'claude-sonnet-4-5',
    input: 3,
    output: 15,
    weight: 4,
  },
  {
    provider: 'Anthropic',
    type: 'vendorC',
    model: 'claude-haiku-4-5',
    input: 1,
    output: 5,
    weight: 3,
  },
  {
    provider: 'Google',
    type: 'vendorE_ai',
    settings: {
      auth_type: 'express',
      vendorE_project_id: 'sample-project',
      vendorE_region: 'europe-west4',
    },
    model: 'gemini-2.5-flash',
    input: 0.3,
    output: 2.5,
    weight: 2,
  },
];

export const SAMPLE_APPS = [
  'support-assistant',
  'code-review',
  'sales-drafts',
  'document-search',
] as const;

/** The guardrails of each app. */
export const SAMPLE_DETECTION = {
  enabled_categories: { secrets: true, pii: true, prompt_injection: true },
  category_actions: { secrets: 'redact', pii: 'partial-redact', prompt_injection: 'block' },
} as const;

/** A rule that all tool calls meet. */
export const SAMPLE_CALL_RULE = {
  name: 'No credentials in tool calls',
  definition: { kind: 'guardrail', direction: 'input', action: 'block', detectors: ['secrets'] },
} as const;

/** Published MCP servers with their tools. */
export const SAMPLE_SERVERS = [
  {
    slug: 'linear',
    name: 'Linear',
    url: 'https://mcp.linear.app/mcp',
    tools: ['list_issues', 'create_issue', 'get_issue'],
  },
  {
    slug: 'notion',
    name: 'Notion',
    url: 'https://mcp.notion.com/mcp',
    tools: ['search', 'fetch', 'create_pages'],
  },
  {
    slug: 'sentry',
    name: 'Sentry',
    url: 'https://mcp.sentry.dev/mcp',
    tools: ['search_issues', 'get_issue_details'],
  },
] as const;

/** User groups; each user is in one of them. */
export const SAMPLE_USER_GROUPS = ['Engineering', 'Design', 'Sales'] as const;
