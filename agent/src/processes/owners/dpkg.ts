// Finds the Debian packages that own an executable, by dpkg's file lists.
import { readdirSync } from 'node:fs';
import { dpkgEntityId, publisherOf } from '../../discovery/sources/dpkg.ts';
import {
  type DpkgPackage,
  dpkgStamp,
  readDiversions,
  readDpkgDatabase,
  readFileList,
  releaseFileLists,
} from '../../discovery/sources/lib/dpkg-database.ts';
import { readUsrMerge } from '../../discovery/sources/lib/usr-merge.ts';
import type { PackageIndex, PackageOwner } from './package-index.ts';

const VITAL_PRIORITIES = new Set(['required', 'important']);

/** Reads nothing before it is asked. */
export function openDpkgIndex(root: string): PackageIndex {
  /** First folders below which packages own files at all: /tmp and /home answer without a look. */
  let tops: { of: string; names: Set<string> } | null = null;
  return {
    stamp: () => dpkgStamp(root),
    search(paths) {
      const stamp = dpkgStamp(root) ?? '';
      const known = tops?.of === stamp ? tops.names : null;
      const asked = known === null ? paths : paths.filter((path) => known.has(topOf(path)));
      if (asked.length === 0) return new Map();
      const found = searchLists(root, asked, known === null);
      if (found.tops !== null) tops = { of: stamp, names: found.tops };
      return found.owners;
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

/** `line` begins with the line break before it, which the first line does not have. */
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
