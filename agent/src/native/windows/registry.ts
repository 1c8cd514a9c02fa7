// Reads the registry of Windows: a key with everything below it, in the 64-bit view.
import type { RegistryKey } from '../../discovery/scoped-fs/registry-key.ts';
import { advapi32 } from './libraries.ts';

/** Predefined handles, sign-extended as in Microsoft's headers. */
const HIVES: Record<string, number> = {
  HKCR: 0x80000000 | 0,
  HKCU: 0x80000001 | 0,
  HKLM: 0x80000002 | 0,
  HKU: 0x80000003 | 0,
};
const KEY_READ = 0x20019;
const KEY_WOW64_64KEY = 0x0100;
const ERROR_SUCCESS = 0;
const ERROR_FILE_NOT_FOUND = 2;
const ERROR_MORE_DATA = 234;
const ERROR_NO_MORE_ITEMS = 259;
/** Bounds of a tree: more keys, deeper keys and larger values are left out. */
const MAX_KEYS = 100_000;
const MAX_DEPTH = 32;
const MAX_NAME_UNITS = 16_384;
const MAX_VALUE_BYTES = 64 * 1024;
const [REG_SZ, REG_EXPAND_SZ, REG_DWORD, REG_MULTI_SZ] = [1, 2, 4, 7];

const name = Buffer.alloc(MAX_NAME_UNITS * 2);
const data = Buffer.alloc(MAX_VALUE_BYTES);
const [nameLength, dataLength, valueType] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(4)];
const handleOut = Buffer.alloc(8);

/**
 * Returns the key and all keys below it, parents first; null where the key is missing. `key` begins with the short name
 * of its hive. Throws where the key exists and cannot be read.
 */
export function readRegistryTree(key: string): RegistryKey[] | null {
  const { hive, path } = splitKey(key);
  const root = openKey(hive, path);
  if (root === null) return null;
  const keys: RegistryKey[] = [];
  collectKeys(root, key, 0, keys);
  return keys;
}

/** Returns the values of a key; null where the key is missing. Throws where it cannot be read. */
export function readRegistryValues(key: string): RegistryKey['values'] | null {
  const { hive, path } = splitKey(key);
  const handle = openKey(hive, path);
  if (handle === null) return null;
  try {
    return readValues(handle);
  } finally {
    advapi32().RegCloseKey(handle);
  }
}

function splitKey(key: string): { hive: number; path: string } {
  const [hiveName = '', ...segments] = key.split('\\');
  const hive = HIVES[hiveName.toUpperCase()];
  if (hive === undefined) throw new Error(`${hiveName} is no hive of the registry`);
  return { hive, path: segments.join('\\') };
}

function openKey(parent: number, path: string): number | null {
  const access = KEY_READ | KEY_WOW64_64KEY;
  const status = advapi32().RegOpenKeyExW(parent, path, 0, access, handleOut);
  if (status === ERROR_SUCCESS) return Number(handleOut.readBigInt64LE());
  if (status === ERROR_FILE_NOT_FOUND) return null;
  throw new Error(`the registry key ${path}: error ${status}`);
}

function collectKeys(handle: number, path: string, depth: number, into: RegistryKey[]): void {
  try {
    into.push({ path, values: readValues(handle) });
    if (depth === MAX_DEPTH) return;
    for (const child of readKeyNames(handle)) {
      if (into.length >= MAX_KEYS) return;
      const below = openReadableKey(handle, child);
      if (below !== null) collectKeys(below, `${path}\\${child}`, depth + 1, into);
    }
  } finally {
    advapi32().RegCloseKey(handle);
  }
}

/** A key may refuse access, or be removed while its parent is read: its siblings are read all the same. */
function openReadableKey(parent: number, child: string): number | null {
  try {
    return openKey(parent, child);
  } catch {
    return null;
  }
}

function readKeyNames(handle: number): string[] {
  const names: string[] = [];
  for (let index = 0; index < MAX_KEYS; index++) {
    nameLength.writeUInt32LE(MAX_NAME_UNITS);
    const { RegEnumKeyExW } = advapi32();
    const status = RegEnumKeyExW(handle, index, name, nameLength, null, null, null, null);
    if (status === ERROR_NO_MORE_ITEMS) break;
    if (status === ERROR_SUCCESS) names.push(decodeName());
    else if (status !== ERROR_MORE_DATA) break;
  }
  return names;
}

function readValues(handle: number): Map<string, string | number> {
  const values = new Map<string, string | number>();
  for (let index = 0; index < MAX_KEYS; index++) {
    nameLength.writeUInt32LE(MAX_NAME_UNITS);
    dataLength.writeUInt32LE(MAX_VALUE_BYTES);
    const { RegEnumValueW } = advapi32();
    const status = RegEnumValueW(
      ...[handle, index, name, nameLength, null, valueType, data, dataLength],
    );
    if (status === ERROR_MORE_DATA) continue;
    if (status !== ERROR_SUCCESS) break;
    const value = decodeValue(
      valueType.readUInt32LE(),
      data.subarray(0, dataLength.readUInt32LE()),
    );
    if (value !== null) values.set(decodeName().toLowerCase(), value);
  }
  return values;
}

const decodeName = (): string => name.toString('utf16le', 0, nameLength.readUInt32LE() * 2);

/** Returns the text or the number of a value; null for other types. Texts may lack their terminating zero. */
export function decodeValue(type: number, bytes: Buffer): string | number | null {
  if (type === REG_DWORD) return bytes.length === 4 ? bytes.readUInt32LE() : null;
  if (type !== REG_SZ && type !== REG_EXPAND_SZ && type !== REG_MULTI_SZ) return null;
  return bytes.toString('utf16le').replace(/\0+$/, '');
}
