// Extensions of editors of the VS Code family, of their servers, and of their named profiles.
import { editorFolders, extensionFolders } from '../clients/editors.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';

const MAX_LIST = 16 * 1024 * 1024;
const MAX_MANIFEST = 1024 * 1024;
const AT_ONCE = 20;

interface Listed {
  extension: Discovered;
  /** The extension's folder, as a path of the look; null where the list names none. */
  folder: string | null;
}

export const vscode: Source = {
  name: 'vscode',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['home'],
  async *discover(fs) {
    const known = extensionFolders(fs.platform).filter((path) => fs.kindOf(path) === 'folder');
    const folders = [...known, ...foldersOfOtherEditors(fs, known)];
    for (const folder of folders) yield* readFolder(fs, folder);
    for (const { path: editor } of editorFolders(fs.platform)) {
      for (const path of fs.expand(`${editor}/User/profiles/*/extensions.json`)) {
        await fs.yieldToEventLoop();
        const list = await readList(fs, path, null);
        // A profile's list may name folders of any of the editors' folders of extensions.
        for (const installed of list ?? [])
          if (isInstalled(fs, installed, folders)) yield installed.extension;
      }
    }
  },
};

/** Editors of the family that no row names keep their list in the same place. */
function foldersOfOtherEditors(fs: ScopedFs, known: readonly string[]): string[] {
  return fs
    .folders('.')
    .filter((name) => name.startsWith('.'))
    .map((name) => `${name}/extensions`)
    .filter((folder) => !known.includes(folder) && fs.has(`${folder}/extensions.json`));
}

/** An editor's list counts, as far as its folders are there. Without a readable list every folder does. */
async function* readFolder(fs: ScopedFs, folder: string): AsyncGenerator<Discovered> {
  const list = await readList(fs, `${folder}/extensions.json`, folder);
  if (list !== null) {
    for (const installed of list)
      if (isInstalled(fs, installed, [folder])) yield installed.extension;
    return;
  }
  const obsolete = await readJson(fs, `${folder}/.obsolete`, MAX_MANIFEST);
  let done = 0;
  for (const name of fs.folders(folder)) {
    if (name.startsWith('.')) continue;
    if (isFields(obsolete) && obsolete[name] === true) continue;
    if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
    const manifest = await readJson(fs, `${folder}/${name}/package.json`, MAX_MANIFEST);
    const found = isFields(manifest) ? describeManifest(fs, `${folder}/${name}`, manifest) : null;
    if (found !== null) yield found;
  }
}

/**
 * Returns whether the folder of a listed extension is on the disk; without a path it is searched for in `folders`.
 */
function isInstalled(fs: ScopedFs, { folder }: Listed, folders: readonly string[]): boolean {
  if (folder === null) return false;
  const places = folder.includes('/') ? [folder] : folders.map((base) => `${base}/${folder}`);
  return places.some((path) => fs.kindOf(path) === 'folder');
}

/** Null where there is no list that can be read. `base`: the folder that its relative places are in. */
async function readList(fs: ScopedFs, path: string, base: string | null): Promise<Listed[] | null> {
  const list = await readJson(fs, path, MAX_LIST);
  if (!Array.isArray(list)) return null;
  return list.flatMap((entry) => {
    const id = isFields(entry) && isFields(entry.identifier) ? entry.identifier.id : null;
    if (!isFields(entry) || typeof id !== 'string' || !isExtensionId(id)) return [];
    const metadata = isFields(entry.metadata) ? entry.metadata : {};
    const installed = metadata.installedTimestamp;
    const extension: Discovered = {
      kind: 'ide_extension',
      key: id.toLowerCase(),
      name: id,
      version: typeof entry.version === 'string' ? entry.version : null,
      publisher:
        typeof metadata.publisherDisplayName === 'string'
          ? metadata.publisherDisplayName
          : (id.split('.', 1)[0] ?? null),
      path: fs.toMachinePath(path.slice(0, path.lastIndexOf('/'))),
      installedAt:
        typeof installed === 'number' && installed > 0 && installed < 4e12
          ? new Date(installed).toISOString()
          : null,
      details: { extension_id: id.toLowerCase() },
    };
    return [{ extension, folder: folderOf(fs, entry, base) }];
  });
}

/** Returns the folder of a listed extension: beside the list, at a path of its own in the home, or its bare name. */
function folderOf(
  fs: ScopedFs,
  entry: Record<string, unknown>,
  base: string | null,
): string | null {
  const { relativeLocation, location } = entry;
  const within = base === null ? '' : `${base}/`;
  if (typeof relativeLocation === 'string') {
    const name = relativeLocation.split(/[\\/]/).at(-1) ?? '';
    return name === '' || name === '..' ? null : `${within}${name}`;
  }
  const path = isFields(location) ? (location.path ?? location.fsPath) : location;
  if (typeof path !== 'string') return null;
  const inside = fs.locate(path.replace(/^\/([A-Za-z]:)/, '$1'));
  if (inside !== null && inside !== '.') return inside;
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return name === '' ? null : `${within}${name}`;
}

function describeManifest(
  fs: ScopedFs,
  folder: string,
  manifest: Record<string, unknown>,
): Discovered | null {
  const { publisher, name, version, displayName, contributes } = manifest;
  const id = `${publisher}.${name}`;
  if (typeof publisher !== 'string' || typeof name !== 'string' || !isExtensionId(id)) return null;
  const brings = isFields(contributes) && contributes.mcpServerDefinitionProviders !== undefined;
  return {
    kind: 'ide_extension',
    key: id.toLowerCase(),
    name: typeof displayName === 'string' && !displayName.startsWith('%') ? displayName : id,
    version: typeof version === 'string' ? version : null,
    publisher,
    path: fs.toMachinePath(folder),
    details: { extension_id: id.toLowerCase(), ...(brings ? { brings_mcp_servers: true } : {}) },
  };
}

function isExtensionId(id: string): boolean {
  return /^[\w-]{1,128}\.[\w.-]{1,256}$/.test(id);
}
