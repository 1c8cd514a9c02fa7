// Collects files and folders, bounded in number: a change of them makes the service read a source again.
import { MAX_REPORTED_FILES, MAX_REPORTED_FOLDERS } from '../scan/worker/worker-limits.ts';

export interface WatchList {
  addFile(diskPath: string): void;
  addFolder(diskPath: string): void;
  files(): string[];
  folders(): string[];
}

/** Returns an empty list. */
export function createWatchList(): WatchList {
  const files = new Set<string>();
  const folders = new Set<string>();
  return {
    addFile(diskPath) {
      if (files.size < MAX_REPORTED_FILES) files.add(diskPath);
    },
    addFolder(diskPath) {
      if (folders.size < MAX_REPORTED_FOLDERS) folders.add(diskPath);
    },
    files: () => [...files],
    folders: () => [...folders],
  };
}
