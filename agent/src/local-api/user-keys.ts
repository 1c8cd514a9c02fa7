// Keys of users for the local socket, which cannot identify its callers: each user has a key in a file that only they
// can read.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../config/atomic-file.ts';

export interface UserKeys {
  /** Makes sure that this person has a key of this run. */
  issueKey(uid: number): void;
  /** Returns the user of a key; null for an unknown key. */
  uidOf(key: string | null): number | null;
  /** A look at the files of the keys: those that somebody took away are written again. True where there were some. */
  restoreRemoved(): boolean;
}

const PEOPLE_MAX = 1000;

/** Keys are made anew by each run. */
export function openUserKeys(dataDir: string): UserKeys {
  const keys = new Map<string, number>();
  const known = new Set<number>();
  let seen = stampOf(dataDir);
  return {
    issueKey(uid) {
      if (known.has(uid) || known.size >= PEOPLE_MAX) return;
      known.add(uid);
      const key = randomBytes(32).toString('hex');
      keys.set(key, uid);
      writeKey(dataDir, uid, key);
      seen = stampOf(dataDir);
    },
    uidOf: (key) => (key === null ? null : (keys.get(key) ?? null)),
    restoreRemoved() {
      // The folder's status changes with a removal: while it is unchanged, nothing else is read.
      if (stampOf(dataDir) === seen) return false;
      const gone = [...keys].filter(([, uid]) => !existsSync(keyFile(dataDir, uid)));
      for (const [key, uid] of gone) writeKey(dataDir, uid, key);
      seen = stampOf(dataDir);
      return gone.length > 0;
    },
  };
}

/** Reads the key of the current user; null where there is none. */
export function readOwnKey(dataDir: string): string | null {
  try {
    return readFileSync(keyFile(dataDir, process.getuid?.() ?? -1), 'utf8');
  } catch {
    // No service has created a key for this user.
    return null;
  }
}

const keyFile = (dataDir: string, uid: number) => join(dataDir, 'people', String(uid));

function stampOf(dataDir: string): string | null {
  try {
    const { ino, mtimeMs } = statSync(join(dataDir, 'people'));
    return `${ino}:${mtimeMs}`;
  } catch {
    // Not made yet, or gone.
    return null;
  }
}

function writeKey(dataDir: string, uid: number, key: string): void {
  try {
    mkdirSync(join(dataDir, 'people'), { recursive: true, mode: 0o711 });
    writeFileAtomically(keyFile(dataDir, uid), key, 0o400);
    if (process.getuid?.() === 0) chownSync(keyFile(dataDir, uid), uid, -1);
  } catch {
    // Without room on the disk this user gets desktop notifications only.
  }
}
