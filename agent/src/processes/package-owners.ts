// Which Debian packages own an executable: looked up on demand in dpkg's file lists, remembered until dpkg changes.
import { readdirSync } from 'node:fs';
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import { dpkgEntityId, publisherOf } from '../discovery/sources/dpkg.ts';
import {
  type DpkgPackage,
  dpkgStamp,
  readDiversions,
  readDpkgDatabase,
  readFileList,
  releaseFileLists,
} from '../discovery/sources/dpkg-database.ts';
import { readUsrMerge } from '../discovery/sources/usrmerge.ts';

export interface PackageOwner {
  entity: OwningEntity;
  /** The distribution calls it required, important or essential: nothing works without it. */
  vital: boolean;
  /** The path as the package lists it, which another name of a merged /usr may be. */
  listed: string;
}

export interface PackageOwners {
  /** The owners of each real path. Throws nothing: see `readable`. */
  find(paths: readonly string[]): Map<string, readonly PackageOwner[]>;
  /** False where there is a dpkg whose database cannot be read: then nothing is known to be harmless. */
  readable(): boolean;
}

/** A build makes thousands of short-lived programs; what is remembered stays bounded. */
const MAX_REMEMBERED = 5000;
const VITAL_PRIORITIES = new Set(['required', 'important']);

/** Reads nothing before it is asked. */
export function openPackageOwners(root = '/'): PackageOwners {
  let stamp: string | null = null;
  let readable = true;
  let remembered = new Map<string, readonly PackageOwner[]>();
  /** First folders below which packages own files at all: /tmp and /home answer without a look. */
  let tops: Set<string> | null = null;
  const refresh = () => {
    const now = dpkgStamp(root);
    if (now === stamp) return;
    stamp = now;
    remembered = new Map();
    tops = null;
  };
  return {
    readable: () => readable,
    find(paths) {
      try {
        refresh();
        readable = true;
        const missing = paths.filter(
          (path) => !remembered.has(path) && (tops === null || tops.has(topOf(path))),
        );
        if (missing.length > 0 && stamp !== null) {
          const found = searchLists(root, missing, tops === null);
          tops ??= found.tops;
          if (remembered.size > MAX_REMEMBERED) remembered.clear();
          for (const path of missing) remembered.set(path, found.owners.get(path) ?? []);
        }
      } catch {
        // Said through `readable`, which the guard rails ask: with it unset they refuse what lies in system folders.
        readable = false;
      }
      return new Map(paths.map((path) => [path, remembered.get(path) ?? []]));
    },
  };
}

function topOf(path: string): string {
  return path.slice(0, path.indexOf('/', 1) + 1);
}

function searchLists(
  root: string,
  paths: readonly string[],
  wantTops: boolean,
): { owners: Map<string, PackageOwner[]>; tops: Set<string> | null } {
  const database = readDpkgDatabase(root);
  const merge = readUsrMerge(root);
  const diversions = readDiversions(root);
  const wanted = paths.flatMap((path) =>
    merge.aliases(path).flatMap((alias) => {
      const listed = [alias, ...diversions.movedTo(alias).map(({ from }) => from)];
      return listed.map((name) => ({ path, alias, name, line: Buffer.from(`\n${name}\n`) }));
    }),
  );
  const owners = new Map<string, PackageOwner[]>();
  const tops = new Set<string>();
  // Only of folders that are there can something run.
  let unseen = wantTops
    ? readdirSync(root).map((name) => ({ top: `/${name}/`, line: Buffer.from(`\n/${name}/`) }))
    : [];
  for (const pkg of database?.packages ?? []) {
    const lines = readFileList(root, pkg)?.bytes;
    if (lines === undefined) continue;
    unseen = unseen.filter(({ top, line }) => {
      if (!hasLine(lines, line)) return true;
      tops.add(top).add(topOf(merge.resolve(`${top}x`)));
      return false;
    });
    for (const { path, alias, name, line } of wanted) {
      if (!hasLine(lines, line) || diversions.placeOf(pkg.name, name) !== alias) continue;
      owners.set(path, [...(owners.get(path) ?? []), describeOwner(pkg, alias)]);
    }
  }
  releaseFileLists();
  return { owners, tops: wantTops ? tops : null };
}

/** `line` begins with the end of the line before it, which the first one has not. */
function hasLine(lines: Buffer, line: Buffer): boolean {
  return lines.includes(line) || lines.subarray(0, line.length - 1).equals(line.subarray(1));
}

function describeOwner(pkg: DpkgPackage, listed: string): PackageOwner {
  return {
    entity: {
      entity_id: dpkgEntityId(pkg),
      kind: 'package',
      name: pkg.name,
      version: pkg.version,
      publisher: publisherOf(pkg.maintainer),
    },
    vital: pkg.essential || VITAL_PRIORITIES.has(pkg.priority ?? ''),
    listed,
  };
}
