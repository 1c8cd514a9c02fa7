// Interface of package databases: which package owns a file. Each kind of database is a file beside this file.
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import { readUsrMerge } from '../../discovery/sources/lib/usr-merge.ts';

export interface PackageOwner {
  entity: OwningEntity;
  /** The distribution calls it required, important or essential: nothing works without it. */
  vital: boolean;
  /**
   * The path as the package lists it, which may be another name on a merged /usr; null where its package manager
   * supports no diversion.
   */
  listed: string | null;
}

export interface PackageIndex {
  /** A text that changes when the packages do; null where this machine has no such database. */
  stamp(): string | null;
  /** The owners of these real paths, those that have any. Throws where the database cannot be read. */
  search(paths: readonly string[]): Map<string, PackageOwner[]>;
}

/** Folders in which no package puts programs: their files have no owner. */
const NOBODYS = ['/home/', '/root/', '/tmp/', '/var/tmp/', '/run/', '/proc/', '/dev/', '/mnt/'];

/** Maps each name under which a package may list these real paths to the path. */
export function listedNames(root: string, paths: readonly string[]): [string, string][] {
  const { aliases } = readUsrMerge(root);
  return paths
    .filter((path) => !NOBODYS.some((folder) => path.startsWith(folder)))
    .flatMap((path) => aliases(path).map((name): [string, string] => [name, path]));
}

/** Adds an owner to those of a path, once. */
export function addOwner(
  owners: Map<string, PackageOwner[]>,
  path: string,
  owner: PackageOwner,
): void {
  const known = owners.get(path) ?? [];
  if (known.some((owned) => owned.entity.entity_id === owner.entity.entity_id)) return;
  owners.set(path, [...known, owner]);
}
