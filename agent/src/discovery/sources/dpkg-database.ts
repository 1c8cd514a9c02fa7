// The files in which dpkg keeps what is installed: parsed here, for the inventory, the guard rails and the correlator.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../errors.ts';
import { listFolder } from '../safe-read.ts';

export interface DpkgPackage {
  name: string;
  version: string;
  architecture: string;
  /** `name`, or `name:arch` where the architecture is foreign: the same on every device of this architecture. */
  key: string;
  maintainer: string | null;
  section: string | null;
  priority: string | null;
  essential: boolean;
  multiArchSame: boolean;
}

export interface DpkgDatabase {
  packages: DpkgPackage[];
  nativeArchitecture: string | null;
  /** Changes when the package database changes. */
  stamp: string;
}

const FIELDS = new Set([
  'package',
  'status',
  'version',
  'architecture',
  'maintainer',
  'section',
  'priority',
  'essential',
  'multi-arch',
]);

/** Reads what dpkg says is installed; null where there is no dpkg. */
export function readDpkgDatabase(root: string): DpkgDatabase | null {
  const stamp = dpkgStamp(root);
  if (stamp === null) return null;
  const stanzas: Record<string, string>[] = [];
  for (const file of statusFiles(root)) stanzas.push(...parseStanzas(readFileSync(file, 'utf8')));
  const installed = stanzas.filter((s) => /^\S+ \S+ installed$/.test(s.status ?? ''));
  // dpkg itself is of the native architecture, always.
  const native = installed.find((s) => s.package === 'dpkg')?.architecture ?? null;
  const packages = installed.flatMap((stanza) => toPackage(stanza, native));
  return { packages, nativeArchitecture: native, stamp };
}

/** A text that changes whenever the package database does; null where there is none. */
export function dpkgStamp(root: string): string | null {
  const stamps = statusFiles(root).map((file) => {
    const stat = statSync(file);
    return `${file}:${stat.ino}:${stat.mtimeMs}:${stat.size}`;
  });
  return stamps.length === 0 ? null : stamps.join('|');
}

function statusFiles(root: string): string[] {
  const folder = join(root, 'var/lib/dpkg');
  const files: string[] = [];
  try {
    if (statSync(join(folder, 'status')).isFile()) files.push(join(folder, 'status'));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  }
  // Images built without a package manager (distroless) keep one file for each package here.
  for (const { name } of listFolder(join(folder, 'status.d')) ?? []) {
    if (!name.endsWith('.md5sums')) files.push(join(folder, 'status.d', name));
  }
  return files;
}

function toPackage(stanza: Record<string, string>, native: string | null): DpkgPackage[] {
  const { package: name, version, architecture = 'all' } = stanza;
  if (name === undefined || version === undefined) return [];
  const foreign = native !== null && architecture !== native && architecture !== 'all';
  return [
    {
      name,
      version,
      architecture,
      key: foreign ? `${name}:${architecture}` : name,
      maintainer: stanza.maintainer ?? null,
      section: stanza.section ?? null,
      priority: stanza.priority ?? null,
      essential: stanza.essential === 'yes',
      multiArchSame: stanza['multi-arch'] === 'same',
    },
  ];
}

/** The wanted fields of each stanza, by lower-case name. Continuation lines belong to none of them. */
export function parseStanzas(text: string): Record<string, string>[] {
  const stanzas: Record<string, string>[] = [];
  let stanza: Record<string, string> = Object.create(null);
  let filled = false;
  const close = () => {
    if (filled) stanzas.push(stanza);
    stanza = Object.create(null);
    filled = false;
  };
  for (const line of text.split('\n')) {
    if (line.trim() === '') close();
    else if (line[0] !== ' ' && line[0] !== '\t') {
      const colon = line.indexOf(':');
      if (colon <= 0) continue;
      const field = line.slice(0, colon).toLowerCase();
      if (!FIELDS.has(field)) continue;
      stanza[field] = line.slice(colon + 1).trim();
      filled = true;
    }
  }
  close();
  return stanzas;
}

/** The file that lists what the package put on the disk: `name.list`, or `name:arch.list` where several may stand. */
export function fileListOf(
  root: string,
  pkg: DpkgPackage,
): { path: string; mtimeMs: number } | null {
  const folder = join(root, 'var/lib/dpkg/info');
  const plain = `${pkg.name}.list`;
  const qualified = `${pkg.name}:${pkg.architecture}.list`;
  for (const name of pkg.multiArchSame ? [qualified, plain] : [plain, qualified]) {
    try {
      const path = join(folder, name);
      return { path, mtimeMs: statSync(path).mtimeMs };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    }
  }
  return null;
}
