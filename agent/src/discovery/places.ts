// Where each system keeps what applications store for a person: tokens of paths in the sources' tables, and what they mean.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/**
 * `{AS}` Application Support, `{A}` roaming and `{L}` local AppData, `{XC}` configuration, `{XD}` data. A path with a
 * token that this platform has not means nothing here.
 */
const TOKENS: Record<Platform, Record<string, string>> = {
  linux: { XC: '.config', XD: '.local/share' },
  darwin: { AS: 'Library/Application Support', XC: '.config', XD: '.local/share' },
  win32: {
    A: 'AppData/Roaming',
    L: 'AppData/Local',
    PF: '/Program Files',
    PD: '/ProgramData',
    XC: '.config',
  },
};

/** Where editors of the VS Code family keep their settings. */
const EDITORS = [
  'Code',
  'Code - Insiders',
  // As distributions build it themselves.
  'Code - OSS',
  'VSCodium',
  'VSCodium - Insiders',
  'Cursor',
  'Windsurf',
  'Windsurf - Next',
  'Trae',
  'Kiro',
  'Antigravity',
];
const EDITOR_BASE: Record<Platform, string> = {
  linux: '.config',
  darwin: 'Library/Application Support',
  win32: 'AppData/Roaming',
};

/** The far side of a remote session. */
export const REMOTE_EDITORS = [
  '.vscode-server',
  '.vscode-server-insiders',
  '.vscodium-server',
  '.cursor-server',
  '.windsurf-server',
  '.trae-server',
  '.antigravity-server',
  '.kiro-server',
];

/** The far side of a remote session, an editor in the browser, and what Flatpak keeps apart. */
const ELSEWHERE: Partial<Record<Platform, readonly string[]>> = {
  linux: [
    ...REMOTE_EDITORS.map((folder) => `${folder}/data`),
    '.local/share/code-server',
    '.var/app/com.visualstudio.code/config/Code',
    '.var/app/com.vscodium.codium/config/VSCodium',
  ],
};

/** The folders of all editors of the family, `User` not included. */
export function editorFolders(platform: Platform): string[] {
  const usual = EDITORS.map((editor) => `${EDITOR_BASE[platform]}/${editor}`);
  return [...usual, ...(ELSEWHERE[platform] ?? [])];
}

/** The path on this platform, once for each editor where it says `{ED}`; none where a token means nothing here. */
export function placesOf(platform: Platform, path: string): string[] {
  if (path.startsWith('{ED}')) {
    return editorFolders(platform).map((folder) => folder + path.slice('{ED}'.length));
  }
  const token = /^\{([A-Z]+)\}/.exec(path)?.[1];
  if (token === undefined) return [path];
  const folder = TOKENS[platform][token];
  return folder === undefined ? [] : [folder + path.slice(token.length + 2)];
}
