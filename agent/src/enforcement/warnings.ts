// Tells the person at the screen that an application is not wanted here; they may go on. Once for each start of it.
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { writeFileAtomically } from '../config/atomic-file.ts';
import { applicationName, type CorrelatedProcess } from '../processes/correlator.ts';

export interface Warning {
  warning_id: string;
  at: string;
  application_name: string;
  reason: string | null;
}

export interface Warnings {
  warn(correlated: CorrelatedProcess, override: WireOverride): void;
  /** A person's own, the newest last; none for who does not show that person's key. */
  listFor(key: string | null): Warning[];
}

/** An application starts many processes, and some start anew all the time: within this it is one start. */
export const ONE_START_MS = 10 * 60_000;
const KEPT = 50;
const PEOPLE_MAX = 1000;

/** `notify` shows it on the desktop of the person with that user id. */
export function createWarnings(options: {
  dataDir: string;
  makeId: () => string;
  now: () => number;
  notify: (uid: number, title: string, text: string) => void;
}): Warnings {
  const warnedAt = new Map<string, number>();
  const people = new Map<number, { key: string; warnings: Warning[] }>();
  const personOf = (uid: number) => {
    let person = people.get(uid);
    if (person === undefined) {
      person = { key: giveKey(options.dataDir, uid), warnings: [] };
      if (people.size < PEOPLE_MAX) people.set(uid, person);
    }
    return person;
  };
  return {
    warn(correlated, override) {
      const { uid, name } = correlated.process;
      if (uid === null) return;
      const application = applicationName(correlated) ?? name;
      const now = options.now();
      const start = `${uid}:${override.override_id}:${application}`;
      const before = warnedAt.get(start);
      if (before !== undefined && now >= before && now - before < ONE_START_MS) return;
      for (const [key, at] of warnedAt) if (now - at >= ONE_START_MS) warnedAt.delete(key);
      warnedAt.set(start, now);
      const { warnings } = personOf(uid);
      warnings.push({
        warning_id: options.makeId(),
        at: new Date(now).toISOString(),
        application_name: application,
        reason: override.reason,
      });
      if (warnings.length > KEPT) warnings.shift();
      const text = override.reason ?? 'Please ask your administrator before you use it.';
      options.notify(uid, `Your company does not want ${application} to be used here`, text);
    },
    listFor(key) {
      if (key === null) return [];
      for (const person of people.values()) if (person.key === key) return person.warnings;
      return [];
    },
  };
}

/** The local socket cannot tell who asks: who can read this file is that person. */
function giveKey(dataDir: string, uid: number): string {
  const key = randomBytes(32).toString('hex');
  const folder = join(dataDir, 'people');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    const file = join(folder, String(uid));
    writeFileAtomically(file, key, 0o400);
    if (process.getuid?.() === 0) chownSync(file, uid, -1);
  } catch {
    // No disk for it: the person is told by a notification only.
  }
  return key;
}
