// What a process was started with: looked at to tell what runs in an interpreter, never kept, never sent.
import { readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ScriptPaths } from './scripts.ts';

const MAX_BYTES = 64 * 1024;
/** Options of interpreters that take the next word. */
const TAKES_A_WORD: Record<string, ReadonlySet<string>> = {
  python: new Set(['-W', '-X', '--check-hash-based-pycs']),
  node: new Set(['-r', '--require', '--import', '--loader', '--env-file', '-C', '--conditions']),
  ruby: new Set(['-I', '-r', '-C', '-E']),
  perl: new Set(['-I', '-M', '-m']),
  java: new Set(['-cp', '-classpath', '--class-path', '-p', '--module-path']),
  shell: new Set(['-o', '-O', '--rcfile', '--init-file']),
};
/** With one of these there is no script: what runs is text, or a module that is found elsewhere. */
const NO_SCRIPT: Record<string, ReadonlySet<string>> = {
  python: new Set(['-c', '-m', '-']),
  node: new Set(['-e', '-p', '-pe', '--eval', '--print', '-']),
  ruby: new Set(['-e', '-']),
  perl: new Set(['-e', '-E', '-']),
  java: new Set(['-e', '-r', '-m', '--module', '-']),
  shell: new Set(['-c', '-']),
};
const INTERPRETERS: [RegExp, keyof typeof TAKES_A_WORD][] = [
  // Python without its global lock is `python3.13t`; Fedora's real file of Node is `node-22`.
  [/^(python|pypy)[\d.]*[td]?$/, 'python'],
  [/^(node(js)?(-\d+)?|bun|deno|tsx)$/, 'node'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^perl[\d.]*$/, 'perl'],
  [/^(java|php[\d.]*|lua[\d.]*|Rscript|wish|tclsh[\d.]*)$/, 'java'],
  [/^(ba|da|z|k|mk|fi|tc|c|a)?sh$|^busybox$/, 'shell'],
];

/** The options of which kind of interpreter a program takes; null for a program that is none. */
function interpreterOf(name: string): string | null {
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** True for programs that run other people's programs: they stand for none of them. */
export function isInterpreter(name: string): boolean {
  return interpreterOf(name) !== null;
}

/** The words of a process of Linux; none where they cannot be seen. A title that a program gave itself is split. */
export function readArguments(pid: number): string[] {
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
  const kind = interpreterOf(name);
  if (kind === null) return null;
  const takesWord = TAKES_A_WORD[kind];
  const noScript = NO_SCRIPT[kind];
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (noScript?.has(word)) return null;
    if (takesWord?.has(word)) at++;
    else if (word === '-jar') continue;
    else if (word === 'run' && (name === 'bun' || name === 'deno')) continue;
    else if (!word.startsWith('-')) return realScript(pid, word, scripts);
  }
  return null;
}

function realScript(pid: number, word: string, scripts: ScriptPaths): string | null {
  try {
    return scripts.realPath(
      word.startsWith('/') ? word : join(readlinkSync(`/proc/${pid}/cwd`), word),
    );
  } catch {
    // The process is gone.
    return null;
  }
}

/** The base name by which a command is known in a configuration. */
export function commandName(word: string): string {
  return basename(word.replaceAll('\\', '/'))
    .replace(/\.(exe|cmd|bat|ps1)$/i, '')
    .toLowerCase();
}
