// Reads the arguments of a process to identify the program of an interpreter; they are never stored and never sent.
import { readFileSync, readlinkSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { interpreterOptions, programName } from '@gatewarden/shared/launchers.ts';
import { readMacArguments } from '../native/macos/process-info.ts';
import { readWorkingFolder } from '../native/windows/process-handle.ts';
import type { ScriptPaths } from './script-paths.ts';
import { readWindowsArguments } from './windows-processes.ts';

const MAX_BYTES = 64 * 1024;

/** Programs of Windows have an ending, by which no interpreter is known. */
const plainName = (name: string): string =>
  process.platform === 'win32' ? programName(name) : name;

/** Returns whether a program runs other programs: an interpreter represents none of them. */
export function isInterpreter(name: string): boolean {
  return interpreterOptions(plainName(name)) !== null;
}

/** Returns the words of a process; none where they cannot be seen. A title that a program gave itself is split. */
export function readArguments(pid: number): string[] {
  if (process.platform === 'win32') return readWindowsArguments(pid);
  if (process.platform === 'darwin') return readMacArguments(pid);
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`).subarray(0, MAX_BYTES).toString('utf8');
    const words = text.split('\0').filter((word, at, all) => word !== '' || at < all.length - 1);
    return words.length === 1 || words.slice(1).every((word) => word === '')
      ? (words[0] ?? '').split(' ')
      : words;
  } catch {
    // Gone, or another person's.
    return [];
  }
}

/** The real path of the script that an interpreter runs; null where it runs none that could be seen. */
export function scriptOf(
  name: string,
  pid: number,
  words: readonly string[],
  scripts: ScriptPaths,
): string | null {
  const options = interpreterOptions(plainName(name));
  if (options === null) return null;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (options.code.has(word) || options.module.has(word)) return null;
    if (options.valued.has(word)) at++;
    else if (word === '-jar') continue;
    else if (word === 'run' && (name === 'bun' || name === 'deno')) continue;
    else if (!word.startsWith('-')) return realScript(pid, word, scripts);
  }
  return null;
}

function realScript(pid: number, word: string, scripts: ScriptPaths): string | null {
  if (isAbsolute(word)) return scripts.realPath(word);
  const folder = readFolder(pid);
  return folder === null ? null : scripts.realPath(join(folder, word));
}

/** The folder that a process works in; null where it cannot be seen, as on macOS. */
export function readFolder(pid: number): string | null {
  if (process.platform === 'win32') return readWorkingFolder(pid);
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // Gone, or another person's.
    return null;
  }
}

/** The base name by which a command is known in a configuration. */
export function commandName(word: string): string {
  return basename(word.replaceAll('\\', '/'))
    .replace(/\.(exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}
