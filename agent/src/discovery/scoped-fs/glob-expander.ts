// Expands patterns of path segments: `*` matches within a segment, `**` matches up to four folders. Results are in order.
import { join } from 'node:path/posix';
import type { CoverageRecorder } from './coverage-recorder.ts';
import { globSegment } from './glob-pattern.ts';
import type { FolderName } from './safe-reader.ts';

const MAX_EXPANDED = 5_000;
const MAX_DEPTH = 4;
/** Folders with generated or downloaded content: never walked into. */
const IGNORED_DIRECTORIES = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv']);

/** Folder access of the scope that is expanded in. */
export interface GlobFolders {
  list(folder: string): FolderName[];
  isFolder(within: string, entry: FolderName): boolean;
  exists(path: string): boolean;
}

/** Returns the existing paths that match a pattern; more than 5,000 are cut, which the coverage reports. */
export function expandGlob(
  pattern: string,
  folders: GlobFolders,
  coverage: Pick<CoverageRecorder, 'reportError'>,
): string[] {
  const root = pattern.startsWith('/') ? '/' : '';
  const segments = pattern.split('/').filter((segment) => segment !== '');
  const wildcardAt = segments.findIndex((segment) => segment.includes('*'));
  const fixed = root + segments.slice(0, wildcardAt < 0 ? undefined : wildcardAt).join('/');
  if (wildcardAt < 0) return folders.exists(fixed) ? [fixed] : [];
  if (wildcardAt > 0 && !folders.exists(fixed)) return [];
  let matches = [root];
  segments.forEach((segment, index) => {
    const next: string[] = [];
    for (const folder of matches) {
      next.push(...expandSegment(folder, segment, index === segments.length - 1, folders));
      if (next.length > MAX_EXPANDED) {
        coverage.reportError(pattern, 'timed_out', `more than ${MAX_EXPANDED} places`);
        break;
      }
    }
    matches = next.slice(0, MAX_EXPANDED);
  });
  // A link that leads out exists, too: its reader reports it.
  return matches.filter((path) => folders.exists(path));
}

function expandSegment(
  folder: string,
  segment: string,
  isLast: boolean,
  folders: GlobFolders,
): string[] {
  if (segment === '**') return collectFolders(folder, MAX_DEPTH, [], folders);
  if (!segment.includes('*')) return [join(folder, segment)];
  const matches = globSegment(segment);
  return folders
    .list(folder)
    .filter((entry) => matches(entry.name) && (isLast || folders.isFolder(folder, entry)))
    .map((entry) => join(folder, entry.name));
}

/** Collects the folder and those below it into `into`; links are not followed, because they can form cycles. */
function collectFolders(
  folder: string,
  depth: number,
  into: string[],
  folders: GlobFolders,
): string[] {
  into.push(folder);
  if (depth === 0) return into;
  for (const entry of folders.list(folder)) {
    if (into.length > MAX_EXPANDED) break;
    if (entry.kind !== 'folder' || IGNORED_DIRECTORIES.has(entry.name)) continue;
    collectFolders(join(folder, entry.name), depth - 1, into, folders);
  }
  return into;
}
