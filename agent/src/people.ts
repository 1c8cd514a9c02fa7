// The local socket for reading cannot tell who asks: each person has a key in a file that only they can read.
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from './config/atomic-file.ts';

export interface People {
  /** Makes sure that this person has a key of this run. */
  know(uid: number): void;
  /** Whose key it is; null for nobody's. */
  uidOf(key: string | null): number | null;
}

const PEOPLE_MAX = 1000;

/** Keys are made anew by each run. */
export function openPeople(dataDir: string): People {
  const keys = new Map<string, number>();
  const known = new Set<number>();
  return {
    know(uid) {
      if (known.has(uid) || known.size >= PEOPLE_MAX) return;
      known.add(uid);
      keys.set(giveKey(dataDir, uid), uid);
    },
    uidOf: (key) => (key === null ? null : (keys.get(key) ?? null)),
  };
}

/** One's own key, where there is one; null otherwise. */
export function readOwnKey(dataDir: string): string | null {
  try {
    return readFileSync(keyFile(dataDir, process.getuid?.() ?? -1), 'utf8');
  } catch {
    // No service has made one for us.
    return null;
  }
}

const keyFile = (dataDir: string, uid: number) => join(dataDir, 'people', String(uid));

function giveKey(dataDir: string, uid: number): string {
  const key = randomBytes(32).toString('hex');
  try {
    mkdirSync(join(dataDir, 'people'), { recursive: true, mode: 0o711 });
    writeFileAtomically(keyFile(dataDir, uid), key, 0o400);
    if (process.getuid?.() === 0) chownSync(keyFile(dataDir, uid), uid, -1);
  } catch {
    // No disk for it: this person is told by notifications only.
  }
  return key;
}
