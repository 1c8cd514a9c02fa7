// Packaged applications of Windows (MSIX): the full name of a package contains name, version, and family.
import type { Source } from '../source-contract.ts';

const ALL_USERS =
  'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Appx\\AppxAllUserStore\\Applications';
const OF_PERSON =
  'Software\\Classes\\Local Settings\\Software\\Microsoft\\Windows\\CurrentVersion\\AppModel\\Repository\\Packages';
const AT_ONCE = 100;

export const windowsAppx: Source = {
  name: 'appx',
  platforms: ['win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    const base = fs.owner === null ? ALL_USERS : `HKU\\${fs.owner}\\${OF_PERSON}`;
    let done = 0;
    for (const { path, values } of fs.registry(base)) {
      if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
      const fullName = path.slice(base.length + 1);
      const parsed = fullName.includes('\\') ? null : parsePackageName(fullName);
      if (parsed === null) continue;
      const displayName = values.get('displayname');
      const folder = values.get('packagerootfolder') ?? values.get('path');
      yield {
        kind: 'application',
        key: parsed.family,
        // A name in a resource cannot be read without asking Windows.
        name:
          typeof displayName === 'string' && !displayName.startsWith('@') && displayName !== ''
            ? displayName
            : parsed.name,
        version: parsed.version,
        path: typeof folder === 'string' ? folder : null,
        details: { package_family: parsed.family },
      };
    }
  },
};

/** `Name_1.2.3.4_x64__8wekyb3d8bbwe`; resources of a package (`_split.…`, `_neutral_~_`) are no packages of their own. */
export function parsePackageName(
  fullName: string,
): { name: string; version: string; family: string } | null {
  const found = /^([\w.-]{3,50})_(\d+(?:\.\d+){3})_([\w]*)_([^_]*)_([0-9a-z]{13})$/i.exec(fullName);
  if (found === null) return null;
  const [, name = '', version = '', , resource = '', publisher = ''] = found;
  if (resource.startsWith('split.')) return null;
  return { name, version, family: `${name}_${publisher}` };
}
