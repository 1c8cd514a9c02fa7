// Finds the Alpine Linux packages that own an executable: one file lists all packages, each with its folders and
// files.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../discovery/scoped-fs/safe-reader.ts';
import { APK_FILES, APK_MAX_BYTES, describeApk } from '../../discovery/sources/apk.ts';
import { toPackageOwner } from './owner.ts';
import { addOwner, listedNames, type PackageIndex, type PackageOwner } from './package-index.ts';

const LINE_END = 0x0a;
const COLON = 0x3a;
const FOLDER = 'F'.charCodeAt(0);
const FILE = 'R'.charCodeAt(0);

/** Reads nothing before it is asked. */
export function openApkIndex(root: string): PackageIndex {
  const find = () => {
    for (const file of APK_FILES) {
      const path = join(root, file);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined) return { path, stat };
    }
    return null;
  };
  return {
    stamp() {
      const found = find();
      return found && `${found.path}:${found.stat.ino}:${found.stat.mtimeMs}:${found.stat.size}`;
    },
    search(paths) {
      const owners = new Map<string, PackageOwner[]>();
      // Listed without the first slash.
      const wanted = new Map(
        listedNames(root, paths).map(([name, path]) => [name.slice(1), path] as const),
      );
      const found = wanted.size === 0 ? null : find();
      if (found === null) return owners;
      const read = readRegularFile(found.path, APK_MAX_BYTES);
      if (!read.ok) throw new Error(read.reason);
      for (const { path, stanza } of findListed(read.bytes, wanted)) {
        const described = describeApk(stanza);
        if (described !== null) addOwner(owners, path, toPackageOwner('apk', described));
      }
      return owners;
    },
  };
}

/** Reads line by line, each once: yields the requested paths that are listed, with the package's own fields. */
function findListed(
  bytes: Buffer,
  wanted: ReadonlyMap<string, string>,
): { path: string; stanza: string }[] {
  const folders = new Set([...wanted.keys()].map((name) => name.slice(0, name.lastIndexOf('/'))));
  const found: { path: string; stanza: string }[] = [];
  let begin = 0;
  /** The end of the package's own fields: its folders follow. */
  let fieldsEnd = -1;
  let folder: string | null = null;
  for (let at = 0; at < bytes.length; ) {
    let end = bytes.indexOf(LINE_END, at);
    if (end < 0) end = bytes.length;
    if (end === at) {
      [begin, fieldsEnd, folder] = [end + 1, -1, null];
    } else if (bytes[at + 1] === COLON) {
      const letter = bytes[at];
      if (letter === FOLDER) {
        if (fieldsEnd < 0) fieldsEnd = at;
        const name = bytes.toString('utf8', at + 2, end);
        folder = folders.has(name) ? name : null;
      } else if (letter === FILE && folder !== null) {
        const path = wanted.get(`${folder}/${bytes.toString('utf8', at + 2, end)}`);
        if (path !== undefined) {
          found.push({ path, stanza: bytes.toString('utf8', begin, fieldsEnd) });
        }
      }
    }
    at = end + 1;
  }
  return found;
}
