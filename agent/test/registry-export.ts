// Parses exports of the Windows registry (`reg export`, .reg version 5), with which tests describe the registry of a tree.
import type { RegistryKey } from '../src/discovery/scoped-fs/registry-key.ts';

const HIVES: Record<string, string> = {
  HKEY_LOCAL_MACHINE: 'HKLM',
  HKEY_USERS: 'HKU',
  HKEY_CURRENT_USER: 'HKCU',
  HKEY_CLASSES_ROOT: 'HKCR',
};

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
    else addValue(keys.at(-1)?.values, line);
  }
  return keys;
}

function addValue(values: Map<string, string | number> | undefined, line: string): void {
  const assignment = /^(?:@|"((?:[^"\\]|\\.)*)")=(.*)$/.exec(line);
  const value = assignment === null ? null : parseValue(assignment[2] ?? '');
  if (value !== null) values?.set(unescapeText(assignment?.[1] ?? '').toLowerCase(), value);
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
