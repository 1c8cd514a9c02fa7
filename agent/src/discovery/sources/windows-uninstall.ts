// Applications of Windows by their uninstall keys: of the machine, of 32-bit programs, and of each person.
import { foldName } from '@gatewarden/shared/names.ts';
import type { RegistryKey } from '../scoped-fs/registry-key.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';

const UNINSTALL = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const UNINSTALL_32 = 'SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const UPGRADE_CODES = [
  'HKLM\\SOFTWARE\\Classes\\Installer\\UpgradeCodes',
  'HKLM\\SOFTWARE\\WOW6432Node\\Classes\\Installer\\UpgradeCodes',
];
const GUID = /^\{([0-9A-F]{8})-([0-9A-F]{4})-([0-9A-F]{4})-([0-9A-F]{4})-([0-9A-F]{12})\}$/i;
const AT_ONCE = 100;

export const windowsUninstall: Source = {
  name: 'registry_uninstall',
  platforms: ['win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    const bases =
      fs.owner === null
        ? [`HKLM\\${UNINSTALL}`, `HKLM\\${UNINSTALL_32}`]
        : [`HKU\\${fs.owner}\\${UNINSTALL}`];
    const upgrades = fs.owner === null ? readUpgradeCodes(fs) : new Map<string, string>();
    let done = 0;
    for (const base of bases) {
      for (const key of fs.registry(base)) {
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const name = key.path.slice(base.length + 1);
        if (name === '' || name.includes('\\')) continue;
        const found = describe(fs, name, key, upgrades);
        if (found !== null) yield found;
      }
    }
  },
};

function describe(
  fs: ScopedFs,
  name: string,
  { values }: RegistryKey,
  upgrades: ReadonlyMap<string, string>,
): Discovered | null {
  const text = (value: string) => {
    const found = values.get(value);
    return typeof found === 'string' && found.trim() !== '' ? found.trim() : null;
  };
  const shownName = text('displayname');
  // Components and updates of another product name it, or are marked as hidden.
  if (shownName === null || values.get('systemcomponent') === 1) return null;
  if (
    text('parentkeyname') !== null ||
    /^(Update|Hotfix|Security Update)$/i.test(text('releasetype') ?? '')
  )
    return null;
  const publisher = text('publisher');
  const upgrade = upgrades.get(name.toUpperCase());
  const location = text('installlocation')?.replace(/^"|"$/g, '').replace(/\\+$/, '') ?? null;
  return {
    kind: 'application',
    key: upgrade ?? `${foldName(publisher ?? '')}\n${foldName(withoutVersion(shownName))}`,
    name: shownName,
    version: text('displayversion'),
    publisher,
    path: location,
    executables: executableOf(fs, text('displayicon')),
    installedAt: installDate(text('installdate')),
    details: upgrade === undefined ? {} : { upgrade_code: upgrade },
  };
}

/** `7-Zip 24.08 (x64)` is 7-Zip: the version and the bits change, the product does not. */
function withoutVersion(name: string): string {
  return (
    name
      .replace(/\s*\((x64|x86|64-bit|32-bit|arm64)[^)]*\)/gi, '')
      .replace(/\s+(version\s+)?v?\d+(\.\d+)+(\s|$).*$/i, '')
      .trim() || name
  );
}

function executableOf(fs: ScopedFs, icon: string | null): string[] {
  const path = icon?.replace(/,-?\d+$/, '').replace(/^"|"$/g, '') ?? '';
  if (!/\.exe$/i.test(path)) return [];
  const inside = fs.locate(path);
  const found = inside === null ? null : fs.executable(inside);
  return found === null ? [] : [found];
}

function installDate(text: string | null): string | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text ?? '') ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00.000Z`);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1980 ? null : date.toISOString();
}

/** Product code → upgrade code. The first changes with every release, the second never; both are kept packed. */
function readUpgradeCodes(fs: ScopedFs): Map<string, string> {
  const codes = new Map<string, string>();
  for (const base of UPGRADE_CODES) {
    for (const { path, values } of fs.registry(base)) {
      const upgrade = unpack(path.slice(base.length + 1));
      if (upgrade === null) continue;
      for (const product of values.keys()) {
        const unpacked = unpack(product);
        if (unpacked !== null) codes.set(unpacked, upgrade);
      }
    }
  }
  return codes;
}

/** The usual form of an identifier that the installer keeps with its parts turned round. */
export function unpack(packed: string): string | null {
  if (!/^[0-9a-f]{32}$/i.test(packed)) return null;
  const turn = (text: string) => [...text].reverse().join('');
  const pairs = (text: string) => text.replace(/(.)(.)/g, '$2$1');
  const at = (from: number, to: number) => packed.slice(from, to).toUpperCase();
  const guid = `{${turn(at(0, 8))}-${turn(at(8, 12))}-${turn(at(12, 16))}-${pairs(at(16, 20))}-${pairs(at(20, 32))}}`;
  return GUID.test(guid) ? guid : null;
}
