// Editors of the VS Code family: a row covers settings, MCP files, extensions and the remote server of an editor.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

export interface CodeEditor {
  client: string;
  /** The folder of its settings within the platform's folder of application settings. */
  settings: string;
  /** The folder below a home that contains `extensions`. */
  folder: string;
  /** The folder below a home that the far side of a remote session uses. */
  server?: string;
  /** The application id on Flathub, with the folders of its settings and its data. */
  flatpak?: { id: string; settings: string; data: string };
  /** Files with MCP servers below `settings`, besides those of every editor. */
  mcpFiles?: readonly string[];
}

/** A new editor is a new row. */
export const CODE_EDITORS: readonly CodeEditor[] = [
  {
    client: 'vscode',
    settings: 'Code',
    folder: '.vscode',
    server: '.vscode-server',
    flatpak: { id: 'com.visualstudio.code', settings: 'Code', data: 'vscode' },
  },
  {
    client: 'vscode',
    settings: 'Code - Insiders',
    folder: '.vscode-insiders',
    server: '.vscode-server-insiders',
  },
  {
    client: 'vscode',
    settings: 'Code - Exploration',
    folder: '.vscode-exploration',
    server: '.vscode-server-exploration',
  },
  // Builds of distributions.
  {
    client: 'vscode',
    settings: 'Code - OSS',
    folder: '.vscode-oss',
    server: '.vscode-server-oss',
    flatpak: { id: 'com.visualstudio.code-oss', settings: 'Code - OSS', data: 'vscode-oss' },
  },
  {
    client: 'vscodium',
    settings: 'VSCodium',
    folder: '.vscode-oss',
    server: '.vscodium-server',
    flatpak: { id: 'com.vscodium.codium', settings: 'VSCodium', data: 'codium' },
  },
  {
    client: 'vscodium',
    settings: 'VSCodium - Insiders',
    folder: '.vscodium-insiders',
    server: '.vscodium-server-insiders',
  },
  { client: 'cursor', settings: 'Cursor', folder: '.cursor', server: '.cursor-server' },
  { client: 'cursor', settings: 'Cursor Nightly', folder: '.cursor-nightly' },
  { client: 'windsurf', settings: 'Windsurf', folder: '.windsurf', server: '.windsurf-server' },
  {
    client: 'windsurf',
    settings: 'Windsurf - Next',
    folder: '.windsurf-next',
    server: '.windsurf-server-next',
  },
  { client: 'windsurf', settings: 'Windsurf - Insiders', folder: '.windsurf-insiders' },
  { client: 'devin', settings: 'Devin', folder: '.devin' },
  { client: 'trae', settings: 'Trae', folder: '.trae', server: '.trae-server' },
  { client: 'trae', settings: 'Trae CN', folder: '.trae-cn', server: '.trae-cn-server' },
  { client: 'void', settings: 'Void', folder: '.void-editor', server: '.void-server' },
  { client: 'positron', settings: 'Positron', folder: '.positron', server: '.positron-server' },
  {
    client: 'antigravity',
    settings: 'Antigravity',
    folder: '.antigravity',
    server: '.antigravity-server',
  },
  { client: 'kiro', settings: 'Kiro', folder: '.kiro', server: '.kiro-server' },
  {
    client: 'qoder',
    settings: 'Qoder',
    folder: '.qoder',
    server: '.qoder-server',
    mcpFiles: ['SharedClientCache/mcp.json', 'SharedClientCache/extension/local/mcp.json'],
  },
  {
    client: 'qoder',
    settings: 'QoderCN',
    folder: '.qoder-cn',
    server: '.qoder-cn-server',
    mcpFiles: ['SharedClientCache/mcp.json'],
  },
  { client: 'pearai', settings: 'PearAI', folder: '.pearai', server: '.pearai-server' },
  { client: 'codebuddy', settings: 'CodeBuddy', folder: '.codebuddy', server: '.codebuddy-server' },
  { client: 'codebuddy', settings: 'CodeBuddy CN', folder: '.codebuddycn' },
  { client: 'lingma', settings: 'Lingma', folder: '.lingma', server: '.lingma-server' },
  { client: 'bob', settings: 'IBM Bob', folder: '.bobide', server: '.bobide-server' },
  { client: 'verdent', settings: 'Verdent', folder: '.verdent' },
  { client: 'catpaw', settings: 'CatPaw', folder: '.catpaw' },
  { client: 'comate', settings: 'Comate', folder: '.comate' },
  { client: 'melty', settings: 'Melty', folder: '.melty' },
  { client: 'aide', settings: 'Aide', folder: '.aide' },
  { client: 'codellm', settings: 'CodeLLM', folder: '.codellm' },
  { client: 'azure-data-studio', settings: 'azuredatastudio', folder: '.azuredatastudio' },
];

/** Editors in the browser have settings and extensions in the same folder below a home. */
const WEB_EDITORS: readonly { client: string; settings: string; extensions: string }[] = [
  {
    client: 'code-server',
    settings: '.local/share/code-server',
    extensions: '.local/share/code-server/extensions',
  },
  {
    client: 'openvscode-server',
    settings: '.openvscode-server/data',
    extensions: '.openvscode-server/extensions',
  },
  {
    client: 'codespaces',
    settings: '.vscode-remote/data',
    extensions: '.vscode-remote/extensions',
  },
];

const SETTINGS_BASE: Record<Platform, string> = {
  linux: '.config',
  darwin: 'Library/Application Support',
  win32: 'AppData/Roaming',
};

export interface EditorFolder {
  client: string;
  path: string;
}

/** Returns the folders with `User` and `Machine` of each editor, below a home. */
export function editorFolders(platform: Platform): EditorFolder[] {
  const usual = CODE_EDITORS.map(({ client, settings }) => ({
    client,
    path: `${SETTINGS_BASE[platform]}/${settings}`,
  }));
  const flatpaks = CODE_EDITORS.flatMap(({ client, flatpak }) =>
    flatpak === undefined || platform !== 'linux'
      ? []
      : [{ client, path: `.var/app/${flatpak.id}/config/${flatpak.settings}` }],
  );
  const servers = CODE_EDITORS.flatMap(({ client, server }) =>
    server === undefined ? [] : [{ client, path: `${server}/data` }],
  );
  const web = WEB_EDITORS.map(({ client, settings }) => ({ client, path: settings }));
  return [...usual, ...servers, ...web, ...flatpaks];
}

/** The folders of extensions of each editor, below a home; each once. */
export function extensionFolders(platform: Platform): string[] {
  const own = CODE_EDITORS.flatMap(({ folder, server }) =>
    [folder, server].flatMap((parent) => (parent === undefined ? [] : `${parent}/extensions`)),
  );
  const flatpaks = CODE_EDITORS.flatMap(({ flatpak }) =>
    flatpak === undefined || platform !== 'linux'
      ? []
      : `.var/app/${flatpak.id}/data/${flatpak.data}/extensions`,
  );
  const web = WEB_EDITORS.map(({ extensions }) => extensions);
  return [...new Set([...own, ...web, ...flatpaks])];
}
