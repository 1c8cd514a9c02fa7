// Flatpak applications of the machine and of homes, by their metainfo.

import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { parseXml } from './lib/document-formats.ts';

const MAX_BYTES = 1024 * 1024;
const AT_ONCE = 10;
/** Parts of an application that are none. */
const NO_APPLICATION = /\.(Locale|Debug|Sources)$/;

const SYSTEM = '/var/lib/flatpak/app';
const OWN = '.local/share/flatpak/app';

export const flatpak: Source = {
  name: 'flatpak',
  platforms: ['linux'],
  scopes: ['machine', 'home'],
  watches: () => ({ machine: [SYSTEM], home: [OWN] }),
  async *discover(fs) {
    const base = fs.owner === null ? SYSTEM : OWN;
    let done = 0;
    for (const id of fs.folders(base)) {
      if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
      if (NO_APPLICATION.test(id) || !/^[A-Za-z0-9_.-]+$/.test(id)) continue;
      yield await describeApplication(fs, id, `${base}/${id}`);
    }
  },
};

async function describeApplication(fs: ScopedFs, id: string, folder: string): Promise<Discovered> {
  // `current` leads to the branch in use; without it the first branch represents all.
  const [branch] = fs.expand(`${folder}/current/active`).concat(fs.expand(`${folder}/*/*/active`));
  const files = branch === undefined ? [] : metainfoOf(fs, branch, id);
  const metadata = { name: id, version: null as string | null, publisher: null as string | null };
  for (const path of files) {
    const text = fs.text(path, MAX_BYTES);
    const root = text === null ? null : await parseXml(fs, path, text);
    if (root === null) continue;
    metadata.name = childText(root, 'name') ?? metadata.name;
    metadata.publisher = childText(root, 'developer_name') ?? childText(root, 'name', 'developer');
    metadata.version =
      root.getElementsByTagName('release').item(0)?.getAttribute('version') ?? null;
    break;
  }
  return {
    kind: 'application',
    key: id,
    ...metadata,
    path: fs.toMachinePath(folder),
    installedAt: branch === undefined ? null : fs.changedAt(branch),
    details: { id },
  };
}

function metainfoOf(fs: ScopedFs, branch: string, id: string): string[] {
  return [
    'export/share/metainfo',
    'files/share/metainfo',
    'export/share/appdata',
    'files/share/appdata',
  ]
    .flatMap((folder) => [
      `${branch}/${folder}/${id}.metainfo.xml`,
      `${branch}/${folder}/${id}.appdata.xml`,
    ])
    .filter((path) => fs.kindOf(path) === 'file');
}

/** The text of the first child of this name that is in no language of its own. */
function childText(
  root: import('@xmldom/xmldom').Element,
  name: string,
  within?: string,
): string | null {
  const parent = within === undefined ? root : root.getElementsByTagName(within).item(0);
  for (let node = parent?.firstChild ?? null; node !== null; node = node.nextSibling) {
    if (node.nodeName !== name) continue;
    const element = node as import('@xmldom/xmldom').Element;
    const text = element.hasAttribute('xml:lang') ? '' : (element.textContent ?? '').trim();
    if (text !== '') return text;
  }
  return null;
}
