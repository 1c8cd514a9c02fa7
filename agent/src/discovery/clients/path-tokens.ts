// Tokens of paths in the sources' tables: where each system stores the data of applications.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { editorFolders } from './editors.ts';

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

/** Returns the paths on this platform, a path for each editor for `{ED}`; none where a token has no meaning here. */
export function placesOf(platform: Platform, path: string): string[] {
  if (path.startsWith('{ED}')) {
    return editorFolders(platform).map((editor) => editor.path + path.slice('{ED}'.length));
  }
  const token = /^\{([A-Z]+)\}/.exec(path)?.[1];
  if (token === undefined) return [path];
  const folder = TOKENS[platform][token];
  return folder === undefined ? [] : [folder + path.slice(token.length + 2)];
}
