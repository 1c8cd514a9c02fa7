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
  const folders = new Map(
    [...wanted.keys()]
      .map((name) => name.slice(0, name.lastIndexOf('/')))
      .map((name) => [name, name]),
  );
  const found: { path: string; stanza: string }[] = [];
  let begin = 0;
  /** The end of the package's own fields: its folders follow. */
  let fieldsEnd = -1;
  let folder: string | undefined;
  for (const { at, end } of linesOf(bytes)) {
    if (end === at) {
      [begin, fieldsEnd, folder] = [end + 1, -1, undefined];
      continue;
    }
    const letter = bytes[at + 1] === COLON ? bytes[at] : null;
    if (letter === FOLDER) {
      if (fieldsEnd < 0) fieldsEnd = at;
      folder = folders.get(bytes.toString('utf8', at + 2, end));
    } else if (letter === FILE && folder !== undefined) {
      const path = wanted.get(`${folder}/${bytes.toString('utf8', at + 2, end)}`);
      if (path !== undefined)
        found.push({ path, stanza: bytes.toString('utf8', begin, fieldsEnd) });
    }
  }
  return found;
}

/** Yields the byte offsets of the lines, without their ends. */
function* linesOf(bytes: Buffer): Generator<{ at: number; end: number }> {
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(LINE_END, at);
    const end = next < 0 ? bytes.length : next;
    yield { at, end };
    at = end + 1;
  }
}
