// Windows' registry in its export format (`reg export`, .reg version 5): parsed here, read live by a thin call.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RegistryKey {
  /** The full path, with the short name of its hive: `HKLM\SOFTWARE\…`. */
  path: string;
  /** Texts and whole numbers by lower-case name; other types are left out. */
  values: ReadonlyMap<string, string | number>;
}

/** Gives the export of a key with everything below it; null where the key is not there. */
export type ReadRegistry = (key: string) => Promise<Buffer | null>;

const HIVES: Record<string, string> = {
  HKEY_LOCAL_MACHINE: 'HKLM',
  HKEY_USERS: 'HKU',
  HKEY_CURRENT_USER: 'HKCU',
  HKEY_CLASSES_ROOT: 'HKCR',
};
const MAX_EXPORT_BYTES = 64 * 1024 * 1024;
const EXPORT_TIMEOUT_MS = 30_000;

/** Returns the keys at and below `key`; `damaged` where the export does not parse, none where the key is missing. */
export async function readRegistryKeys(
  readRegistry: ReadRegistry | null,
  key: string,
): Promise<RegistryKey[] | 'damaged'> {
  const bytes = (await readRegistry?.(key)) ?? null;
  if (bytes === null) return [];
  const below = `${key}\\`.toLowerCase();
  try {
    return parseRegistryExport(bytes).filter((exported) =>
      `${exported.path}\\`.toLowerCase().startsWith(below),
    );
  } catch {
    return 'damaged';
  }
}

/** Parses an export: UTF-16 with its mark, as Windows writes it, or UTF-8. Throws where it is none. */
export function parseRegistryExport(bytes: Buffer): RegistryKey[] {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = wide ? bytes.toString('utf16le', 2) : bytes.toString('utf8').replace(/^\ufeff/, '');
  // A backslash at the end of a line goes on with the next: long binary values.
  const lines = text.replace(/\\\r?\n\s*/g, '').split(/\r?\n/);
  if (!/^(Windows Registry Editor Version 5|REGEDIT4)/.test(lines[0] ?? '')) {
    throw new Error('not a registry export');
  }
  const keys: { path: string; values: Map<string, string | number> }[] = [];
  for (const line of lines) {
    const section = /^\[([^-].*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) keys.push({ path: shortHive(section), values: new Map() });
    else {
      const found = /^(?:@|"((?:[^"\\]|\\.)*)")=(.*)$/.exec(line);
      const value = found === null ? null : parseValue(found[2] ?? '');
      if (found !== null && value !== null) {
        keys.at(-1)?.values.set(unescapeText(found[1] ?? '').toLowerCase(), value);
      }
    }
  }
  return keys;
}

function shortHive(path: string): string {
  const end = path.indexOf('\\');
  const hive = end < 0 ? path : path.slice(0, end);
  return (HIVES[hive.toUpperCase()] ?? hive) + (end < 0 ? '' : path.slice(end));
}

function parseValue(text: string): string | number | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*$/.exec(text)?.[1];
  if (quoted !== undefined) return unescapeText(quoted);
  const word = /^dword:([0-9a-f]{8})$/i.exec(text)?.[1];
  if (word !== undefined) return Number.parseInt(word, 16);
  // Expandable and multiple texts are UTF-16 in hexadecimal bytes.
  const hex = /^hex\([127]\):([0-9a-f,\s]*)$/i.exec(text)?.[1];
  if (hex === undefined) return null;
  return Buffer.from(hex.replace(/[,\s]/g, ''), 'hex').toString('utf16le').replace(/\0+$/, '');
}

function unescapeText(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

/** Reads the live registry with Windows' own `reg.exe`: the only line of discovery that no fixture reaches. */
export function openLiveRegistry(systemRoot: string): ReadRegistry {
  const program = join(systemRoot, 'System32', 'reg.exe');
  return async (key) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatewarden-reg-'));
    const file = join(folder, 'export.reg');
    try {
      const done = await new Promise<boolean>((resolve) => {
        execFile(
          program,
          ['export', key, file, '/y', '/reg:64'],
          { timeout: EXPORT_TIMEOUT_MS, windowsHide: true },
          (error) => resolve(error === null),
        );
      });
      if (!done) return null;
      const bytes = readFileSync(file);
      if (bytes.length > MAX_EXPORT_BYTES) throw new Error('the export is too large');
      return bytes;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
