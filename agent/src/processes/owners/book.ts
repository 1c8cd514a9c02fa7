// What each package database can be asked: whose a file is. One file beside this for each kind of database.
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import { readUsrMerge } from '../../discovery/sources/lib/usr-merge.ts';

export interface PackageOwner {
  entity: OwningEntity;
  /** The distribution calls it required, important or essential: nothing works without it. */
  vital: boolean;
  /**
   * The path as the package lists it, which another name of a merged /usr may be; null where its package manager cannot be
   * told that the file is elsewhere.
   */
  listed: string | null;
}

export interface PackageBook {
  /** A text that changes when the packages do; null where this machine has no such database. */
  stamp(): string | null;
  /** The owners of these real paths, those that have any. Throws where the database cannot be read. */
  search(paths: readonly string[]): Map<string, PackageOwner[]>;
}

/** Where no package puts programs: what runs there is answered without a look. */
const NOBODYS = ['/home/', '/root/', '/tmp/', '/var/tmp/', '/run/', '/proc/', '/dev/', '/mnt/'];

/** Each name under which a package may list one of these real paths, with the path. */
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
