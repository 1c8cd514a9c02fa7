// Extensions of editors of the VS Code family, of their servers, and of their named profiles.
import { readJson } from '../formats.ts';
import { isFields } from '../mcp/servers.ts';
import { editorFolders, placesOf, REMOTE_EDITORS } from '../places.ts';
import type { Discovered, Look, Source } from '../source.ts';

const EDITORS = [
  '.vscode',
  '.vscode-insiders',
  '.vscode-oss',
  '.vscodium-insiders',
  '.vscode-exploration',
  '.cursor',
  '.windsurf',
  '.windsurf-next',
  '.devin',
  '.trae',
  '.trae-cn',
  '.void-editor',
  '.positron',
  '.antigravity',
  '.kiro',
  ...REMOTE_EDITORS,
];
const FLATPAKS = [
  '.var/app/com.visualstudio.code/data/vscode/extensions',
  '.var/app/com.vscodium.codium/data/codium/extensions',
];
const MAX_LIST = 16 * 1024 * 1024;
const MAX_MANIFEST = 1024 * 1024;
const AT_ONCE = 20;

export const vscode: Source = {
  name: 'vscode',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['home'],
  async *discover(look) {
    const folders = [
      ...EDITORS.map((editor) => `${editor}/extensions`),
      ...placesOf(look.platform, '{XD}/code-server/extensions'),
      ...FLATPAKS.filter(() => look.platform === 'linux'),
    ];
    for (const folder of folders) {
      if (look.kindOf(folder) === 'folder') yield* readFolder(look, folder);
    }
    for (const editor of editorFolders(look.platform)) {
      for (const path of look.expand(`${editor}/User/profiles/*/extensions.json`)) {
        for (const found of await readList(look, path)) yield found.extension;
      }
    }
  },
};

/** What the editor's list says, and the folders that it does not know. */
async function* readFolder(look: Look, folder: string): AsyncGenerator<Discovered> {
  const listed = new Set<string>();
  for (const { extension, folderName } of await readList(look, `${folder}/extensions.json`)) {
    if (folderName !== null) listed.add(folderName);
    yield extension;
  }
  const obsolete = await readJson(look, `${folder}/.obsolete`, MAX_MANIFEST);
  let done = 0;
  for (const name of look.folders(folder)) {
    if (name.startsWith('.') || listed.has(name)) continue;
    if (isFields(obsolete) && obsolete[name] === true) continue;
    if (++done % AT_ONCE === 0) await look.turn();
    const manifest = await readJson(look, `${folder}/${name}/package.json`, MAX_MANIFEST);
    const found = isFields(manifest) ? describeManifest(look, `${folder}/${name}`, manifest) : null;
    if (found !== null) yield found;
  }
}

async function readList(
  look: Look,
  path: string,
): Promise<{ extension: Discovered; folderName: string | null }[]> {
  const list = await readJson(look, path, MAX_LIST);
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => {
    const id = isFields(one) && isFields(one.identifier) ? one.identifier.id : null;
    if (!isFields(one) || typeof id !== 'string' || !isExtensionId(id)) return [];
    const metadata = isFields(one.metadata) ? one.metadata : {};
    const location = isFields(one.location) ? one.location.path : null;
    const installed = metadata.installedTimestamp;
    const extension: Discovered = {
      kind: 'ide_extension',
      key: id.toLowerCase(),
      name: id,
      version: typeof one.version === 'string' ? one.version : null,
      publisher:
        typeof metadata.publisherDisplayName === 'string'
          ? metadata.publisherDisplayName
          : (id.split('.', 1)[0] ?? null),
      path: look.shown(path.slice(0, path.lastIndexOf('/'))),
      installedAt:
        typeof installed === 'number' && installed > 0 && installed < 4e12
          ? new Date(installed).toISOString()
          : null,
      details: { extension_id: id.toLowerCase() },
    };
    const folderName = typeof one.relativeLocation === 'string' ? one.relativeLocation : location;
    return [
      {
        extension,
        folderName:
          typeof folderName === 'string' ? (folderName.split(/[\\/]/).at(-1) ?? null) : null,
      },
    ];
  });
}

function describeManifest(
  look: Look,
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
    path: look.shown(folder),
    details: { extension_id: id.toLowerCase(), ...(brings ? { brings_mcp_servers: true } : {}) },
  };
}

function isExtensionId(id: string): boolean {
  return /^[\w-]{1,128}\.[\w.-]{1,256}$/.test(id);
}
