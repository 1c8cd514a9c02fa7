// The files in which dpkg keeps what is installed: parsed here, for the inventory, the guard rails and the correlator.
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { codeOf } from '../../../runtime/errors.ts';
import { listFolder } from '../../scoped-fs/safe-reader.ts';

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

const DIVERSIONS = 'var/lib/dpkg/diversions';
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

/**
 * States in which a package's files are on the disk and can run: also during an upgrade, with pending triggers, or
 * after a failed configuration. A read at that moment must neither report it as removed nor miss that it is vital.
 */
const THERE = /^\S+ \S+ (installed|triggers-pending|triggers-awaited|half-configured|unpacked)$/;

/** Reads the installed packages of dpkg; null where there is no dpkg. */
export function readDpkgDatabase(root: string): DpkgDatabase | null {
  const stamp = dpkgStamp(root);
  if (stamp === null) return null;
  const stanzas: Record<string, string>[] = [];
  for (const file of statusFiles(root)) stanzas.push(...parseStanzas(readFileSync(file, 'utf8')));
  const installed = stanzas.filter((s) => THERE.test(s.status ?? ''));
  // dpkg itself is of the native architecture, always.
  const native = installed.find((s) => s.package === 'dpkg')?.architecture ?? null;
  const packages = installed.flatMap((stanza) => toPackage(stanza, native));
  return { packages, nativeArchitecture: native, stamp };
}

/** A text that changes whenever the package database does; null where there is none. */
export function dpkgStamp(root: string): string | null {
  const files = statusFiles(root);
  if (files.length === 0) return null;
  const stamps = [...files, join(root, DIVERSIONS)].map((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return `${file}:${stat?.ino}:${stat?.mtimeMs}:${stat?.size}`;
  });
  return stamps.join('|');
}

/** Paths that dpkg changes with every package, and folders of the programs in its lists. */
const PLACES = [
  'var/lib/dpkg/info',
  DIVERSIONS,
  'etc/alternatives',
  // A package may only lead to a snap.
  ...['snap', 'var/lib/snapd/snap'],
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'],
  ...['usr/bin', 'usr/sbin', 'usr/games', 'usr/libexec'],
];

/**
 * Returns a text that changes with the packages: the database, its lists, links and the folders of programs. Null
 * where there is no dpkg. A program outside of these folders that is removed by hand is not detected.
 */
export function dpkgPlacesStamp(root: string): string | null {
  const files = statusFiles(root);
  if (files.length === 0) return null;
  const stamps = [...files, ...PLACES.map((place) => join(root, place))].map((path) => {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  });
  // The stamp has a fixed length, however many files a distribution without a package manager has.
  return sha256Hex(stamps.join(' '));
}

function statusFiles(root: string): string[] {
  const folder = join(root, 'var/lib/dpkg');
  const files: string[] = [];
  try {
    if (statSync(join(folder, 'status')).isFile()) files.push(join(folder, 'status'));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  }
  // Images built without a package manager (distroless) have a file for each package here.
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

export interface Diversions {
  /** Returns the real path of a listed file, with the first folder as it is listed. */
  placeOf(pkg: string, listed: string): string;
  /** Maps paths to the files of other packages that were diverted to them. */
  movedTo(path: string): { from: string; by: string }[];
}

/**
 * Reads the diversions: files of packages that are elsewhere than listed, because another package or the
 * administrator diverted them.
 */
export function readDiversions(root: string): Diversions {
  const rows: { from: string; to: string; by: string }[] = [];
  try {
    const lines = readFileSync(join(root, DIVERSIONS), 'utf8').split('\n');
    for (let at = 0; at + 2 < lines.length; at += 3) {
      rows.push({ from: lines[at] ?? '', to: lines[at + 1] ?? '', by: lines[at + 2] ?? '' });
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  }
  const byFrom = new Map(rows.map((row) => [row.from, row]));
  return {
    placeOf(pkg, listed) {
      const row = byFrom.get(listed);
      return row === undefined || row.by === pkg ? listed : row.to;
    },
    movedTo: (path) => rows.filter((row) => row.to === path),
  };
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
  // The file is large: it is read line by line, because an array of its lines would be the largest object of a scan.
  for (let from = 0, end = 0; from <= text.length; from = end + 1) {
    end = text.indexOf('\n', from);
    if (end < 0) end = text.length;
    const first = text[from];
    if (first === ' ' || first === '\t') {
      if (text.slice(from, end).trim() === '') close();
      continue;
    }
    const line = text.slice(from, end);
    if (line.trim() === '') close();
    else {
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

/** A buffer is shared by all lists: a machine has thousands, read one after the other. */
let shared = Buffer.alloc(0);

/**
 * Returns the list of a package's files (`name.list`, or `name:arch.list` for several architectures): valid until the
 * next call.
 */
export function readFileList(
  root: string,
  pkg: DpkgPackage,
): { bytes: Buffer; mtimeMs: number } | null {
  return firstList(root, pkg, (path) => {
    const handle = openSync(path, 'r');
    try {
      const { size, mtimeMs } = fstatSync(handle);
      if (shared.length < size) shared = Buffer.alloc(size * 2);
      let length = 0;
      while (length < size) {
        const read = readSync(handle, shared, length, size - length, null);
        if (read === 0) break;
        length += read;
      }
      return { bytes: shared.subarray(0, length), mtimeMs };
    } finally {
      closeSync(handle);
    }
  });
}

/** Gives their buffer back: for a process that goes on. */
export function releaseFileLists(): void {
  shared = Buffer.alloc(0);
}

function firstList<T>(root: string, pkg: DpkgPackage, open: (path: string) => T): T | null {
  const folder = join(root, 'var/lib/dpkg/info');
  const plain = `${pkg.name}.list`;
  const qualified = `${pkg.name}:${pkg.architecture}.list`;
  for (const name of pkg.multiArchSame ? [qualified, plain] : [plain, qualified]) {
    try {
      return open(join(folder, name));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    }
  }
  return null;
}
